@testable import PrimereplLineEditing

/// An edit that is driven by keys.
@MainActor
final class EditingSession {
  let language = BracketLanguage()
  let history: InputHistory
  let model: EditorModel

  /// Begins an edit.
  ///
  /// - Parameters:
  ///   - text: The text, with `|` where the cursor is.
  ///   - history: The entries, the oldest first.
  ///   - keyMap: The keys.
  init(_ text: String = "|", history: [String] = [], keyMap: KeyMap = .emacs) {
    self.history = InputHistory(entries: history)
    model = EditorModel(delegate: language, history: self.history, keyMap: keyMap)
    begin()
    put(text)
  }

  func begin(suggestion: String? = nil) {
    model.begin(
      prompt: StyledText("> "), continuation: StyledText("  "), suggestion: suggestion)
  }

  private func put(_ text: String) {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    model.buffer = EditBuffer(parts.joined())
    model.buffer.moveCursor(to: parts.first.map { EditBuffer(String($0)).count } ?? 0)
  }

  /// The text, with `|` where the cursor is.
  var shown: String {
    let buffer = model.buffer
    return buffer.text(in: 0..<buffer.cursor) + "|" + buffer.text(in: buffer.cursor..<buffer.count)
  }

  /// The rows below the text.
  var rows: [String] { model.view.rows.map(\.text) }

  /// Presses keys, and gives the outcome of the last.
  @discardableResult
  func press(_ keys: Key...) -> EditorModel.Outcome {
    keys.reduce(.editing) { model.handle($1) }
  }

  /// Types characters; a newline is Enter.
  @discardableResult
  func type(_ text: String) -> EditorModel.Outcome {
    text.reduce(.editing) { model.handle($1 == "\n" ? .enter : .character($1)) }
  }
}
