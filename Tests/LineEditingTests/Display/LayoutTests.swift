import PrimereplLineEditing
import PrimereplPlatform
import Testing

@Suite("An editor's text on a screen")
struct LayoutTests {
  private static let longLine = EditorView.of(String(repeating: "abcdefghij", count: 100) + "|")

  @Test(
    "of lines and blocks",
    arguments: [
      StageCase(
        "shows a prompt before each line",
        [
          .show("if x th|en\n  y()\nend"), .rows(["> if x then", ".   y()", ". end"]),
          .cursor(0, 9),
        ]
      ),
      StageCase(
        "shows a long line in several rows", columns: 10,
        [.show("abcdefgh|ijklm"), .rows(["> abcdefgh", "ijklm"]), .cursor(1, 0)]),
      StageCase(
        "shows the cursor in the next row after a line that fills its row", columns: 10,
        [.show("abcdefgh|"), .rows(["> abcdefgh"]), .cursor(1, 0)]),
      StageCase(
        "shows a wide character that fits at the end of a row", columns: 10,
        [.show("abcdef世|x"), .rows(["> abcdef世", "x"]), .cursor(1, 0)]),
      StageCase(
        "shows a combining character in no column of its own",
        [.show("cafe\u{301}|s"), .rows(["> cafe\u{301}s"]), .cursor(0, 6)]),
      StageCase(
        "shows invisible characters as text", columns: 40,
        [
          .show("\u{1}\u{1B}[2J\u{202E}\u{9B}\u{7F}|"),
          .rows(["> \\x01\\x1b[2J\\u{202e}\\u{9b}\\x7f"]), .cursor(0, 31),
        ]),
      StageCase(
        "shows bytes that aren't UTF-8 by their number",
        [.show(.of(String(systemBytes: [0x61, 0xFF, 0x7C]))), .rows(["> a\\xff"])]),
      StageCase(
        "shows an escape in two rows, like its characters", columns: 10,
        [.show("abcdef\u{202E}g|"), .rows(["> abcdef\\u", "{202e}g"]), .cursor(1, 7)]),
      StageCase(
        "shows a tab as spaces to the next stop of the line", columns: 30,
        [.show("a\tb\t|c"), .rows(["> a       b       c"]), .cursor(0, 18)]),
      StageCase(
        "shows a message at the end of the cursor's line",
        [
          .show(.of("x =|\ny").with { $0.annotation = StyledText("not now") }),
          .rows(["> x =  not now", ". y"]),
        ]),
      StageCase(
        "shows a message below the block if it doesn't fit beside the line",
        [
          .show(.of("x =|\ny").with { $0.annotation = StyledText("unexpected symbol") }),
          .rows(["> x =", ". y", "unexpected symbol"]),
        ]),
      StageCase(
        "shows a part of a block that is taller than the screen, with room for a row below",
        [
          .show("1\n2\n3\n4\n5\n6\n7\n8\n9|"), .rows([". 5", ". 6", ". 7", ". 8", ". 9"]),
          .cursor(4, 3),
          .show("1\n2\n|3\n4\n5\n6\n7\n8\n9"), .rows([". 3", ". 4", ". 5", ". 6", ". 7"]),
          .show(.of("1\n2\n3\n|4\n5\n6\n7\n8\n9").with { $0.rows = [StyledText("hint")] }),
          .rows([". 3", ". 4", ". 5", ". 6", ". 7", "hint"]), .cursor(1, 2),
        ]),
      StageCase(
        "leaves no space at the end of a block that has become shorter",
        [
          .show("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14|"),
          .show("1\n2\n3\n4\n5\n6\n7|"), .rows([". 3", ". 4", ". 5", ". 6", ". 7"]),
        ]),
      StageCase(
        "scrolls within a line that is taller than the screen", columns: 10, rows: 4,
        [.show(longLine), .rows(["ijabcdefgh", "ijabcdefgh", "ij"]), .cursor(2, 2)]),
    ])
  func layout(example: StageCase) { example.check() }

  @Test("never splits a wide character at the right margin", arguments: ["世", "👍", "👨‍👩‍👧", "🇩🇪", "❤️"])
  func wideAtMargin(character: String) {
    var stage = Stage(columns: 10)
    stage.show(.of("abcdefg\(character)x|"))
    #expect(stage.rows == ["> abcdefg", character + "x"])
    #expect(stage.cursor == [1, 3])
  }

  @Test("shows a suggestion after the text, with the cursor before it")
  func ghost() {
    var stage = Stage()
    stage.show(.of("pri|").with { $0.ghost = StyledText("nt(1)", .dim) })
    #expect(stage.rows == ["> print(1)"])
    #expect(stage.cursor == [0, 5])
    #expect(stage.screen.cell(0, 5).style.isDim)
  }

  @Test("cuts rows below the block off at the screen's width, and leaves the last ones out")
  func rowsBelow() {
    var stage = Stage()
    stage.show(
      .of("x|").with {
        $0.rows = ["a row that is too long", "b", "c", "d", "e", "f"].map { StyledText($0) }
        $0.status = StyledText("status")
      })
    #expect(stage.rows == ["> x", "a row that is too l…", "b", "c", "d", "status"])
  }
}
