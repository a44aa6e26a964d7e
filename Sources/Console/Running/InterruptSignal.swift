import Foundation
import Lua
import Synchronization

/// Ctrl-C: stops the Lua code that runs, or, when none does, what the command waits for.
@MainActor
final class InterruptSignal {
  // Safe: these are written before the handler is installed, and only read after.
  private nonisolated(unsafe) static var interrupter: LuaInterrupter?
  private nonisolated(unsafe) static var wakePipe: WakePipe?
  private nonisolated(unsafe) static var lastResort: LastResort?

  /// Whether Lua code was asked to stop and control hasn't come back yet.
  private nonisolated static let isStopping = Atomic<Bool>(false)

  /// Whether the code that waits is to stop as soon as it goes on, which may be before the main actor gets to stop it.
  private nonisolated static let stopsNext = Atomic<Bool>(false)

  private var whenIdle: (@MainActor () -> Void)?

  /// Handles SIGINT from now on.
  ///
  /// A process has one of these.
  ///
  /// - Parameters:
  ///   - interrupter: Stops the Lua code that runs.
  ///   - lastResort: Ends the process if that doesn't help.
  /// - Throws: `LineEditorError` where there is no pipe to be had.
  init(stopping interrupter: LuaInterrupter, lastResort: LastResort) throws {
    let pipe = try WakePipe()
    Self.interrupter = interrupter
    Self.wakePipe = pipe
    Self.lastResort = lastResort
    MainLoop.watch(pipe.readEnd) { [weak self] in
      pipe.drain()
      interrupter.withdrawInterrupt()
      self?.whenIdle?()
    }
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

  /// Waits for Lua code, and does something at Ctrl-C when the code waits, too; it is stopped then as soon as it goes on.
  func whileCodeRuns<Result>(
    _ action: @escaping @MainActor () -> Void, await operation: () async throws -> Result
  ) async rethrows -> Result {
    let outer = Self.stopsNext.exchange(true, ordering: .relaxed)
    defer {
      Self.stopsNext.store(outer, ordering: .relaxed)
      // A Ctrl-C that has stopped the code isn't for what comes after it.
      if Self.interrupter?.withdrawInterrupt() == false { Self.wakePipe?.drain() }
    }
    return try await whileIdle(action, await: operation)
  }

  /// Async-signal-safe.
  private nonisolated static func handle(_ number: Int32) {
    let stopsNext = stopsNext.load(ordering: .relaxed)
    switch stopsNext ? interrupter?.interruptNowOrNext() : interrupter?.interrupt() {
    case .stopping:
      if lastResort?.noteInterrupt() == true { return }
      // Nobody looks whether the code stops; asked twice, the process ends.
      if isStopping.exchange(true, ordering: .relaxed) {
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
      }
    case .idle, nil:
      wakePipe?.wake(UInt8(truncatingIfNeeded: number))
    }
  }
}
