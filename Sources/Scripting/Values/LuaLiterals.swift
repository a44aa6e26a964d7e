import Lua

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
