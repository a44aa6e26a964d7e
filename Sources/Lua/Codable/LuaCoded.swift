/// Any Encodable or Decodable value as a result or argument of a Lua function.
///
/// ```swift
/// module.function("ages", help: "Ages by name.", example: "ages().ann") { () in
///   LuaCoded(["ann": 31, "bob": 27])
/// }
/// ```
public struct LuaCoded<Value> {
  /// The value.
  public let value: Value

  /// Wraps a value.
  public init(_ value: Value) { self.value = value }

  /// "table"; the raw value's type for an enum of raw values.
  public static var luaTypeName: String {
    guard let type = Value.self as? any RawRepresentable.Type else { return "table" }
    return rawTypeName(of: type)
  }

  private static func rawTypeName<Raw: RawRepresentable>(of type: Raw.Type) -> String {
    (Raw.RawValue.self as? any LuaReadable.Type)?.luaTypeName ?? "table"
  }
}

extension LuaCoded: LuaReadable where Value: Decodable {
  /// Decodes the value at an index, as ``LuaDecoder`` does.
  ///
  /// - Throws: ``LuaTypeMismatch``, whose description names the path of what is wrong.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    do {
      return LuaCoded(try LuaDecoder().decode(Value.self, from: stack, at: index))
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: error.message, detail: error.message)
    }
  }
}

extension LuaCoded: LuaPushable where Value: Encodable {
  /// Encodes the value, as ``LuaEncoder`` does.
  public func push(to stack: LuaStack) throws(LuaError) {
    try LuaEncoder().push(value, to: stack)
  }
}
