import Dispatch
import Foundation
import Lua
import Synchronization

/// Ctrl-C: stops the Lua code that runs, or, when none does, what the command waits for.
@MainActor
final class InterruptSignal {
  // Safe: these are written before the handler is installed, and only read after.
  private nonisolated(unsafe) static var interrupter: LuaInterrupter?
  private nonisolated(unsafe) static var wakePipe: WakePipe?

  /// Whether Lua code was asked to stop and control hasn't come back yet.
  private nonisolated static let isStopping = Atomic<Bool>(false)

  private var whenIdle: (@MainActor () -> Void)?
  private let wakes: any DispatchSourceRead

  /// Handles SIGINT from now on.
  ///
  /// A process has one of these.
  init(stopping interrupter: LuaInterrupter) throws {
    let pipe = try WakePipe()
    Self.interrupter = interrupter
    Self.wakePipe = pipe
    wakes = DispatchSource.makeReadSource(fileDescriptor: pipe.readEnd, queue: .main)
    wakes.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        pipe.drain()
        self?.whenIdle?()
      }
    }
    wakes.activate()
    var action = sigaction()
    action.setHandler { InterruptSignal.handle($0) }
    // Without SA_RESTART: a script that waits in a system call, as io.read does, is to be stopped there.
    sigaction(SIGINT, &action, nil)
  }

  /// Lets Ctrl-C end the process again, as when it started.
  func uninstall() {
    signal(SIGINT, SIG_DFL)
  }

  /// Waits for an operation, and meanwhile does something else at Ctrl-C when no Lua code runs.
  func whileIdle<Result>(
    _ action: @escaping @MainActor () -> Void, await operation: () async throws -> Result
  ) async rethrows -> Result {
    let outer = whenIdle
    whenIdle = action
    Self.isStopping.store(false, ordering: .relaxed)
    defer { whenIdle = outer }
    return try await operation()
  }

  /// Async-signal-safe.
  private nonisolated static func handle(_ number: Int32) {
    switch interrupter?.interrupt() {
    case .stopping:
      // Code in a C function that never returns to Lua can't be stopped; asked twice, the process ends.
      if isStopping.exchange(true, ordering: .relaxed) {
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
      }
    case .idle, nil:
      wakePipe?.wake(UInt8(truncatingIfNeeded: number))
    }
  }
}
