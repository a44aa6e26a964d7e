/// A Codable type whose values are arguments and results of Lua functions as they are.
///
/// ```swift
/// struct Point: LuaCodable { var x, y: Double }
/// module.function("mirror", "point", help: "Swaps x and y.", example: "mirror({x = 1, y = 2})") {
///   (point: Point) in Point(x: point.y, y: point.x)
/// }
/// ```
///
/// For a type that isn't yours there is ``LuaCoded``.
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

  /// "table"; the raw value's type for an enum of raw values.
  public static var luaTypeName: String { LuaCoded<Self>.luaTypeName }
}
