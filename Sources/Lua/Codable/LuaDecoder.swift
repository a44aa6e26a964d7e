internal import CLua

/// Turns Lua values into Decodable values, exactly: nothing is rounded or coerced.
///
/// It reads what ``LuaEncoder`` writes. An array needs a sequence: a table whose keys are 1 to n, without holes or
/// other keys. A struct ignores keys that it doesn't know. nil, an absent field and ``LuaNull`` are all `nil`. `Float`
/// takes the nearest value of a fraction, because decimal fractions have no exact one.
///
/// Tables are read as they are, unless they have a metatable with `__index`, `__len` or `__pairs`: those, and
/// userdata, are read as Lua code reads them, so modules are records and live collections are sequences. Their
/// metamethods run protected; what they raise is thrown as it is.
public struct LuaDecoder {
  /// What the types' `init(from:)` find as `decoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: Any]

  /// Makes a decoder.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) { self.userInfo = userInfo }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: what to decode.
  ///   - value: the Lua value.
  ///   - state: the state that the value belongs to.
  /// - Returns: the decoded value.
  /// - Throws: ``LuaError``: `wrong_type` for a missing field or a value that isn't of the type, `coding_failed` for a
  ///   cycle, tables nested more than 128 deep, and what a type's `init(from:)` throws; the message names the path.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from value: LuaValue, in state: LuaState
  ) throws(LuaError) -> Value {
    let stack = try state.core.currentStack()
    try stack.reserve(2)
    try value.push(to: stack)
    defer { stack.pop(1) }
    return try decode(type, from: stack, at: -1)
  }

  /// Decodes the value at an index of a stack, and leaves the stack as it was.
  ///
  /// - Throws: as ``decode(_:from:in:)``.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from stack: LuaStack, at index: Int32
  ) throws(LuaError) -> Value {
    let top = stack.count
    defer { lua_settop(stack.pointer, top) }
    let reader = TableReader(stack, userInfo: userInfo)
    do {
      return try reader.readRoot(type, at: index)
    } catch {
      throw LuaError(coding: error)
    }
  }
}
