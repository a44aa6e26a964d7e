/// A type whose values can be read from Lua, exactly: nothing is rounded or coerced.
public protocol LuaReadable {
  /// Reads the value at an index, and leaves the stack as it was.
  ///
  /// - Parameters:
  ///   - stack: where the value is.
  ///   - index: may lie above the last value: an argument that wasn't given.
  /// - Returns: the value.
  /// - Throws: ``LuaTypeMismatch`` if it isn't of the type.
  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self

  /// The type that scripts have to give, for signatures and messages: "integer", "string?".
  static var luaTypeName: String { get }
}
