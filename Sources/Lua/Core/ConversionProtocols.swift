/// A type whose values can be read from Lua, exactly: nothing is rounded or coerced.
public protocol LuaReadable {
  /// Reads the value at an index, and leaves the stack as it was.
  ///
  /// - Parameters:
  ///   - stack: Where the value is.
  ///   - index: May lie above the last value: an argument that wasn't given.
  /// - Returns: The value.
  /// - Throws: ``LuaTypeMismatch`` if it isn't of the type.
  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self

  /// The type that scripts have to pass, for signatures and messages: "integer", "string?".
  static var luaTypeName: String { get }
}

/// A type whose values can be pushed to Lua.
///
/// Its metatypes are part of the documentation of members, which can be passed between actors.
public protocol LuaPushable: SendableMetatype {
  /// Pushes exactly one value.
  ///
  /// - Throws: ``LuaError`` if Lua can't hold the value exactly; then nothing was pushed.
  func push(to stack: LuaStack) throws(LuaError)

  /// Pushes the value as a result or argument, and returns the number of values: one, except for ``LuaVariadic``.
  func pushResults(to stack: LuaStack) throws(LuaError) -> Int32

  /// The type that scripts get, for signatures: "integer", "string?", "integer[]".
  static var luaTypeName: String { get }
}

extension LuaPushable {
  /// Pushes the value as one result.
  @inlinable
  public func pushResults(to stack: LuaStack) throws(LuaError) -> Int32 {
    try push(to: stack)
    return 1
  }
}

/// A Lua value that isn't of the type that Swift expects.
public struct LuaTypeMismatch: Error, CustomStringConvertible {
  /// What was expected: "integer".
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
