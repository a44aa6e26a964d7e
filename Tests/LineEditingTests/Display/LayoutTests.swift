import PrimereplLineEditing
import PrimereplPlatform
import Testing

@Suite("An editor's text on a screen")
struct LayoutTests {
  /// Shows a view on a fresh screen.
  private func shown(_ view: EditorView, columns: Int = 20, rows: Int = 6) -> Stage {
    var stage = Stage(columns: columns, rows: rows)
    stage.show(view)
    return stage
  }

  /// A text with `|` where the cursor is, the rows that show it, and the cursor's row and column.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let columns: Int
    let rows: [String]
    let cursor: [Int]

    init(_ title: String, _ text: String, columns: Int, _ rows: [String], _ cursor: [Int]) {
      testDescription = title
      (self.text, self.columns, self.rows, self.cursor) = (text, columns, rows, cursor)
    }
  }

  @Test(
    "shows",
    arguments: [
      Case(
        "a prompt before each line", "if x th|en\n  y()\nend", columns: 20,
        ["> if x then", ".   y()", ". end"], [0, 9]),
      Case(
        "a long line in several rows", "abcdefgh|ijklm", columns: 10, ["> abcdefgh", "ijklm"],
        [1, 0]),
      Case(
        "the cursor in the next row after a line that fills its row", "abcdefgh|", columns: 10,
        ["> abcdefgh"], [1, 0]),
      Case(
        "a wide character that fits at the end of a row", "abcdef世|x", columns: 10,
        ["> abcdef世", "x"], [1, 0]),
      Case(
        "a combining character in no column of its own", "cafe\u{301}|s", columns: 20,
        ["> cafe\u{301}s"], [0, 6]),
      Case(
        "invisible characters as text", "\u{1}\u{1B}[2J\u{202E}\u{9B}\u{7F}|", columns: 40,
        ["> \\x01\\x1b[2J\\u{202e}\\u{9b}\\x7f"], [0, 31]),
      Case(
        "an escape in two rows, like its characters", "abcdef\u{202E}g|", columns: 10,
        ["> abcdef\\u", "{202e}g"], [1, 7]),
      Case(
        "a tab as spaces to the next stop of the line", "a\tb\t|c", columns: 30,
        ["> a       b       c"], [0, 18]),
    ])
  func texts(example: Case) {
    let stage = shown(.of(example.text), columns: example.columns)
    #expect(stage.rows == example.rows)
    #expect(stage.cursor == example.cursor)
  }

  @Test("never splits a wide character at the right margin", arguments: ["世", "👍", "👨‍👩‍👧", "🇩🇪", "❤️"])
  func wideAtMargin(character: String) {
    let stage = shown(.of("abcdefg\(character)x|"), columns: 10)
    #expect(stage.rows == ["> abcdefg", character + "x"])
    #expect(stage.cursor == [1, 3])
  }

  @Test("shows bytes that aren't UTF-8 by their number")
  func invalidBytes() {
    #expect(shown(.of(String(systemBytes: [0x61, 0xFF]) + "|")).rows == ["> a\\xff"])
  }

  @Test("shows a suggestion after the text, with the cursor before it")
  func ghost() {
    let stage = shown(.of("pri|").with { $0.ghost = StyledText("nt(1)", .dim) })
    #expect(stage.rows == ["> print(1)"])
    #expect(stage.cursor == [0, 5])
    #expect(stage.screen.cell(0, 5).style.isDim)
  }

  @Test("shows a message at the end of the cursor's line")
  func annotation() {
    let view = EditorView.of("x =|\ny").with { $0.annotation = StyledText("not now") }
    #expect(shown(view).rows == ["> x =  not now", ". y"])
  }

  @Test("shows a message below the block if it doesn't fit beside the line")
  func longAnnotation() {
    let view = EditorView.of("x =|\ny").with { $0.annotation = StyledText("unexpected symbol") }
    #expect(shown(view).rows == ["> x =", ". y", "unexpected symbol"])
  }

  @Test("cuts rows below the block off at the screen's width, and leaves the last ones out")
  func rowsBelow() {
    let view = EditorView.of("x|").with {
      $0.rows = ["a row that is too long", "b", "c", "d", "e", "f"].map { StyledText($0) }
      $0.status = StyledText("status")
    }
    #expect(shown(view).rows == ["> x", "a row that is too l…", "b", "c", "d", "status"])
  }

  @Test("shows a part of a block that is taller than the screen, with room for a row below")
  func window() {
    var stage = Stage()
    let lines = (1...9).map { "line \($0)" }.joined(separator: "\n")
    stage.show(.of(lines + "|"))
    #expect(stage.rows == [". line 5", ". line 6", ". line 7", ". line 8", ". line 9"])
    #expect(stage.cursor == [4, 8])
    stage.show(.of(lines.replacing("line 3", with: "|line 3")))
    #expect(stage.rows == [". line 3", ". line 4", ". line 5", ". line 6", ". line 7"])
    stage.show(
      .of(lines.replacing("line 4", with: "|line 4")).with { $0.rows = [StyledText("hint")] })
    #expect(stage.rows == [". line 3", ". line 4", ". line 5", ". line 6", ". line 7", "hint"])
    #expect(stage.cursor == [1, 2])
  }

  @Test("leaves no space at the end of a block that has become shorter")
  func windowAtEnd() {
    var stage = Stage()
    stage.show(.of((1...20).map(String.init).joined(separator: "\n") + "|"))
    stage.show(.of((1...7).map(String.init).joined(separator: "\n") + "|"))
    #expect(stage.rows == [". 3", ". 4", ". 5", ". 6", ". 7"])
  }

  @Test("scrolls within a line that is taller than the screen")
  func tallLine() {
    let stage = shown(
      .of(String(repeating: "abcdefghij", count: 100) + "|"), columns: 10, rows: 4)
    #expect(stage.rows == ["ijabcdefgh", "ijabcdefgh", "ij"])
    #expect(stage.cursor == [2, 2])
  }

  @Test("survives a screen of any size", arguments: [1, 2, 3], [1, 2, 3])
  func tinyScreens(columns: Int, rows: Int) {
    let view = EditorView.of("世界\t\u{1}a|\nb").with {
      $0.rows = [StyledText("hint"), StyledText("more")]
      $0.status = StyledText("status")
    }
    let stage = shown(view, columns: columns, rows: rows)
    #expect(stage.screen.cursorRow < rows)
  }
}
