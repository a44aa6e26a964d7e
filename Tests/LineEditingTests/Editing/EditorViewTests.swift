import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("View of an edit")
struct EditorViewTests {
  @Test("has styled lines, and asks for styles only when the text changes")
  func styles() {
    let session = EditingSession("a1\n22|")
    let lines = session.model.view.lines
    #expect(
      lines == [StyledText("a") + StyledText("1", Style(.green)), StyledText("22", Style(.green))])
    session.press("← ↑")
    #expect(session.model.view.cursorLine == 0)
    #expect(session.model.view.lines == lines)
    #expect(session.language.styleRequests == 1)
  }

  @Test("has styles that span several lines")
  func spanningStyles() {
    let lines = StyledLines(
      of: EditBuffer("\"1\n2\n3"), [StyledRange(0..<6, Style(.magenta))])
    #expect(lines.lines == ["\"1", "2", "3"].map { StyledText($0, Style(.magenta)) })
  }

  @Test("shows the brackets at the cursor")
  func brackets() {
    let session = EditingSession("f(1)|")
    let style = Style(bold: true, underlined: true)
    #expect(
      session.model.view.lines == [
        StyledText("f") + StyledText("(", style) + StyledText("1", Style(.green))
          + StyledText(")", style)
      ])
    session.press("home")
    #expect(session.model.view.lines[0].runs.first?.text == "f(")
  }

  @Test("shows a text that replaces another form of the same characters")
  func otherForm() {
    let session = EditingSession("f(\u{E9})|")
    #expect(session.model.view.lines.map(\.text.utf8.count) == [5])
    session.model.setText("f(e\u{301})")
    #expect(session.model.view.lines.map(\.text.utf8.count) == [6])
  }

  @Test("suggests the rest of the newest entry, taken by the right arrow, Ctrl-E or word by word")
  func ghost() {
    let session = EditingSession(history: ["local a", "local b = 1", "x"])
    session.type("lo")
    #expect(session.model.view.ghost == StyledText("cal b = 1", Style(.gray)))
    session.press("M-f", shows: "local|")
    session.press("→", shows: "local b = 1|")
    #expect(session.model.view.ghost.isEmpty)
    session.press("C-_ C-_ C-e", shows: "local b = 1|")
    session.press("←")
    #expect(session.model.view.ghost.isEmpty)
  }

  @Test("suggests a block by its first line")
  func ghostOfBlock() {
    let session = EditingSession(history: ["if x\ny"])
    session.type("if")
    #expect(session.model.view.ghost.text == " x ↵ …")
    session.press("C-f", shows: "if x\ny|")
  }

  @Test("has the caller's suggestion until something else is typed")
  func suggestion() {
    let session = EditingSession()
    session.begin(suggestion: "print(1)")
    #expect(session.model.view.ghost.text == "print(1)")
    session.type("pr")
    #expect(session.model.view.ghost.text == "int(1)")
    session.press("o ⌫")
    #expect(session.model.view.ghost.isEmpty)
    session.begin(suggestion: "print(1)")
    session.press("→", shows: "print(1)|")
  }

  @Test("has a hint below the text, in place of a suggestion")
  func hint() {
    let session = EditingSession(history: ["f(x)"])
    session.type("f(")
    #expect(session.rows == ["f(a, b)"])
    #expect(session.model.view.ghost.isEmpty)
    session.type("x")
    #expect(session.rows.isEmpty)
    #expect(session.model.view.ghost.text == ")")
  }

  @Test("takes any ranges from its delegate, and keeps clusters whole")
  func nonsenseStyles() {
    final class Language: LineEditorDelegate {
      func verdict(on text: String) -> InputVerdict { .fault(offset: -3, message: "\u{1B}[2J") }
      func styles(of text: String) -> [StyledRange] {
        [
          StyledRange(-9..<1, .bold), StyledRange(0..<2, .dim), StyledRange(5..<5, .bold),
          StyledRange(4..<900, .bold), StyledRange(0..<3, .dim),
        ]
      }
      func completions(of text: String, at cursor: Int) -> Completions {
        Completions(replacing: -5..<99, with: [.init("x")])
      }
      func hint(for text: String, at cursor: Int) -> StyledText? { nil }
      func matchingBrackets(
        in text: String, at cursor: Int
      ) -> (open: Range<Int>, close: Range<Int>)? { (-1..<900, 3..<4) }
      func indentation(after text: String) -> Int { -7 }
      func reindentation(ofLastLineIn text: String) -> Int? { .max }
      func isWordCharacter(_ character: Character) -> Bool { false }
    }
    let model = EditorModel(delegate: Language(), history: InputHistory())
    model.setText("e\u{301}\nab")
    #expect(model.view.lines.map(\.text) == ["e\u{301}", "ab"])
    for key in [Key.left, .enter, .altEnter, .tab, "x", .alt("f"), .control("w"), .tab] {
      _ = model.handle(key)
      #expect(model.view.lines.map(\.text).joined(separator: "\n") == model.text)
    }
  }
}
