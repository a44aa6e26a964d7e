internal import CLua
internal import CLuaTrampolines

/// What a suspended coroutine waits for.
struct WaitRequest {
  /// The coroutine that called the function; not always the task's own.
  let waiter: LuaStack

  /// Waits, and returns what pushes the results.
  let operation: () async throws -> PushResults
}

/// Pushes a function's results and returns how many there are.
@usableFromInline
typealias PushResults = (LuaStack) throws -> Int32

extension LuaStack {
  /// Asks the scheduler to suspend the running coroutine until an operation ends.
  ///
  /// - Returns: `CLUA_WAIT`, for the trampoline.
  /// - Throws: `cannot_wait` where Lua can't suspend, naming what is in the way.
  @usableFromInline
  func wait(
    in function: FunctionDescription, for operation: @escaping () async throws -> PushResults
  ) throws(LuaError) -> Int32 {
    let context = clua_get_context(pointer)
    guard context.pointee.task != nil, context.pointee.can_wait, lua_isyieldable(pointer) != 0
    else {
      throw LuaError(.cannotWait, "\(function.name) waits, and \(obstacle()) can't be suspended")
    }
    core.scheduler.request = WaitRequest(waiter: self, operation: operation)
    return Int32(CLUA_WAIT)
  }

  /// The function in the way of a suspension: the innermost caller written in C that isn't the running one.
  private func obstacle() -> String {
    var activation = lua_Debug()
    var level: Int32 = 1
    while lua_getstack(pointer, level, &activation) != 0 {
      lua_getinfo(pointer, "Sn", &activation)
      if let what = activation.what, String(cString: what) == "C",
        !clua_passes_waits(pointer, level)
      {
        return activation.name.map { "'\(String(cString: $0))', which called it," } ?? "its caller"
      }
      level += 1
    }
    return "its caller"
  }
}
