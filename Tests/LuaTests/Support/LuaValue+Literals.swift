public import Lua

extension LuaValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A float.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// true or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A string of the literal's UTF-8 bytes.
  public init(stringLiteral value: String) { self = .string(LuaString(value)) }
}
