internal import CLua

/// The table through which Lua sees a module: empty, so that every access goes through its metatable.
enum ModuleTable {
  fileprivate static let mark = "__module"

  static func push(_ module: LuaModule, to stack: LuaStack) throws(LuaError) {
    try stack.reserve(12)
    lua_createtable(stack.pointer, 0, 0)
    module.members.pushModuleMetatable(to: stack)
    stack.push(module.name)
    lua_setfield(stack.pointer, -2, mark)
    lua_setmetatable(stack.pointer, -2)
  }
}

extension LuaStack {
  /// Whether the value at an index is a module's table.
  ///
  /// It is empty to whoever reads tables as they are, so it must not pass for a list or a record: a function that is
  /// called with a colon gets it.
  public func isModule(at index: Int32) -> Bool {
    guard luaL_getmetafield(pointer, index, ModuleTable.mark) != LUA_TNIL else { return false }
    pop(1)
    return true
  }
}
