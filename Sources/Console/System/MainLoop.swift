import CMainQueue
import Dispatch
import PrimereplFoundation
import PrimereplPlatform

/// Signals that run an action on the main actor.
@MainActor
enum SignalAction {
  // Safe: written before the first handler is installed.
  private nonisolated(unsafe) static var wakePipe: WakePipe?
  private static var actions: [Int32: @MainActor (Int32) -> Void] = [:]

  /// Runs an action, which gets the signal's number, when a signal arrives.
  static func set(
    for number: Int32, flags: Int32, _ action: @escaping @MainActor (Int32) -> Void
  ) throws(SystemCallError) {
    if wakePipe == nil {
      let pipe = try WakePipe()
      wakePipe = pipe
      MainLoop.watch(pipe.readEnd) { runPending() }
    }
    actions[number] = action
    Signal.setHandler(of: number, flags: flags) {
      SignalAction.wakePipe?.wake(UInt8(truncatingIfNeeded: $0))
    }
  }

  static func runPending() {
    while let number = wakePipe?.take().map(Int32.init) { actions[number]?(number) }
  }

  /// Gives a signal its default effect again.
  static func remove(for number: Int32) {
    signal(number, SIG_DFL)
    actions[number] = nil
  }
}

/// The main thread's loop, which runs the main actor.
///
/// Dispatch's own loop would move the main actor to a new thread, and wait forever if the system allows none. With
/// this one, a script that needs no other thread runs in the main thread alone.
enum MainLoop {
  #if os(Linux)
    @MainActor private static var watches: [(descriptor: Int32, action: @MainActor () -> Void)] = []
  #else
    @MainActor private static var sources: [any DispatchSourceRead] = []
  #endif

  /// Runs an action whenever a descriptor can be read, for as long as the process lives.
  @MainActor
  static func watch(_ descriptor: Int32, _ action: @escaping @MainActor () -> Void) {
    #if os(Linux)
      watches.append((descriptor, action))
    #else
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated(action) }
      source.activate()
      sources.append(source)
    #endif
  }

  /// Runs forever; for the main thread.
  static func run() -> Never {
    #if os(Linux)
      let queue = _dispatch_get_main_queue_handle_4CF()
      while true { MainActor.assumeIsolated { step(queue) } }
    #else
      dispatchMain()
    #endif
  }

  #if os(Linux)
    @MainActor
    private static func step(_ queue: Int32) {
      let current = watches
      var waited = ([queue] + current.map(\.descriptor)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // If a signal interrupts it, `run` calls this again; the signal's handler has made a descriptor readable.
      guard poll(&waited, nfds_t(waited.count), -1) > 0 else { return }
      for (watch, state) in zip(current, waited.dropFirst()) where state.revents != 0 {
        watch.action()
      }
      guard waited[0].revents != 0 else { return }
      var count: UInt64 = 0
      // Read before the work is done, so that work added meanwhile makes the descriptor readable again.
      _ = read(queue, &count, MemoryLayout.size(ofValue: count))
      _dispatch_main_queue_callback_4CF(nil)
    }
  #endif
}

extension SystemThread {
  static var isMain: Bool {
    #if canImport(Darwin)
      pthread_main_np() != 0
    #else
      gettid() == getpid()
    #endif
  }
}
