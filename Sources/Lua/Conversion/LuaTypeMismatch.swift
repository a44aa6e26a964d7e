/// A Lua value that isn't what Swift asked for.
public struct LuaTypeMismatch: Error, CustomStringConvertible {
  /// What was asked for: "integer".
  public let expected: String

  /// What was there: "string", "no value", "1.5".
  public let got: String

  /// Which part is wrong, and how: "items[3].text: string expected, got number"; `nil` if all is.
  private let detail: String?

  /// Makes a mismatch of two descriptions.
  public init(expected: String, got: String) {
    self.init(expected: expected, got: got, detail: nil)
  }

  /// Makes a mismatch of a part of a value.
  init(expected: String, got: String, detail: String?) {
    self.expected = expected
    self.got = got
    self.detail = detail
  }

  /// Makes a mismatch with the type of the value at an index.
  public init(expected: String, at index: Int32, of stack: LuaStack) {
    self.init(expected: expected, got: stack.typeName(at: index))
  }

  /// "integer expected, got string".
  public var description: String { detail ?? "\(expected) expected, got \(got)" }
}
