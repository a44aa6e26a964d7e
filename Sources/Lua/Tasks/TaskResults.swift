internal import CLua

/// What the tasks of a group returned, by their keys: a table for Lua.
struct TaskResults: LuaPushable {
  let entries: [(key: LuaValue, value: LuaValue)]

  static var luaTypeName: String { "table" }

  func push(to stack: LuaStack) throws(LuaError) {
    try stack.reserve(4)
    lua_createtable(stack.pointer, 0, Int32(clamping: entries.count))
    for (key, value) in entries {
      try key.push(to: stack)
      try value.push(to: stack)
      lua_rawset(stack.pointer, -3)
    }
  }
}
