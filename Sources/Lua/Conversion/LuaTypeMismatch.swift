/// A Lua value that isn't what Swift asked for.
public struct LuaTypeMismatch: Error, CustomStringConvertible {
  /// What was asked for: "integer".
  public let expected: String

  /// What was there: "string", "no value", "1.5".
  public let got: String

  /// Makes a mismatch of two descriptions.
  public init(expected: String, got: String) {
    self.expected = expected
    self.got = got
  }

  /// Makes a mismatch with the type of the value at an index.
  public init(expected: String, at index: Int32, of stack: LuaStack) {
    self.init(expected: expected, got: stack.typeName(at: index))
  }

  /// "integer expected, got string".
  public var description: String { "\(expected) expected, got \(got)" }
}
