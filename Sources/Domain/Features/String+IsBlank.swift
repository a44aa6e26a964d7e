extension String {
  /// Whether there is nothing but white space, so that it says nothing to people.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
