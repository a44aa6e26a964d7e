internal import CLua
internal import CLuaTrampolines

/// A Lua table, held from Swift.
public final class LuaTable: LuaReference, LuaReadable {
  /// "table".
  public override class var luaTypeName: String { "table" }

  /// Reads a table.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> LuaTable
  {
    guard stack.type(at: index) == .table else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return LuaTable(at: index, of: stack)
  }

  /// The value of a key, as `table[key]` in Lua: metamethods run.
  ///
  /// - Throws: What a metamethod raised, or `wrong_type` if the value isn't of that type.
  public func get<Value: LuaReadable>(_ key: some LuaPushable, as type: Value.Type = Value.self)
    throws(LuaError) -> Value
  {
    try get(type, called: "field") { stack throws(LuaError) in try key.push(to: stack) }
  }

  /// The value of a key, which messages call a field or a global.
  func get<Value: LuaReadable>(
    _ type: Value.Type, called noun: String, pushingKey push: (LuaStack) throws(LuaError) -> Void
  ) throws(LuaError) -> Value {
    try withStack { stack throws(LuaError) in
      lua_pushcclosure(stack.pointer, clua_protected_get, 0)
      try self.push(to: stack)
      try push(stack)
      try stack.call(argumentCount: 2, resultCount: 1)
      do {
        return try Value.read(from: stack, at: stack.count)
      } catch {
        try push(stack)
        throw LuaError(.wrongType, "\(noun) \(stack.keyText(at: -1)): \(error)")
      }
    }
  }

  /// Sets the value of a key, as `table[key] = value` in Lua: metamethods run.
  ///
  /// - Throws: What a metamethod raised, and `runtime_error` for a key that is nil or NaN.
  public func set(_ key: some LuaPushable, to value: some LuaPushable) throws(LuaError) {
    try set(value) { stack throws(LuaError) in try key.push(to: stack) }
  }

  func set(_ value: some LuaPushable, pushingKey push: (LuaStack) throws(LuaError) -> Void)
    throws(LuaError)
  {
    try withStack { stack throws(LuaError) in
      lua_pushcclosure(stack.pointer, clua_protected_set, 0)
      try self.push(to: stack)
      try push(stack)
      try value.push(to: stack)
      try stack.call(argumentCount: 3, resultCount: 0)
    }
  }

  /// The length, as `#table` in Lua: metamethods run.
  public func length() throws(LuaError) -> Int {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      return try stack.protectedLength(at: stack.count)
    }
  }

  /// All keys with their values, as Lua's `next` returns them: no metamethods run, and the order is Lua's own.
  ///
  /// - Throws: What ``LuaStack/checkStop()`` does.
  /// - Complexity: O(n), with every entry read at once.
  public func entries() throws(LuaError) -> [(key: LuaValue, value: LuaValue)] {
    try entries(atMost: .max).entries
  }
}
