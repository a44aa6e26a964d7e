package import Foundation
import Platform
import Synchronization

/// Whether the system allows this process threads and timers.
///
/// The system limits the threads of each user (`ulimit -u`), and each thread needs address space for its stack
/// (`ulimit -v`). If Dispatch, which runs Swift's tasks, can't create a thread, it waits silently, possibly forever.
/// So code that needs a thread asks here first.
package enum Threads {
  /// Why no threads are available.
  package typealias Unavailable = PlainError<Threads>

  /// The number that Dispatch and libprimecount may want at once: if they get only some, they wait for the others.
  private static let needed = 2 * ProcessInfo.processInfo.activeProcessorCount + 4

  /// The time of the last successful check, which stays valid for a while: checking takes a tenth of a millisecond.
  private static let lastSuccess = Mutex<ContinuousClock.Instant?>(nil)
  private static let validity = Duration.seconds(1)

  /// Checks that enough threads can be created.
  package static func check() throws(Unavailable) {
    let now = ContinuousClock.now
    if let last = lastSuccess.withLock(\.self), now - last < validity { return }
    try checkNow()
    try openTimers()
    lastSuccess.withLock { $0 = now }
  }

  package static var areAvailable: Bool {
    do throws(Unavailable) {
      try check()
      return true
    } catch {
      return false
    }
  }

  private static func checkNow() throws(Unavailable) {
    // The threads end when they get the lock, so that all of them exist at once.
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

  /// Whether Dispatch has opened what it needs to set timers.
  private static let hasTimers = Mutex(false)

  /// The number of descriptors that Dispatch opens for its timers, and some to spare.
  private static let timerDescriptors = 10

  /// Makes Dispatch open what it needs to set timers, before a script can use up all descriptors.
  ///
  /// Without a descriptor for each kind of clock, Dispatch would end the process.
  private static func openTimers() throws(Unavailable) {
    guard !hasTimers.withLock(\.self) else { return }
    guard OpenDescriptors.canOpen(timerDescriptors) else { throw .timers }
    // Far in the future, since Dispatch opens no descriptor for a time that has passed.
    Task.detached { try await ContinuousClock().sleep(for: .seconds(86_400)) }
    Task.detached { try await SuspendingClock().sleep(for: .seconds(86_400)) }
    let isOpen = DispatchSemaphore(value: 0)
    Task.detached {
      defer { isOpen.signal() }
      // One thread sets all timers: when a later one has fired, the others are set.
      try await ContinuousClock().sleep(for: .milliseconds(1))
    }
    // With a time limit, as all threads may be busy; the descriptors are then opened once a thread is free.
    _ = isOpen.wait(timeout: .now() + 1)
    hasTimers.withLock { $0 = true }
  }

  #if canImport(Darwin)
    package typealias Body = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
  #else
    package typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  #endif

  /// Runs a function on a detached thread.
  ///
  /// Neither this thread nor the threads that it starts receive signals: signals that end the process or stop code
  /// are for the threads that run Lua.
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

  /// Runs a function on a new thread.
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
