internal import CLua

/// A type that signatures describe; both ``LuaReadable`` and ``LuaPushable`` are.
public protocol LuaTyped {
  /// The name in signatures and messages: "integer", "string?", "integer[]".
  static var luaTypeName: String { get }

  /// The type in signatures, for documentation, completion and editors; a type that only has a name doesn't give it.
  static var luaType: LuaValueType { get }
}

extension LuaTyped {
  /// The type with the name.
  public static var luaType: LuaValueType { .named(luaTypeName) }
}

/// A type whose values can be read from Lua, exactly: nothing is rounded or coerced.
public protocol LuaReadable: LuaTyped {
  /// Reads the value at an index, and leaves the stack as it was.
  ///
  /// The index may lie above the last value: an argument that wasn't given.
  ///
  /// - Throws: ``LuaTypeMismatch`` if it isn't of the type.
  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self
}

/// A type whose values can be pushed to Lua.
///
/// Its metatypes are part of the documentation of members, which can be passed between actors.
public protocol LuaPushable: LuaTyped, SendableMetatype {
  /// Pushes exactly one value.
  ///
  /// - Throws: ``LuaError`` if Lua can't hold the value exactly; then nothing was pushed.
  func push(to stack: LuaStack) throws(LuaError)

  /// Pushes the value as a result or argument, and returns the number of values: one, except for ``LuaVariadic``.
  func pushResults(to stack: LuaStack) throws(LuaError) -> Int32
}

extension LuaPushable {
  /// Pushes the value as one result.
  @inlinable
  public func pushResults(to stack: LuaStack) throws(LuaError) -> Int32 {
    try push(to: stack)
    return 1
  }
}

/// Any number of values: as the last parameter, all further arguments; as a result, all of a function's results; as
/// an argument of ``LuaFunction/call(_:)``, that many arguments.
public struct LuaVariadic: LuaReadable, LuaPushable {
  /// The values, in order.
  public let values: [LuaValue]

  /// Makes a list of values.
  public init(_ values: [LuaValue]) { self.values = values }

  /// "any...".
  public static var luaTypeName: String { luaType.name }

  /// Any number of values.
  public static var luaType: LuaValueType { .variadic }

  /// Reads the value at the index and all that follow.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    LuaVariadic(stack.values(above: index - 1))
  }

  /// Pushes the first value only, where just one has a place.
  public func push(to stack: LuaStack) throws(LuaError) {
    try (values.first ?? .nil).push(to: stack)
  }

  /// Pushes all values.
  public func pushResults(to stack: LuaStack) throws(LuaError) -> Int32 {
    // The results of a function that follow it need room too.
    try stack.reserve(Int32(clamping: values.count + Int(LUA_MINSTACK)))
    for value in values { try value.push(to: stack) }
    return Int32(values.count)
  }
}

/// A Lua value that isn't of the type that Swift expects.
public struct LuaTypeMismatch: Error, CustomStringConvertible {
  /// The expected type: "integer".
  public let expected: String

  /// A description of the value: "string", "no value", "1.5".
  public let got: String

  /// The part that is wrong, and the reason: "items[3].text: string expected, got number"; `nil` if the whole value is.
  private let detail: String?

  /// The field that a table shouldn't have; nil for any other problem.
  private var unknownField: UnknownField?
  /// The path to the table that shouldn't have it: "", or for example ".filter".
  private var path = ""

  /// Makes a mismatch of two descriptions.
  public init(expected: String, got: String) {
    self.init(expected: expected, got: got, detail: nil)
  }

  init(expected: String, got: String, detail: String?) {
    self.expected = expected
    self.got = got
    self.detail = detail
  }

  /// Makes a mismatch with the type of the value at an index.
  public init(expected: String, at index: Int32, of stack: LuaStack) {
    self.init(expected: expected, got: stack.typeName(at: index))
  }

  init(_ unknownField: UnknownField) {
    self.init(
      expected: "table", got: "an unknown field", detail: unknownField.error(of: "table").message)
    self.unknownField = unknownField
  }

  init(missing expected: String) {
    self.init(expected: expected, got: "no value", detail: "missing")
  }

  /// The mismatch of the table that has this one in a field.
  func inField(_ name: String, of type: String) -> LuaTypeMismatch {
    var mismatch = LuaTypeMismatch(expected: type, got: got, detail: "\(name): \(description)")
    mismatch.unknownField = unknownField
    mismatch.path = ".\(name)\(path)"
    return mismatch
  }

  func unknownFieldError(of owner: String) -> LuaError? { unknownField?.error(of: owner + path) }

  /// "integer expected, got string".
  public var description: String { detail ?? "\(expected) expected, got \(got)" }
}
