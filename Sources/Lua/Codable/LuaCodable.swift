/// A Codable type whose values can be arguments and results of Lua functions.
///
/// ```swift
/// struct Point: LuaCodable { var x, y: Double }
/// module.function("mirror", "point", help: "Swaps x and y.", example: "mirror({x = 1, y = 2})") {
///   (point: Point) in Point(x: point.y, y: point.x)
/// }
/// ```
///
/// For a type that isn't yours, use ``LuaCoded``. Lua gets a table, a copy of the value; for an object, conform to
/// ``LuaExposedValue`` instead: a type can't be both.
public protocol LuaCodable: Codable, LuaReadable, LuaPushable {}

extension LuaCodable {
  /// Decodes the value at an index, as ``LuaDecoder`` does.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    try LuaCoded<Self>.read(from: stack, at: index).value
  }

  /// Encodes the value, as ``LuaEncoder`` does.
  public func push(to stack: LuaStack) throws(LuaError) {
    try LuaEncoder().push(self, to: stack)
  }

  /// "table"; for an enum, what ``LuaCoded`` says.
  public static var luaTypeName: String { luaType.name }

  /// A table; for an enum, what ``LuaCoded`` says.
  public static var luaType: LuaValueType { LuaCoded<Self>.luaType }
}

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

  /// "table"; for an enum of raw values their type or, if it lists its cases, their names: "\"red\"|\"green\"".
  public static var luaTypeName: String { luaType.name }

  /// A table; for an enum of raw values their type or, if it lists its cases, their names.
  public static var luaType: LuaValueType {
    if let type = Value.self as? any (CaseIterable & RawRepresentable<String>).Type {
      return .oneOf(caseNames(of: type))
    }
    guard let type = Value.self as? any RawRepresentable.Type else { return LuaTable.luaType }
    return rawType(of: type)
  }

  private static func caseNames<Cases: CaseIterable & RawRepresentable<String>>(
    of type: Cases.Type
  ) -> [String] {
    type.allCases.map(\.rawValue)
  }

  private static func rawType<Raw: RawRepresentable>(of type: Raw.Type) -> LuaValueType {
    (Raw.RawValue.self as? any LuaTyped.Type)?.luaType ?? LuaTable.luaType
  }
}

extension LuaCoded: LuaTyped {}

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

/// The value that stands for "nothing" where Lua has no place for nil: inside a sequence.
///
/// Each state has one, a userdata that prints as "null", so scripts compare with `==`. Unlike nil it is true in
/// conditions. ``LuaEncoder`` writes it for a `nil` inside an array; ``LuaDecoder`` reads it as `nil` anywhere.
public final class LuaNull: LuaExposed, Sendable {
  /// The one value.
  public static let null = LuaNull()

  private init() {}

  /// "null".
  public static var luaTypeName: String { "null" }

  /// Adds what scripts see of it: its text.
  public static func describe(_ members: LuaClass<LuaNull>) {
    members.text { _ in luaTypeName }
    members.dynamicFields { _, name in
      throw LuaError(.unknownField, "null has no fields (field '\(name)')")
    }
  }
}
