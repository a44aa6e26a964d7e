internal import CLua
internal import CLuaTrampolines

/// The tables through which Lua finds the members.
extension MemberTable {
  /// Pushes the metatable of a class's objects.
  func pushClassMetatable(to stack: LuaStack) {
    lua_createtable(stack.pointer, 0, 8)
    setMetamethods(in: stack)
    let hasProperties = contents.contains { if case .property = $0.content { true } else { false } }
    if hasProperties || hasReaders {
      pushReader(to: stack, withFunctions: true)
    } else {
      pushFunctions(to: stack)
    }
    lua_setfield(stack.pointer, -2, "__index")
    setNewIndex(in: stack)
    lua_pushcclosure(stack.pointer, clua_collect, 0)
    lua_setfield(stack.pointer, -2, "__gc")
  }

  /// Pushes the metatable of a module's table.
  func pushModuleMetatable(to stack: LuaStack) {
    lua_createtable(stack.pointer, 0, 8)
    setMetamethods(in: stack)
    if metamethods["__pairs"] == nil { setFunction(allMembers, "__pairs", in: stack) }
    pushFunctions(to: stack)
    lua_setfield(stack.pointer, -2, "__index")
    setNewIndex(in: stack)
  }

  /// Sets all but those for the members, in the metatable on top.
  private func setMetamethods(in stack: LuaStack) {
    for (name, function) in metamethods { setFunction(function, name, in: stack) }
    for (name, definition) in operators {
      setFunction(operatorFunction(definition, instead: metamethods[name]), name, in: stack)
    }
    stack.push(false)
    lua_setfield(stack.pointer, -2, "__metatable")
    stack.push(owner)
    lua_setfield(stack.pointer, -2, "__name")
  }

  /// Pushes an `__index` for what doesn't need the object: the interpreter itself finds functions in a plain table, and
  /// only properties and misses get further, with that table in place of the object.
  private func pushFunctions(to stack: LuaStack) {
    lua_createtable(stack.pointer, 0, 8)
    setFunctions(in: stack)
    lua_createtable(stack.pointer, 0, 1)
    pushReader(to: stack, withFunctions: false)
    lua_setfield(stack.pointer, -2, "__index")
    lua_setmetatable(stack.pointer, -2)
  }

  /// Pushes an `__index` that is given the object.
  private func pushReader(to stack: LuaStack, withFunctions: Bool) {
    lua_createtable(stack.pointer, 0, 8)
    if withFunctions { setFunctions(in: stack) }
    for case (let name, .property(let getter, _)) in contents { setBox(getter, name, in: stack) }
    readFallback.pushBox(to: stack)
    lua_pushcclosure(stack.pointer, clua_index, 2)
  }

  /// Sets `__newindex` in the metatable on top.
  private func setNewIndex(in stack: LuaStack) {
    lua_createtable(stack.pointer, 0, 8)
    for case (let name, .property(_, let setter?)) in contents { setBox(setter, name, in: stack) }
    writeFallback.pushBox(to: stack)
    lua_pushcclosure(stack.pointer, clua_newindex, 2)
    lua_setfield(stack.pointer, -2, "__newindex")
  }

  /// `pairs(module)`: every member's name with its value now.
  private var allMembers: HostFunction {
    HostFunction { [contents] stack in
      // Not the global `next`: a script may have replaced it, and reading it may run a metamethod.
      lua_pushcclosure(stack.pointer, clua_next, 0)
      lua_createtable(stack.pointer, 0, Int32(clamping: contents.count))
      let values = stack.count
      if luaL_getmetafield(stack.pointer, 1, "__index") == LUA_TTABLE {
        for case (let name, .function) in contents {
          stack.push(name)
          lua_pushvalue(stack.pointer, -1)
          lua_rawget(stack.pointer, values + 1)
          lua_rawset(stack.pointer, values)
        }
      }
      lua_settop(stack.pointer, values)
      for case (let name, .property(let getter, _)) in contents {
        _ = try getter.call(stack)
        lua_setfield(stack.pointer, values, name)
      }
      return 2
    }
  }

  private func setFunctions(in stack: LuaStack) {
    for case (let name, .function(let function)) in contents {
      setFunction(function, name, in: stack)
    }
  }

  private func setFunction(_ function: HostFunction, _ name: String, in stack: LuaStack) {
    function.pushFunction(to: stack)
    lua_setfield(stack.pointer, -2, name)
  }

  private func setBox(_ function: HostFunction, _ name: String, in stack: LuaStack) {
    function.pushBox(to: stack)
    lua_setfield(stack.pointer, -2, name)
  }
}
