/// The state of an edit: the text, the cursor, the history, menus and searches. It knows no terminal.
@MainActor
package final class EditorModel {
  /// What a key led to, as far as the terminal or the caller has to act.
  package enum Outcome: Equatable, Sendable {
    /// The edit continues; its view may have changed.
    case editing
    /// Enter on a complete text.
    case accepted(String)
    /// Ctrl-C on a text; the view is that of the discarded text.
    case interrupted
    /// Ctrl-D on an empty text.
    case endOfInput
    /// Ctrl-Z.
    case suspended
    /// Ctrl-L.
    case screenCleared
    /// A key without effect that deserves a bell.
    case refused
    /// Ctrl-X Ctrl-E, or v in vi's command mode: the text is to be edited in another program.
    case externalEditor(String)
  }
}
