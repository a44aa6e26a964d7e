extension String {
  /// The text, shortened for an error message; whoever shows the message makes it printable.
  ///
  /// - Complexity: O(1), apart from copying the result.
  package var shortenedForMessage: String {
    let beginning = unicodeScalars.prefix(200)
    return beginning.endIndex == endIndex ? self : String(beginning) + "…"
  }

  /// The text of a message with names and values that users chose shortened, however long they are.
  package func shorteningLongWords(separatedBy separator: Character) -> String {
    // Most messages are short.
    guard utf8.count > 200 else { return self }
    let words = split(separator: separator, omittingEmptySubsequences: false)
      .map { String($0).shortenedForMessage }
    let text = words.joined(separator: String(separator)).unicodeScalars
    let limit = 2000
    return text.count > limit ? String(text.prefix(limit)) + "…" : String(text)
  }
}
