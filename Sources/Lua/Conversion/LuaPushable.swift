/// A type whose values can be given to Lua.
public protocol LuaPushable {
  /// Pushes exactly one value.
  ///
  /// - Throws: ``LuaError`` if Lua can't hold the value exactly; then nothing was pushed.
  func push(to stack: LuaStack) throws(LuaError)

  /// Pushes the value as a function's result or argument, and returns how many values that were: one, but for ``LuaVariadic``.
  func pushResults(to stack: LuaStack) throws(LuaError) -> Int32

  /// The type that scripts get, for signatures: "integer", "string?", "integer[]".
  static var luaTypeName: String { get }
}

extension LuaPushable {
  /// Pushes the value as one result.
  @inlinable
  public func pushResults(to stack: LuaStack) throws(LuaError) -> Int32 {
    try push(to: stack)
    return 1
  }
}
