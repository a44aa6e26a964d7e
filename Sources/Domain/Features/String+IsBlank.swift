extension String {
  /// Whether the text has nothing but white space.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
