internal import CLua
internal import PrimereplFoundation

/// Any Lua value.
///
/// ```swift
/// let results = try state.load("return 7, 'seven'").call()
/// let number = try results[0].as(Int.self)
/// ```
///
/// Literals make values: `[1, 2.5, true, "text", nil]`. An integer and a float are different values, even if Lua takes
/// them for equal.
public enum LuaValue: Hashable {
  /// nil.
  case `nil`
  /// true or false.
  case boolean(Bool)
  /// An integer.
  case integer(Int64)
  /// A float.
  case number(Double)
  /// A string of bytes.
  case string(LuaString)
  /// A table.
  case table(LuaTable)
  /// A function.
  case function(LuaFunction)
  /// A userdata: an object of the host or of a C library.
  case userdata(LuaUserdata)
  /// A coroutine.
  case coroutine(LuaCoroutine)
}

extension LuaValue {
  /// The value as a type of Swift: a number, a text, an array, the object of an exposed class, a Codable type.
  ///
  /// Nothing is converted that isn't exact: `1.5` isn't an `Int`, and `"5"` isn't a number.
  ///
  /// - Throws: ``LuaError`` (`wrong_type`) if it isn't of the type.
  public func `as`<Value: LuaReadable>(_ type: Value.Type) throws(LuaError) -> Value {
    switch self {
    case .table(let reference as LuaReference), .function(let reference as LuaReference),
      .userdata(let reference as LuaReference), .coroutine(let reference as LuaReference):
      return try reference.as(type)
    case .nil, .boolean, .integer, .number, .string:
      if let value: Value = plainValue() { return value }
      // Types read values from a stack; such a value belongs to no state, so any will do.
      return try LuaState(libraries: []).read(self, as: type)
    }
  }

  /// The value as one of the types that need no conversion; `nil` for other types.
  private func plainValue<Value>() -> Value? {
    switch self {
    case .boolean(let value): value as? Value
    case .integer(let value): Int(exactly: value) as? Value ?? value as? Value
    case .number(let value): value as? Value
    case .string(let value): value as? Value ?? value.text.flatMap { $0 as? Value }
    case .nil: (Value.self as? any MissingValue.Type)?.none as? Value
    default: nil
    }
  }
}

/// A type of values that may be missing: any `Optional`.
protocol MissingValue {
  static var none: Self { get }
}

extension Optional: MissingValue {}

extension LuaValue: CustomStringConvertible {
  /// The text, as by Lua's `tostring`, for nil, booleans, numbers and strings; the type's name for others.
  public var description: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): value.luaText
    case .string(let value): value.description
    case .nil: LuaType.nil.name
    case .table: LuaTable.luaTypeName
    case .function: LuaFunction.luaTypeName
    case .userdata: LuaUserdata.luaTypeName
    case .coroutine: LuaCoroutine.luaTypeName
    }
  }
}

extension Double {
  /// The number with 14 digits, as Lua writes it: "0.1", "1.0", "1e+20", "inf".
  fileprivate var luaText: String {
    let text = formatted("%.14g")
    let looksLikeInteger = text.utf8.allSatisfy {
      $0 == UInt8(ascii: "-") || (48...57).contains($0)
    }
    return looksLikeInteger ? text + ".0" : text
  }
}

extension LuaValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation
{
  /// nil.
  public init(nilLiteral: ()) { self = .nil }

  /// true or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// A float.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// A string of the text's UTF-8 bytes.
  public init(stringLiteral text: String) { self = .string(LuaString(text)) }
}

extension LuaState {
  fileprivate func read<Value: LuaReadable>(_ value: LuaValue, as type: Value.Type)
    throws(LuaError) -> Value
  {
    let stack = try core.stack()
    try value.push(to: stack)
    defer { stack.pop(1) }
    return try stack.readTop(as: type)
  }
}

extension LuaStack {
  func readTop<Value: LuaReadable>(as type: Value.Type) throws(LuaError) -> Value {
    do {
      return try Value.read(from: self, at: count)
    } catch {
      throw LuaError(.wrongType, "\(error)")
    }
  }
}

extension LuaValue: LuaReadable, LuaPushable {
  /// "any".
  public static var luaTypeName: String { "any" }

  /// Reads any value; nil if there is none.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    stack.value(at: index)
  }

  /// Pushes the value.
  public func push(to stack: LuaStack) throws(LuaError) {
    switch self {
    case .nil: stack.pushNil()
    case .boolean(let value): stack.push(value)
    case .integer(let value): stack.push(value)
    case .number(let value): stack.push(value)
    case .string(let value): stack.push(bytes: value.bytes)
    case .table(let value): try value.push(to: stack)
    case .function(let value): try value.push(to: stack)
    case .userdata(let value): try value.push(to: stack)
    case .coroutine(let value): try value.push(to: stack)
    }
  }
}

/// A type of Lua values.
public enum LuaType: Int32, Sendable {
  /// The type of nil.
  case `nil` = 0
  /// true and false.
  case boolean = 1
  /// A pointer without identity, of C libraries.
  case lightUserdata = 2
  /// Integers and floats.
  case number = 3
  /// Strings of bytes.
  case string = 4
  /// Tables.
  case table = 5
  /// Lua and host functions.
  case function = 6
  /// Objects of the host.
  case userdata = 7
  /// Coroutines.
  case thread = 8

  /// The name, as by Lua's `type`.
  public var name: String { String(cString: lua_typename(nil, rawValue)) }
}

/// A Lua string: any bytes, often but not always UTF-8.
public struct LuaString: Hashable, Sendable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The bytes.
  public let bytes: [UInt8]

  /// Makes a string of any bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Makes a string of a text's UTF-8 bytes.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Makes a string of a literal's UTF-8 bytes.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text; `nil` if the bytes aren't valid UTF-8.
  public var text: String? {
    do {
      // String(validating:as:) looks up generic metadata at every call (Swift 6.3).
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      return nil
    }
  }

  /// The text, with U+FFFD in place of bytes that aren't valid UTF-8.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension LuaString: LuaReadable, LuaPushable {
  /// Reads a string of any bytes.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch)
    -> LuaString
  {
    guard let bytes = stack.bytes(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return LuaString(bytes: Array(bytes))
  }

  /// Pushes the bytes.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(bytes: bytes) }

  /// "string".
  public static var luaTypeName: String { "string" }
}
