internal import CLuaTrampolines

/// Stops the Lua code that runs in a state.
///
/// Valid until the state is closed.
public struct LuaInterrupter: Sendable {
  /// What became of an interrupt.
  public enum Outcome: Sendable {
    /// No Lua code runs: the state is idle, or all its tasks wait.
    case idle
    /// The code runs on another thread, which was sent the signal.
    case forwarded
    /// The code stops.
    case stopping
  }

  // Safe: clua_interrupt reads which coroutine runs, and sets its hook on the thread that runs it only, as Lua allows
  // in a signal handler.
  nonisolated(unsafe) private let context: UnsafeMutablePointer<clua_context>

  init(context: UnsafeMutablePointer<clua_context>) { self.context = context }

  /// Stops the running code at its next instruction, and again after whatever catches that, until control is back in
  /// Swift, where the error is `interrupted`.
  ///
  /// Async-signal-safe. Called by a function that Lua calls, or in the signal's handler on any thread: from another
  /// thread than the one that runs the state, it sends that one the signal.
  @discardableResult
  public func interrupt() -> Outcome {
    switch clua_interrupt(context) {
    case clua_interrupt_stopping: .stopping
    case clua_interrupt_forwarded: .forwarded
    default: .idle
    }
  }
}
