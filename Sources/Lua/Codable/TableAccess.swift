internal import CLua
internal import CLuaTrampolines

/// How a container reads the entries of its table or userdata.
enum TableAccess {
  /// Directly from the table, without metamethods.
  case raw
  /// As Lua code reads them: metamethods run, in protected calls.
  case metamethods
}

extension LuaStack {
  /// How to read the value at an index; `nil` if it has no entries.
  func tableAccess(at index: Int32) -> TableAccess? {
    let type = lua_type(pointer, index)
    guard type == LUA_TTABLE || type == LUA_TUSERDATA else { return nil }
    guard lua_getmetatable(pointer, index) != 0 else { return type == LUA_TTABLE ? .raw : nil }
    pop(1)
    // A module is a record by its __index, a live collection a sequence by its __len.
    if hasMetafield("__index", at: index) { return .metamethods }
    guard type == LUA_TTABLE else { return nil }
    return hasMetafield("__len", at: index) || hasMetafield("__pairs", at: index)
      ? .metamethods : .raw
  }

  /// Calls the body with each key on top of the stack, which it must leave there.
  func forEachKey(
    of object: Int32, _ access: TableAccess, _ body: (Int32) throws -> Void
  ) throws {
    let top = count
    defer { lua_settop(pointer, top) }
    guard access == .metamethods, luaL_getmetafield(pointer, object, "__pairs") != LUA_TNIL else {
      // Without __pairs, the keys of a userdata can't be found.
      guard type(at: object) == .table else { return }
      pushNil()
      while lua_next(pointer, object) != 0 {
        pop(1)
        try body(count)
      }
      return
    }
    lua_pushvalue(pointer, object)
    try call(argumentCount: 1, resultCount: 3)
    // The iterator, its state and the control variable, as in the generic for.
    while true {
      lua_pushvalue(pointer, top + 1)
      lua_pushvalue(pointer, top + 2)
      lua_pushvalue(pointer, top + 3)
      try call(argumentCount: 2, resultCount: 1)
      guard !isNoneOrNil(at: -1) else { return }
      lua_copy(pointer, -1, top + 3)
      try body(count)
      pop(1)
    }
  }
}
