import Lua
import Platform
package import StateStore

extension String {
  /// The text as a Lua literal.
  public var luaLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars { literal += scalar.luaEscaped }
    return literal + "\""
  }

  /// The text on one line, so that it can stand in a Lua comment.
  public var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension Unicode.Scalar {
  /// Whether a terminal would obey the scalar, or would show the text after it in another direction.
  ///
  /// Line ends and tabs don't count.
  package var isTerminalControl: Bool {
    switch value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The escape that Lua has for the scalar: a letter's, such as `\n`, or that of its number.
  package var luaEscape: String {
    switch self {
    case "\"", "\\": "\\\(self)"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: luaNumericEscape
    }
  }

  /// The escape with the scalar's number, such as `\027` or `\u{202e}`.
  package var luaNumericEscape: String {
    // Three digits, because a digit may follow.
    value < 0x80 ? "\\" + "00\(value)".suffix(3) : "\\u{\(String(value, radix: 16))}"
  }

  /// The scalar in a literal of Lua.
  fileprivate var luaEscaped: String {
    switch self {
    case "\"", "\\", "\n", "\t": luaEscape
    default: isTerminalControl ? luaEscape : String(self)
    }
  }
}

extension LuaString {
  /// The string as a Lua literal of exactly its bytes.
  package var luaLiteral: String {
    if let text { return text.luaLiteral }
    let scalars = String(systemBytes: bytes).unicodeScalars
    let parts = scalars.map { scalar in
      SystemByte(scalar).map { "\\x" + String($0.byte, radix: 16) } ?? scalar.luaEscaped
    }
    return "\"\(parts.joined())\""
  }
}

extension Int {
  /// The integer as Lua text: the digits of the least integer would make a float.
  public var luaLiteral: String { self == .min ? "math.mininteger" : String(self) }
}

/// A value that can be written as Lua text.
protocol LuaText {
  /// The value as Lua text on one line.
  var luaLiteral: String { get }
  /// Whether the value is nil.
  var isNil: Bool { get }
  /// The parts of a table, each with the text that names it; nil for other values.
  var luaParts: [(name: String, value: Self)]? { get }
}

extension StateValue: LuaText {
  var isNil: Bool { self == .none }

  /// The value as Lua text, which makes the table or value that scripts get.
  package var luaLiteral: String {
    switch self {
    case .none: "nil"
    case .boolean(let value): "\(value)"
    case .integer(let value): value.luaLiteral
    case .number(let value): value.luaLiteral
    case .text(let value): value.luaLiteral
    case .secret(let secret): secret.bullets.luaLiteral
    case .list, .record:
      if let parts = luaParts, !parts.isEmpty {
        "{ \(parts.map { $0.name + $0.value.luaLiteral }.joined(separator: ", ")) }"
      } else {
        "{}"
      }
    }
  }

  /// The parts of a table, each with the text that names it; nil for other values.
  var luaParts: [(name: String, value: StateValue)]? {
    let (elements, members): ([StateValue], [Member])
    switch self {
    case .list(let values, let named): (elements, members) = (values, named)
    case .record(let named): (elements, members) = ([], named)
    default: return nil
    }
    return elements.map { ("", $0) }
      + members.filter { $0.value != .none }.map { member in
        (
          LuaTokens.isName(member.name.utf8)
            ? "\(member.name) = " : "[\(member.name.luaLiteral)] = ",
          member.value
        )
      }
  }
}

extension Double {
  /// The number as Lua text: one that isn't a number can't be written as digits.
  var luaLiteral: String {
    if isNaN { return "0/0" }
    if isInfinite { return self < 0 ? "-math.huge" : "math.huge" }
    return "\(self)"
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The case whose name was probably meant, whether in upper or lower case; or nil.
  public static func nearest(to name: String) -> Self? {
    name.nearest(of: allCases.map(\.rawValue)).flatMap(Self.init(rawValue:))
  }
}
