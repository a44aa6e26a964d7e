package import Foundation
import Synchronization

/// Whether the system lets this process have threads, and timers.
///
/// It has a limit for each user (`ulimit -u`), and each thread needs address space for its stack (`ulimit -v`). Dispatch,
/// on which Swift's tasks run, waits where it can't make one, for ever if need be, and says nothing. So what needs a thread
/// asks here first.
package enum Threads {
  /// Why there are none.
  package typealias Unavailable = PlainError<Threads>

  /// As many as Dispatch and libprimecount may want at once: where they get some only, they wait for the others.
  private static let needed = 2 * ProcessInfo.processInfo.activeProcessorCount + 4

  /// When enough could be made last, which is believed for a while: asking takes a tenth of a millisecond.
  private static let lastSuccess = Mutex<ContinuousClock.Instant?>(nil)
  private static let validity = Duration.seconds(1)

  /// Checks that enough can be made.
  ///
  /// - Throws: `Unavailable`.
  package static func check() throws(Unavailable) {
    let now = ContinuousClock.now
    if let last = lastSuccess.withLock(\.self), now - last < validity { return }
    try checkNow()
    try openTimers()
    lastSuccess.withLock { $0 = now }
  }

  /// Whether enough can be made.
  package static var areAvailable: Bool {
    do throws(Unavailable) {
      try check()
      return true
    } catch {
      return false
    }
  }

  private static func checkNow() throws(Unavailable) {
    // The threads end when they get it, so that all of them are there at once.
    let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    defer { gate.deallocate() }
    pthread_mutex_init(gate, nil)
    pthread_mutex_lock(gate)
    var threads: [pthread_t] = []
    defer {
      pthread_mutex_unlock(gate)
      for thread in threads { pthread_join(thread, nil) }
      pthread_mutex_destroy(gate)
    }
    for _ in 0..<needed {
      let thread = try start(
        { context in
          #if !canImport(Darwin)
            guard let context else { return nil }
          #endif
          let gate = context.assumingMemoryBound(to: pthread_mutex_t.self)
          pthread_mutex_lock(gate)
          pthread_mutex_unlock(gate)
          return nil
        }, gate)
      if let thread { threads.append(thread) }
    }
  }

  /// Whether Dispatch has what it needs to set timers.
  private static let hasTimers = Mutex(false)

  /// The descriptors that Dispatch opens for its timers, and some to spare.
  private static let timerDescriptors = 10

  /// Has Dispatch open what it needs to set timers, before a script can open all that there is.
  ///
  /// Without a descriptor for each kind of clock it would end the process.
  private static func openTimers() throws(Unavailable) {
    guard !hasTimers.withLock(\.self) else { return }
    guard OpenDescriptors.canOpen(timerDescriptors) else { throw .timers }
    // These stay set, since for a time that has passed no descriptor is opened.
    Task.detached { try await ContinuousClock().sleep(for: .seconds(86_400)) }
    Task.detached { try await SuspendingClock().sleep(for: .seconds(86_400)) }
    let isOpen = DispatchSemaphore(value: 0)
    Task.detached {
      defer { isOpen.signal() }
      // One thread sets all timers: when a later one has gone off, the others are set.
      try await ContinuousClock().sleep(for: .milliseconds(1))
    }
    // Not for ever, as all threads may be busy; then they are opened once one isn't.
    _ = isOpen.wait(timeout: .now() + 1)
    hasTimers.withLock { $0 = true }
  }

  #if canImport(Darwin)
    package typealias Body = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
  #else
    package typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  #endif

  /// Runs a function on a thread of its own, which nobody waits for.
  ///
  /// No signal is delivered to it, nor to the threads that it starts: those that end the process, and those that stop code,
  /// are for the threads that run Lua.
  ///
  /// - Throws: `Unavailable`.
  package static func detach(
    _ body: Body, _ context: UnsafeMutableRawPointer? = nil
  ) throws(Unavailable) {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    if let thread = try start(body, context) { pthread_detach(thread) }
  }

  /// Runs a function on a thread of its own.
  ///
  /// - Throws: `Unavailable`.
  @discardableResult
  package static func start(
    _ body: Body, _ context: UnsafeMutableRawPointer? = nil
  ) throws(Unavailable) -> pthread_t? {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = pthread_create(&thread, nil, body, context)
    guard failure == 0 else { throw .threads(reason: String(cString: strerror(failure))) }
    return thread
  }
}

extension Threads.Unavailable {
  static func threads(reason: String) -> Self {
    Self(
      "no_threads",
      "The system allows no thread, which this needs (\(reason)): raise the limit of "
        + "processes (ulimit -u) or of memory (ulimit -v), or end some of your processes.")
  }

  package static var timers: Self {
    Self(
      "too_many_files",
      "Too many files are open for the timer that this needs: close some, or raise the limit "
        + "(ulimit -n).")
  }
}
