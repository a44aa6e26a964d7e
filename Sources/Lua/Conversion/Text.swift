internal import CLua

extension String: LuaReadable, LuaPushable {
  /// Reads a string of valid UTF-8.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> String {
    guard let bytes = stack.bytes(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    do {
      // String(validating:as:) looks up generic metadata at every call (Swift 6.3).
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      throw LuaTypeMismatch(expected: "a string of valid UTF-8", got: "other bytes")
    }
  }

  /// Pushes the text as UTF-8.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(self) }

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
