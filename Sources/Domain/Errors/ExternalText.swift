/// Text from a user or the service, made fit to stand in an error message.
enum ExternalText {
  /// As much as is worth reading in one sentence.
  private static let maximumLength = 200

  /// Cleans text that somebody gave, which may be of any length, for a message.
  static func quoted(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(2 * maximumLength)
    return quoted(String(beginning), hiding: nil)
  }

  /// Cleans text for a message.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - appID: the secret that mustn't show even if the text repeats it.
  /// - Returns: the text on one line, without control characters (a terminal obeys them), and cut
  ///   short.
  static func quoted(_ text: String, hiding appID: WolframAppID?) -> String {
    let redacted = appID?.redacted(from: text) ?? text
    let printable = String(
      String.UnicodeScalarView(
        redacted.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    guard printable.count > maximumLength else { return printable }
    return printable.prefix(maximumLength) + "…"
  }
}
