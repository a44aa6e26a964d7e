import Lua
package import StateStore

extension String {
  /// The text as a Lua literal.
  public var luaLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      // Three digits, because a digit may follow.
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value)
        literal += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      case "\u{80}"..."\u{9F}": literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// The text on one line, so that it can stand in a Lua comment.
  public var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension Int {
  /// The integer as Lua text: the digits of the least integer would make a float.
  public var luaLiteral: String { self == .min ? "math.mininteger" : String(self) }
}

extension StateValue {
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
          LuaName.isName(member.name)
            ? "\(member.name) = " : "[\(member.name.luaLiteral)] = ",
          member.value
        )
      }
  }
}

extension Double {
  /// The number as Lua text: one that isn't a number can't be written as digits.
  fileprivate var luaLiteral: String {
    if isNaN { return "0/0" }
    if isInfinite { return self < 0 ? "-math.huge" : "math.huge" }
    return "\(self)"
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The case whose name was probably meant, whether in upper or lower case; or nil.
  public static func nearest(to name: String) -> Self? {
    // Measuring letters with many combining marks would take too long, and no name has any.
    guard name.utf8.count <= 100 else { return nil }
    let names = allCases.map { $0.rawValue.lowercased() }
    let nearest = name.lowercased().nearest(of: names)
    return allCases.first { $0.rawValue.lowercased() == nearest }
  }
}

/// The names that need no quotes in Lua's tables.
enum LuaName {
  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !keywords.contains(text) else { return false }
    func isLetter(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    return isLetter(first)
      && text.utf8.allSatisfy {
        isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}
