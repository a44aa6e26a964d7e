/// Text from a user or the service, cleaned for error messages.
package enum ExternalText {
  /// The most characters worth reading in one sentence.
  private static let maximumLength = 200

  /// Cleans external text, which may be of any length, for a message.
  package static func quoted(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(2 * maximumLength)
    return clean(String(beginning))
  }

  /// Puts text of bounded length on one line, without control characters (a terminal obeys them), and truncates it.
  package static func clean(_ text: String) -> String {
    let printable = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    guard printable.count > maximumLength else { return printable }
    return printable.prefix(maximumLength) + "…"
  }
}
