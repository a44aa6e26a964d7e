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
      lua_getinfo(pointer, "Sn", &activation)
      if let what = activation.what, String(cString: what) == "C",
        !clua_passes_waits(pointer, level)
      {
        let name = libraryName(of: &activation) ?? activation.name.map { String(cString: $0) }
        return name.map { "'\($0)', which called it," } ?? "its caller"
      }
      level += 1
    }
    let isMain = lua_pushthread(pointer) != 0
    pop(1)
    // In a coroutine the obstacle is below it, perhaps Swift itself, in another coroutine or none.
    return isMain ? "its caller" : "what resumed its coroutine"
  }

  /// The name of a running function as a field of a loaded module, such as "table.sort".
  ///
  /// Lua itself doesn't know the name of a function that pcall calls.
  private func libraryName(of activation: inout lua_Debug) -> String? {
    let bottom = count
    defer { lua_settop(pointer, bottom) }
    lua_getinfo(pointer, "f", &activation)
    guard lua_checkstack(pointer, 8) != 0,
      lua_getfield(pointer, clua_registry_index, LUA_LOADED_TABLE) == LUA_TTABLE
    else { return nil }
    let loaded = count
    pushNil()
    while lua_next(pointer, loaded) != 0 {
      if let module = bytes(at: -2).map({ String(escapingInvalid: $0) }),
        type(at: -1) == .table, let field = field(of: bottom + 1, in: count)
      {
        return module == LUA_GNAME ? field : "\(module).\(field)"
      }
      lua_settop(pointer, loaded + 1)
    }
    return nil
  }

  private func field(of value: Int32, in table: Int32) -> String? {
    pushNil()
    while lua_next(pointer, table) != 0 {
      if lua_rawequal(pointer, -1, value) != 0, let name = bytes(at: -2) {
        return String(escapingInvalid: name)
      }
      pop(1)
    }
    return nil
  }
}
