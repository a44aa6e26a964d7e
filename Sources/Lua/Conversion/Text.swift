internal import CLua

extension String: LuaReadable, LuaPushable {
  /// Reads a string of valid UTF-8.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> String {
    guard let bytes = stack.bytes(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw LuaTypeMismatch(expected: "a string of valid UTF-8", got: "other bytes")
    }
    return text
  }

  /// Pushes the text as UTF-8.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(self) }

  /// "string".
  public static var luaTypeName: String { "string" }
}

extension LuaString: LuaReadable, LuaPushable {
  /// Reads a string of any bytes.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch)
    -> LuaString
  {
    guard let bytes = stack.bytes(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return LuaString(bytes: Array(bytes))
  }

  /// Pushes the bytes.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(bytes: bytes) }

  /// "string".
  public static var luaTypeName: String { "string" }
}

extension Bool: LuaReadable, LuaPushable {
  /// Reads a boolean: nothing else is taken for one.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Bool {
    guard stack.type(at: index) == .boolean else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return lua_toboolean(stack.pointer, index) != 0
  }

  /// Pushes the boolean.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(self) }

  /// "boolean".
  public static var luaTypeName: String { "boolean" }
}
