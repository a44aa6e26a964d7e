internal import CLua

/// Turns Encodable values into Lua values.
///
/// Structs and string-keyed dictionaries become tables with string keys, dictionaries keyed by integers keep integer
/// keys, and arrays become sequences. `[UInt8]` and `Data` become strings of their bytes, `URL` the string of its
/// text; every other type becomes what its own `encode(to:)` asks for. A `nil` in a keyed container is an absent
/// field, in an array ``LuaNull``.
///
/// ```swift
/// let value = try LuaEncoder().encode(["ann": 31], in: state)
/// ```
public struct LuaEncoder {
  /// What the values' `encode(to:)` find as `encoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: Any]

  /// Makes an encoder.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) { self.userInfo = userInfo }

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - value: what to encode.
  ///   - state: where the tables are made.
  /// - Returns: the Lua value; nil for a value that encodes as nil or not at all.
  /// - Throws: ``LuaError``: `number_out_of_range` for an integer that Lua can't hold, `coding_failed` for a cycle of
  ///   objects, values nested more than 128 deep, and what a value's `encode(to:)` throws; the message names the path.
  public func encode(_ value: some Encodable, in state: LuaState) throws(LuaError) -> LuaValue {
    let stack = try state.core.currentStack()
    try push(value, to: stack)
    defer { stack.pop(1) }
    return stack.value(at: -1)
  }

  /// Encodes a value onto a stack: exactly one value is pushed.
  ///
  /// - Throws: as ``encode(_:in:)``; then nothing was pushed.
  public func push<Value: Encodable>(_ value: Value, to stack: LuaStack) throws(LuaError) {
    let bottom = stack.count
    let writer = TableWriter(stack, userInfo: userInfo)
    do {
      try writer.pushRoot(value)
    } catch {
      lua_settop(stack.pointer, bottom)
      throw LuaError(coding: error)
    }
  }
}
