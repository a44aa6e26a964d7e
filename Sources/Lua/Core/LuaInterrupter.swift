internal import CLuaTrampolines

/// Stops the Lua code that runs in a state, from any thread or signal handler.
///
/// Without effect once the state is closed.
public final class LuaInterrupter: Sendable {
  /// The result of an interrupt.
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
  /// function of the host, or of a C library, isn't stopped: the code stops when it returns. A hook that a script
  /// sets by `debug.sethook`, and a finalizer that it sets for files, aren't stopped while they run either: Lua
  /// itself can't be stopped there.
  @discardableResult
  public func interrupt() -> Outcome { interrupt(for: clua_stop_interrupt) }

  /// Stops the running code, or, if none runs, the code that runs next.
  ///
  /// For code that has just begun to wait and may continue before the host has stopped what it waits for: a loop
  /// would then keep the host from doing so. Async-signal-safe.
  ///
  /// - Returns: `.idle` if no code runs; then the host either stops what it waits for, or calls
  ///   ``withdrawInterrupt()``.
  @discardableResult
  public func interruptNowOrNext() -> Outcome {
    clua_interrupt_now_or_next(context) ? .stopping : .idle
  }

  /// Withdraws the stop of the code that runs next.
  ///
  /// - Returns: Whether it was to be stopped, and hasn't run since.
  @discardableResult
  public func withdrawInterrupt() -> Bool { clua_withdraw_interrupt(context) }

  /// A stop that the running code hasn't obeyed yet.
  public struct PendingStop: Sendable {
    /// The code of the error that it will raise.
    public let code: LuaError.Code
    /// The time since the code was asked to stop.
    public let duration: Duration
  }

  /// The stop that the running code hasn't obeyed yet; `nil` if there is none.
  ///
  /// A stop stays pending for long only while a function that can't be stopped runs: the host's, or a C library's.
  public var pendingStop: PendingStop? {
    var duration: Int64 = 0
    let code: LuaError.Code
    switch clua_pending_stop(context, &duration) {
    case clua_stop_none: return nil
    case clua_stop_time: code = .timeLimit
    case clua_stop_instructions: code = .instructionLimit
    default: code = .interrupted
    }
    return PendingStop(code: code, duration: .nanoseconds(duration))
  }

  /// Keeps the running code from ever coming back to Swift, unless a function of the host runs now.
  ///
  /// For a process that is about to end although code doesn't stop. Called on another thread, which may then use what
  /// belongs to the actor of the state, except the state itself: that actor's thread doesn't continue.
  ///
  /// - Returns: Whether it does.
  public func abandon() -> Bool { clua_abandon(context) }

  func interrupt(for reason: clua_stop) -> Outcome {
    clua_interrupt(context, reason) ? .stopping : .idle
  }
}
