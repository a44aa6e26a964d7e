extension String {
  /// The text, shortened for an error message; whoever shows the message makes it printable.
  ///
  /// - Complexity: O(1), apart from copying the result.
  package var shortenedForMessage: String {
    let beginning = unicodeScalars.prefix(200)
    return beginning.endIndex == endIndex ? self : String(beginning) + "…"
  }
}
