/// What can be told of an email address by its looks.
enum EmailAddress {
  /// Whether a text looks like an email address: one @, something before it, after it a domain with
  /// a dot and no empty labels, and no white space.
  ///
  /// Only sending a message could tell more. It looks at scalars, as a combining mark must hide neither an @ nor a
  /// space.
  ///
  /// - Complexity: O(length).
  static func isPlausible(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: \.properties.isWhitespace) else { return false }
    let parts = scalars.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return false }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
  }
}
