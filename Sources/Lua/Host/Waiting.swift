internal import CLua
internal import CLuaTrampolines

extension LuaStack {
  /// Starts an operation, and suspends the running coroutine until it ends, unless it ends at once.
  ///
  /// - Returns: The number of results, or `CLUA_WAIT`, for the trampoline.
  /// - Throws: `cannot_wait` where Lua can't suspend, naming what is in the way; the error of an operation that fails
  ///   at once.
  @usableFromInline
  func wait(
    in function: FunctionDescription, for operation: @escaping WaitingOperation
  ) throws -> Int32 {
    // Only a scheduler makes the tasks that can wait.
    guard clua_can_wait(pointer), let runner = core.taskRunner else {
      throw LuaError(.cannotWait, "\(function.name) waits, and \(obstacle()) can't be suspended")
    }
    return try runner.wait(on: self, in: function.name, for: operation)
  }

  /// The function that prevents a suspension: the innermost caller written in C that isn't the running one.
  private func obstacle() -> String {
    var activation = lua_Debug()
    var level: Int32 = 1
    while lua_getstack(pointer, level, &activation) != 0 {
      lua_getinfo(pointer, "S", &activation)
      if let what = activation.what, String(cString: what) == "C",
        !clua_passes_waits(pointer, level)
      {
        return functionName(at: level).map { "'\($0)', which called it," } ?? "its caller"
      }
      level += 1
    }
    let isMain = lua_pushthread(pointer) != 0
    pop(1)
    // In a coroutine the obstacle is below it, perhaps Swift itself, in another coroutine or none.
    return isMain ? "its caller" : "what resumed its coroutine"
  }

  /// The name of the function at a level as tracebacks have it, such as "table.sort"; nil if they have none.
  private func functionName(at level: Int32) -> String? {
    guard lua_checkstack(pointer, LUA_MINSTACK) != 0 else { return nil }
    luaL_traceback(pointer, pointer, nil, level)
    defer { pop(1) }
    // The first line is the title.
    let lines = String(escapingInvalid: textBytes(at: -1) ?? []).split(separator: "\n")
    return lines.dropFirst().first?.firstMatch(of: /'(.*)'/).map { String($0.1) }
  }
}
