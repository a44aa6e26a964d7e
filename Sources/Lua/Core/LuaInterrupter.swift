internal import CLuaTrampolines

/// Stops the Lua code that runs in a state, from any thread or signal handler.
///
/// Without effect once the state is closed.
public final class LuaInterrupter: Sendable {
  /// What became of an interrupt.
  public enum Outcome: Sendable {
    /// No Lua code runs: the state is idle, or all its tasks wait.
    case idle
    /// The code stops.
    case stopping
  }

  // Safe: only clua_interrupt uses it, which any thread may call.
  nonisolated(unsafe) private let context: OpaquePointer

  init(context: OpaquePointer) {
    clua_handle_signal()
    clua_retain(context)
    self.context = context
  }

  deinit { clua_release_context(context) }

  /// Stops the running code at its next instruction, and again after whatever catches that, until control is back in
  /// Swift, where the error is `interrupted`.
  ///
  /// Async-signal-safe. Only the thread that runs the code may stop it, so another one sends it a signal, SIGURG. A
  /// function of the host, or of a C library, isn't stopped: the code stops when it returns. Nor are, while they run, a
  /// hook that a script sets by `debug.sethook` and a finalizer that it gives to files: Lua itself can't be stopped there.
  @discardableResult
  public func interrupt() -> Outcome { interrupt(for: clua_stop_interrupt) }

  /// Does the same, but where no Lua code runs, stops the code that runs next.
  ///
  /// For code that has just begun to wait and may go on before the host has stopped what it waits for: a loop that it then
  /// runs would keep the host from doing that. Async-signal-safe.
  ///
  /// - Returns: `.idle` where no code runs; then the host either stops what it waits for, or calls ``withdrawInterrupt()``.
  @discardableResult
  public func interruptNowOrNext() -> Outcome {
    clua_interrupt_now_or_next(context) ? .stopping : .idle
  }

  /// Takes back that the code that runs next is stopped.
  ///
  /// - Returns: Whether it was to be stopped, and hasn't run since.
  @discardableResult
  public func withdrawInterrupt() -> Bool { clua_withdraw_interrupt(context) }

  /// A stop that the running code hasn't obeyed yet.
  public struct PendingStop: Sendable {
    /// Why it is to stop.
    public let code: LuaError.Code
    /// For how long it has been asked to.
    public let duration: Duration
  }

  /// What the running code has been asked for and hasn't done yet; `nil` where there is nothing of that.
  ///
  /// It is there for long only while a function runs that can't be stopped: one of the host, or of a C library.
  public var pendingStop: PendingStop? {
    var duration: Int64 = 0
    switch clua_pending_stop(context, &duration) {
    case clua_stop_none: return nil
    case clua_stop_time: return PendingStop(code: .timeLimit, duration: .nanoseconds(duration))
    case clua_stop_instructions:
      return PendingStop(code: .instructionLimit, duration: .nanoseconds(duration))
    default: return PendingStop(code: .interrupted, duration: .nanoseconds(duration))
    }
  }

  /// Keeps the running code from ever coming back to Swift, unless a function of the host runs now.
  ///
  /// For a process that is about to end although code doesn't stop. Called on another thread, which from then on may use what
  /// belongs to the actor of the state, but for the state itself: that actor's thread doesn't go on.
  ///
  /// - Returns: Whether it does.
  public func abandon() -> Bool { clua_abandon(context) }

  func interrupt(for reason: clua_stop) -> Outcome {
    clua_interrupt(context, reason) ? .stopping : .idle
  }
}
