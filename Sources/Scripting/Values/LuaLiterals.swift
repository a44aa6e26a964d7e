import Lua
import PrimereplPlatform
package import StateStore

extension String {
  /// The text as a Lua literal.
  public var luaLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars { literal += scalar.luaText }
    return literal + "\""
  }

  /// The text on one line, so that it can stand in a Lua comment.
  public var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension Unicode.Scalar {
  /// The scalar in a literal of Lua: itself, or an escape.
  package var luaText: String {
    if isPrintable, self != "\"", self != "\\" { return String(self) }
    // Here it is text, whatever it stands for elsewhere.
    return SystemByte(self) == nil ? escape : "\\u{\(String(value, radix: 16))}"
  }
}

extension LuaString {
  /// The string as a Lua literal of exactly its bytes.
  package var luaLiteral: String {
    if let text { return text.luaLiteral }
    let parts = String(systemBytes: bytes).unicodeScalars.map { scalar in
      SystemByte(scalar) == nil ? scalar.luaText : scalar.escape
    }
    return "\"\(parts.joined())\""
  }
}

extension Int {
  /// The integer as Lua text: the digits of the minimum integer would make a float.
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
    case .list, .record: tableLiteral
    }
  }

  package var luaParts: [(name: String, value: StateValue)]? {
    let (elements, members): ([StateValue], [Member])
    switch self {
    case .list(let values, let named): (elements, members) = (values, named)
    case .record(let named): (elements, members) = ([], named)
    default: return nil
    }
    return elements.map { ("", $0) }
      + members.filter { $0.value != .none }.map { ($0.luaName, $0.value) }
  }
}

extension Double {
  /// The number as Lua text: one that isn't a number can't be written as digits.
  package var luaLiteral: String {
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
