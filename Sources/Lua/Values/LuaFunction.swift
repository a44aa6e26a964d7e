internal import CLua

/// A Lua function, held from Swift.
public final class LuaFunction: LuaObject, LuaReadable {
  /// "function".
  public override class var luaTypeName: String { "function" }

  /// Reads a function.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch)
    -> LuaFunction
  {
    guard stack.type(at: index) == .function else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    lua_pushvalue(stack.pointer, index)
    return LuaFunction(popping: stack)
  }

  /// Calls the function and returns all its results.
  ///
  /// Functions that wait can't be called in it: they raise `cannot_wait`.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  @discardableResult
  public func call(_ arguments: any LuaPushable...) throws(LuaError) -> [LuaValue] {
    try call(with: arguments)
  }

  /// Calls the function with any number of arguments, as ``call(_:)`` does with those that are written out.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  @discardableResult
  public func call(with arguments: [any LuaPushable]) throws(LuaError) -> [LuaValue] {
    try withStack { stack throws(LuaError) in
      let bottom = stack.count
      try stack.reserve(Int32(clamping: arguments.count + 2))
      try push(to: stack)
      for argument in arguments { try argument.push(to: stack) }
      try stack.call(argumentCount: Int32(arguments.count), resultCount: LUA_MULTRET)
      return stack.values(above: bottom)
    }
  }
}
