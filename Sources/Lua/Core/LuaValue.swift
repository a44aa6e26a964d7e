internal import CLua
internal import Foundation

/// Any Lua value.
public enum LuaValue: Equatable {
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
  var typeName: String {
    switch self {
    case .nil: LuaType.nil.name
    case .boolean: LuaType.boolean.name
    case .integer, .number: LuaType.number.name
    case .string: LuaType.string.name
    case .table: LuaTable.luaTypeName
    case .function: LuaFunction.luaTypeName
    case .userdata: LuaUserdata.luaTypeName
    case .coroutine: LuaCoroutine.luaTypeName
    }
  }
}

extension LuaValue: CustomStringConvertible {
  /// The text, as by Lua's `tostring`, for nil, booleans, numbers and strings; the type's name for others.
  public var description: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): value.luaText
    case .string(let value): value.description
    case .nil, .table, .function, .userdata, .coroutine: typeName
    }
  }
}

extension Double {
  /// The number with 14 digits, as Lua writes it: "0.1", "1.0", "1e+20", "inf".
  fileprivate var luaText: String {
    let text = String(format: "%.14g", self)
    let looksLikeInteger = text.utf8.allSatisfy {
      $0 == UInt8(ascii: "-") || (48...57).contains($0)
    }
    return looksLikeInteger ? text + ".0" : text
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
  public var name: String { Self.names[Int(rawValue)] }

  private static let names = [
    "nil", "boolean", "userdata", "number", "string", "table", "function", "userdata", "thread",
  ]
}

/// A Lua string: any bytes, often but not always UTF-8.
public struct LuaString: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes.
  public let bytes: [UInt8]

  /// Makes a string of any bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Makes a string of a text's UTF-8 bytes.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Makes a string of a literal's UTF-8 bytes.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text; `nil` if the bytes aren't valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

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
