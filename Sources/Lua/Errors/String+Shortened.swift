extension String {
  /// How many characters of a text that scripts chose are shown in messages, which must stay readable.
  private static var shownLength: Int { 60 }

  /// The text, or its beginning if it is too long for a message.
  ///
  /// Complexity: O(1) but for copying what is shown.
  var shortened: String {
    // Scalars, since a single character may have any number of combining marks.
    let beginning = unicodeScalars.prefix(Self.shownLength)
    return beginning.endIndex == endIndex ? self : String(beginning) + "\u{2026}"
  }

  /// Shows the beginning of bytes that may be any, with U+FFFD in place of what isn't valid UTF-8.
  init(shortening bytes: some Collection<UInt8>) {
    // Enough for one scalar more than is shown.
    let beginning = bytes.prefix(4 * (Self.shownLength + 1))
    self = String(decoding: beginning, as: UTF8.self).shortened
  }
}

extension LuaStack {
  /// A key as messages show it: "'title'", "3", "of type table".
  func keyText(at index: Int32) -> String {
    if let bytes = bytes(at: index) { return "'\(String(shortening: bytes))'" }
    switch type(at: index) {
    case .number, .boolean: return value(at: index).description
    default: return "of type \(typeName(at: index))"
    }
  }
}
