import PrimereplFoundation

/// Threads that block or never end, which tasks and Dispatch's queues may not.
package enum SystemThread {
  /// Runs a function on a thread of its own.
  ///
  /// Neither the thread nor those that it starts receive signals: signals that end the process or stop code are for the
  /// threads that run Lua.
  ///
  /// - Throws: ``Unavailable`` if the system allows the process no further thread.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(Unavailable) {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let context = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(&thread, nil, main, context.toOpaque())
    guard failure == 0 else {
      context.release()
      throw Unavailable(reason: String(cString: strerror(failure)))
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  /// The time for which the current thread has run so far, without that for which others had the processor.
  package static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      {
        Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run()
        return nil
      }
  #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      {
        if let context = $0 { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }
  #endif

  package struct Unavailable: Error, CustomStringConvertible {
    package let reason: String

    package var description: String {
      "the system allows no further thread (\(reason)): raise the limit of processes (ulimit -u) or of memory "
        + "(ulimit -v), or end some of your processes"
    }
  }
}
