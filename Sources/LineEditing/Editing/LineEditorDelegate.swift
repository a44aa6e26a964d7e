/// Answers a line editor's questions about the text that it edits.
///
/// Positions in a text are offsets in its UTF-8 form.
@MainActor
package protocol LineEditorDelegate: AnyObject {
  /// Asked when Enter is pressed at the text's end.
  func verdict(on text: String) -> InputVerdict

  /// The styles of parts of the text, in their order, without overlaps; the other parts are plain.
  func styles(of text: String) -> [StyledRange]

  func completions(of text: String, at cursor: Int) -> Completions

  /// A hint for the call that the cursor is in; nil for none.
  func hint(for text: String, at cursor: Int) -> StyledText?

  /// The innermost pair of brackets or block words that contains the cursor or is beside it; nil if there is none.
  func matchingBrackets(in text: String, at cursor: Int) -> (open: Range<Int>, close: Range<Int>)?

  /// The columns of space before a new line at the end of a text.
  func indentation(after text: String) -> Int

  /// The new indentation of the text's last line, such as for a line that closes a block; nil if it doesn't change.
  ///
  /// It isn't asked for the first line.
  func reindentation(ofLastLineIn text: String) -> Int?

  func isWordCharacter(_ character: Character) -> Bool
}

/// Whether a text can be run.
package enum InputVerdict: Equatable, Sendable {
  case complete
  case incomplete
  /// The text is wrong at an offset, whatever follows.
  case fault(offset: Int, message: String)
}

package struct StyledRange: Equatable, Sendable {
  package var range: Range<Int>
  package var style: Style

  package init(_ range: Range<Int>, _ style: Style) { (self.range, self.style) = (range, style) }
}

/// The candidates for completing a part of a text.
package struct Completions: Equatable, Sendable {
  package struct Candidate: Equatable, Sendable {
    package var text: String
    /// The label in menus; mostly the last name of the text.
    package var label: String
    /// The sort of candidate, in a word or two, shown after the label; may be empty.
    package var kind: String
    /// A description, such as a signature with a line of help, shown for an only candidate.
    package var detail: StyledText

    package init(
      _ text: String, label: String? = nil, kind: String = "", detail: StyledText = StyledText()
    ) {
      (self.text, self.label, self.kind, self.detail) = (text, label ?? text, kind, detail)
    }
  }

  /// The part that is replaced; it ends at the cursor.
  package var range: Range<Int>
  /// In the order in which menus show them.
  package var candidates: [Candidate]

  package init(replacing range: Range<Int>, with candidates: [Candidate]) {
    (self.range, self.candidates) = (range, candidates)
  }
}
