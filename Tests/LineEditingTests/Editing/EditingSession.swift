@testable import PrimereplLineEditing
import Testing

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

  /// Presses keys that are written as for `Key.keys`, and gives the outcome of the last.
  @discardableResult
  func press(_ keys: String) -> EditorModel.Outcome {
    Key.keys(keys).reduce(.editing) { model.handle($1) }
  }

  /// Presses keys, and expects the text after them, and perhaps the rows below it.
  func press(
    _ keys: String, shows text: String, rows: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    press(keys)
    #expect(shown == text, "after \(keys)", sourceLocation: sourceLocation)
    guard let rows else { return }
    #expect(self.rows == rows, "after \(keys)", sourceLocation: sourceLocation)
  }

  /// Types characters; a newline is Enter.
  @discardableResult
  func type(_ text: String) -> EditorModel.Outcome {
    text.reduce(.editing) { model.handle($1 == "\n" ? .enter : .character($1)) }
  }
}

/// An edit, and keys with the text that it shows after them.
struct EditingCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let text: String
  private let history: [String]
  private let keys: KeyValuePairs<String, String>

  /// Makes a case.
  ///
  /// - Parameters:
  ///   - title: The behaviour.
  ///   - text: The text at first, with `|` where the cursor is.
  ///   - history: The entries, the oldest first.
  ///   - keys: Keys, as for `Key.keys`, with the text after them, or `refused`.
  init(
    _ title: String, _ text: String = "|", history: [String] = [],
    keys: KeyValuePairs<String, String>
  ) {
    testDescription = title
    (self.text, self.history, self.keys) = (text, history, keys)
  }

  @MainActor
  func check() {
    let session = EditingSession(text, history: history)
    for (pressed, shown) in keys {
      if shown == "refused" {
        #expect(session.press(pressed) == .refused, "after \(pressed)")
      } else {
        session.press(pressed, shows: shown)
      }
    }
  }
}

extension Key {
  /// The keys of a text, between spaces: by name, `C-` or `M-` and a character, or as typed.
  static func keys(_ text: String) -> [Key] {
    text.split(separator: " ").flatMap { word -> [Key] in
      if let key = named[String(word)] { return [key] }
      if let character = word.last, word.count == 3 {
        if word.hasPrefix("C-") { return [.control(character)] }
        if word.hasPrefix("M-") { return [.alt(character)] }
      }
      return word.map(Key.character)
    }
  }

  private static let named: [String: Key] = [
    "␣": .character(" "), "⏎": .enter, "M-⏎": .altEnter, "⇥": .tab, "⇤": .backTab, "⎋": .escape,
    "⌫": .backspace, "M-⌫": .altBackspace, "⌦": .delete, "C-M-_": .altControl("_"),
    "↑": .up, "↓": .down, "←": .left, "→": .right, "home": .home, "end": .end,
    "pageDown": .pageDown, "C-↑": .controlUp, "C-←": .controlLeft, "C-→": .controlRight,
    "?": .unknown,
  ]
}
