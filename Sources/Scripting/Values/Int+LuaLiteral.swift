extension Int {
  /// The number as Lua text that is this integer: the digits of the least integer would be a float.
  public var luaLiteral: String { self == .min ? "math.mininteger" : String(self) }
}
