/// Text from a user or the service, made fit to stand in an error message.
package enum ExternalText {
  /// As much as is worth reading in one sentence.
  private static let maximumLength = 200

  /// Cleans text that somebody gave, which may be of any length, for a message.
  package static func quoted(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(2 * maximumLength)
    return clean(String(beginning))
  }

  /// Cleans text of bounded length for a message.
  ///
  /// - Returns: The text on one line, without control characters (a terminal obeys them), and cut short.
  package static func clean(_ text: String) -> String {
    let printable = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    guard printable.count > maximumLength else { return printable }
    return printable.prefix(maximumLength) + "…"
  }
}
