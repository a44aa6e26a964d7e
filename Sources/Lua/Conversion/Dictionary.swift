internal import CLua

extension Dictionary: LuaReadable where Key == String, Value: LuaReadable {
  /// Reads a table all of whose keys are strings of valid UTF-8.
  ///
  /// Complexity: O(n).
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .table, lua_checkstack(stack.pointer, 4) != 0,
      !stack.isModule(at: index)
    else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let table = lua_absindex(stack.pointer, index)
    var entries: Self = [:]
    // All keys first: reading a value may run a metamethod that changes the table.
    for key in try names(of: table, stack) {
      stack.push(key)
      lua_rawget(stack.pointer, table)
      defer { stack.pop(1) }
      do {
        entries[key] = try Value.read(from: stack, at: stack.count)
      } catch {
        throw LuaTypeMismatch(
          expected: luaTypeName, got: "\(error.got) for the key '\(key.shortened)'")
      }
    }
    return entries
  }

  private static func names(of table: Int32, _ stack: LuaStack) throws(LuaTypeMismatch) -> [String]
  {
    var names: [String] = []
    stack.pushNil()
    while lua_next(stack.pointer, table) != 0 {
      stack.pop(1)
      guard let name = stack.value(at: -1, as: String.self) else {
        let key = stack.keyText(at: -1)
        stack.pop(1)
        throw LuaTypeMismatch(expected: luaTypeName, got: "a table with the key \(key)")
      }
      names.append(name)
    }
    return names
  }

  /// "table<string, integer>", for integers.
  public static var luaTypeName: String { "table<string, \(Value.luaTypeName)>" }
}

extension Dictionary: LuaPushable where Key == String, Value: LuaPushable {
  /// Pushes a new table with the entries.
  public func push(to stack: LuaStack) throws(LuaError) {
    try LuaRecord(map { (name: $0.key, value: $0.value) }).push(to: stack)
  }

  /// "table<string, integer>", for integers.
  public static var luaTypeName: String { "table<string, \(Value.luaTypeName)>" }
}
