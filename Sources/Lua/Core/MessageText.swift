import PrimereplFoundation

extension String {
  /// The number of characters that messages show of a text that scripts chose.
  private static var shownLength: Int { 60 }

  /// The text, or its beginning if it is too long for a message.
  ///
  /// - Complexity: O(1), apart from copying what is shown.
  var shortened: String {
    // Scalars, since a single character may have any number of combining marks.
    let beginning = unicodeScalars.prefix(Self.shownLength)
    return beginning.endIndex == endIndex ? self : String(beginning) + "\u{2026}"
  }

  /// Shows the beginning of any bytes, with escapes for those that aren't text.
  init(shortening bytes: some Collection<UInt8>) {
    // Enough for one scalar more than is shown.
    let beginning = bytes.prefix(4 * (Self.shownLength + 1))
    self = String(escapingInvalid: beginning).shortened
  }

  /// The text of bytes that may be any, with an escape of Lua's, such as `\xff`, for each byte that isn't valid
  /// UTF-8.
  package init(escapingInvalid bytes: some Collection<UInt8>) {
    self =
      String(validating: bytes, as: UTF8.self)
      ?? String(bytes, replacing: { "\\x\(String($0, radix: 16))" })
  }
}

extension LuaString {
  package var shown: String { String(shortening: bytes) }
}

extension LuaError {
  /// The `unknown_field` error for a name, which may be any bytes: it lists the fields of the owner, such as
  /// "counter", and suggests the one that was probably meant.
  package static func unknownField(
    _ name: some Collection<UInt8>, of owner: String, known names: [String]
  ) -> LuaError {
    let name = String(shortening: name)
    let names = names.sorted()
    let nearest = name.suggestion(of: names) ?? "."
    return LuaError(
      .unknownField,
      "\(owner) has no field '\(name)'\(nearest) It has: \(names.joined(separator: ", "))")
  }
}
