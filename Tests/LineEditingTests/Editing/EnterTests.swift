import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("Enter")
struct EnterTests {
  @Test(
    "runs a complete text",
    arguments: ["x|", "x|y", "|", "f(\n)|", "f(\n)|  \n ", "f(\n  x|)", "  x  |"])
  func complete(_ text: String) {
    let session = EditingSession(text)
    let whole = session.model.text
    #expect(session.press("⏎") == .accepted(whole))
  }

  @Test(
    "and indentation",
    arguments: [
      EditingCase(
        "adds an indented line to an incomplete text", keys: ["f( ⏎ { ⏎ x": "f(\n  {\n    x|"]),
      EditingCase(
        "adds a line in the middle of a block", "f(|a,\nb)", keys: ["⏎": "f(\n  |a,\nb)"]),
      EditingCase(
        "moves a line back when it closes a bracket, as one step with the character",
        keys: ["f{ ⏎ x ⏎ }": "f{\n  x\n}|", "C-_": "f{\n  x\n  |"]),
      EditingCase(
        "leaves the first line where it is, as no block can be open before it",
        keys: ["␣ ␣ }": "  }|"]),
      EditingCase(
        "restores the indentation if a line continues after an apparent closing bracket",
        keys: ["f{ ⏎ }x": "f{\n  }x|"]),
    ])
  func indentation(example: EditingCase) { example.check() }

  @Test("moves to a fault, describes it, and runs nothing")
  func fault() {
    let session = EditingSession("é @ x|")
    #expect(session.press("⏎") == .editing)
    #expect(session.shown == "é |@ x")
    #expect(session.model.view.annotation == StyledText("unexpected '@'", Style(.red)))
    session.press("←")
    #expect(session.model.view.annotation.isEmpty)
  }

  @Test("neither stops at a fault nor indents while the next line is there already")
  func followedLine() {
    let session = EditingSession()
    session.model.isLineFollowed = true
    #expect(session.type("f(\n@\n  x\n") == .editing)
    #expect(session.shown == "f(\n@\n  x\n|")
    #expect(session.model.view.annotation.isEmpty)
    session.model.isLineFollowed = false
    session.press(") ⏎", shows: "f(\n|@\n  x\n)")
  }

  @Test("isn't pressed by a paste, which is one step of undo")
  func paste() {
    let session = EditingSession()
    #expect(session.press(.paste("a\n\tb\nc\n")) == .editing)
    #expect(session.shown == "a\n\tb\nc\n|")
    #expect(session.model.view.lines.map(\.text) == ["a", "\tb", "c", ""])
    session.press("C-_", shows: "|")
  }

  @Test("leaves only the text in sight")
  func finished() {
    let session = EditingSession("f(|)", history: ["f() + 1"])
    session.press("⏎")
    let view = session.model.view
    #expect(view.rows.isEmpty && view.ghost.isEmpty)
    #expect(view.lines == [StyledText("f()")])
    #expect(view.cursorColumn == 3)
  }
}
