internal import CLuaTrampolines
internal import Foundation

/// Stops the Lua code that runs in a state.
///
/// Valid until the state is closed.
public struct LuaInterrupter: Sendable {
  // Safe: clua_interrupt reads which coroutine runs, and sets its hook on the thread that runs it only, as Lua allows
  // in a signal handler.
  nonisolated(unsafe) private let context: UnsafeMutablePointer<clua_context>

  init(context: UnsafeMutablePointer<clua_context>) { self.context = context }

  /// Stops the running code at its next instruction, and again after whatever catches that, until control is back in
  /// Swift, where the error is `interrupted`.
  ///
  /// Async-signal-safe. Called in a function that Lua calls, or in the handler of a signal on any thread: from another
  /// thread than the one that runs the state, it sends that one the signal.
  ///
  /// - Parameter signal: the signal whose handler calls this; `nil` for SIGINT.
  /// - Returns: false if no Lua code runs: the state is idle, or all its tasks wait.
  @discardableResult
  public func interrupt(signal: Int32? = nil) -> Bool { clua_interrupt(context, signal ?? SIGINT) }
}
