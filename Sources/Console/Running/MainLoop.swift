import CMainQueue
import Dispatch
import Foundation

/// What the main thread does: the work of the main actor.
///
/// Dispatch's own loop would leave that to a thread that it makes, and wait for ever where the system allows none. What needs
/// no other thread, as most scripts, runs in this one.
enum MainLoop {
  #if os(Linux)
    private struct Watch {
      let descriptor: Int32
      let action: @MainActor () -> Void
    }

    @MainActor private static var watches: [Watch] = []
  #else
    @MainActor private static var sources: [any DispatchSourceRead] = []
  #endif

  /// Does something whenever a descriptor can be read, as long as the process lives.
  @MainActor
  static func watch(_ descriptor: Int32, _ action: @escaping @MainActor () -> Void) {
    #if os(Linux)
      watches.append(Watch(descriptor: descriptor, action: action))
    #else
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated(action) }
      source.activate()
      sources.append(source)
    #endif
  }

  /// Works for ever; for the main thread.
  static func run() -> Never {
    #if os(Linux)
      let queue = _dispatch_get_main_queue_handle_4CF()
      while true { MainActor.assumeIsolated { step(queue) } }
    #else
      dispatchMain()
    #endif
  }

  #if os(Linux)
    /// Waits for work, and does it.
    @MainActor
    private static func step(_ queue: Int32) {
      let current = watches
      var waited = ([queue] + current.map(\.descriptor)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      // Interrupted by a signal, whose handler makes a descriptor readable, it is called again.
      guard poll(&waited, nfds_t(waited.count), -1) > 0 else { return }
      for (watch, state) in zip(current, waited.dropFirst()) where state.revents != 0 {
        watch.action()
      }
      guard waited[0].revents != 0 else { return }
      var count: UInt64 = 0
      // Before the work is done, so that what is added meanwhile wakes it again.
      _ = read(queue, &count, MemoryLayout.size(ofValue: count))
      _dispatch_main_queue_callback_4CF(nil)
    }
  #endif
}
