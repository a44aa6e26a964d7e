/// Reads blocks of text from a terminal, with editing, history, completion, hints and colors.
@MainActor
package final class LineEditor {
  /// What the user entered.
  package enum Input: Equatable, Sendable {
    case text(String)
    /// Ctrl-C, which discards the text.
    case interrupted
    /// Ctrl-D without a text, or the terminal is gone.
    case endOfInput
  }
}
