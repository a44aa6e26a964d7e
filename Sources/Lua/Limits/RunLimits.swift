internal import CLuaTrampolines

/// How much the code that Swift starts may use up, with all tasks that it starts.
struct RunLimits {
  /// How many instructions of Lua's virtual machine it may execute; `nil` for any number.
  var instructions: Int?

  /// How long it may take, waits included; `nil` for any time.
  var time: Duration?

  var isEmpty: Bool { instructions == nil && time == nil }

  /// The error for code that was stopped; `nil` if it wasn't.
  func error(of stop: clua_stop) -> LuaError? {
    switch stop {
    case clua_stop_none:
      nil
    case clua_stop_instructions:
      LuaError(
        .instructionLimit,
        "stopped: it took more than its limit"
          + (instructions.map { " of \($0) instructions" } ?? ""))
    case clua_stop_time:
      LuaError(
        .timeLimit, "stopped: it took more than its limit" + (time.map { " of \($0)" } ?? ""))
    case clua_stop_memory:
      LuaError(.outOfMemory, "stopped: it took more than its limit of memory")
    default:
      LuaError(.interrupted, "interrupted")
    }
  }
}
