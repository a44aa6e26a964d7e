internal import CLua

/// The table through which Lua sees a module: empty, so that every access goes through its metatable.
enum ModuleTable {
  private static let mark = "__module"

  static func push(_ module: LuaModule, to stack: LuaStack) throws(LuaError) {
    try stack.reserve(12)
    lua_createtable(stack.pointer, 0, 0)
    module.members.pushModuleMetatable(to: stack)
    stack.push(module.name)
    lua_setfield(stack.pointer, -2, mark)
    lua_setmetatable(stack.pointer, -2)
  }

  static func isModule(at index: Int32, of stack: LuaStack) -> Bool {
    guard luaL_getmetafield(stack.pointer, index, mark) != LUA_TNIL else { return false }
    stack.pop(1)
    return true
  }
}
