import PrimereplLineEditing
import TerminalSupport
import Testing

@Suite("Drawing of differences")
struct RendererTests {
  @Test(
    "in steps",
    arguments: [
      StageCase(
        "begins in the cursor's row", after: "one\r\n", [.show("x|"), .rows(["one", "> x"])]),
      StageCase(
        "makes room at the screen's bottom", rows: 3, after: "one\r\ntwo\r\n",
        [.show("x|"), .show("x\ny|"), .rows(["two", "> x", ". y"]), .scrollback(["one"])]),
      StageCase(
        "erases text that is no longer shown",
        [
          .show(.of("a long line\nand more|").with { $0.rows = [StyledText("hint")] }),
          .show("a|"), .rows(["> a"]),
        ]),
      StageCase(
        "shows the beginning of a line of output above the block, and continues it",
        [
          .show("x|"), .output("1 of 2, "), .rows(["1 of 2,", "> x"]), .cursor(1, 3),
          .show("xy|"), .rows(["1 of 2,", "> xy"]),
          .output("2 of 2\nnext"), .rows(["1 of 2, 2 of 2", "next", "> xy"]),
          .finish("xy|"), .rows(["1 of 2, 2 of 2", "next", "> xy"]),
        ]),
      StageCase(
        "shows as much of an unfinished line as the block leaves room for", columns: 4, rows: 3,
        [
          .show("x|"), .output("aaaabbbbccccdddd"), .rows(["cccc", "dddd", "> x"]),
          .show("x\ny|"), .rows(["dddd", "> x", ". y"]),
        ]),
      StageCase(
        "leaves the text of a block that was never shown", after: "before",
        [.finish("x\ny|"), .rows(["before", "> x", ". y"]), .cursor(3, 0)]),
      StageCase(
        "clears the screen and continues at its top", after: "before\r\n",
        [.show("x|"), .clear, .show("x|"), .rows(["> x"]), .cursor(0, 3)]),
      StageCase(
        "shows output above the block", after: "before\r\n",
        [
          .show("x|\ny"), .output("hello\nworld\n"),
          .rows(["before", "hello", "world", "> x", ". y"]), .cursor(3, 3),
        ]),
      StageCase(
        "scrolls output away when the screen is full", rows: 4,
        [
          .show("x|\ny"), .output("1\n2\n3\n4\n5\n6\n"), .rows(["5", "6", "> x", ". y"]),
          .scrollback(["1", "2", "3", "4"]),
        ]),
      StageCase(
        "keeps the block whole when a program moves the cursor or clears the screen",
        [
          .show("x|"), .output("\u{1B}[2J\u{1B}[Habc\n"), .rows(["abc", "> x"]),
          .show("xy|"), .rows(["abc", "> xy"]),
        ]),
      StageCase(
        "shows a row below the cursor while a program waits, and takes it away",
        after: "before\r\nabc",
        [
          .wait("| 1 s"), .rows(["before", "abc", "| 1 s"]), .cursor(1, 3),
          .output("def\nghi"), .rows(["before", "abcdef", "ghi", "| 1 s"]),
          .wait(nil), .rows(["before", "abcdef", "ghi"]), .cursor(2, 3),
        ]),
      StageCase(
        "shows the waiting row at the screen's bottom, too", rows: 3, after: "1\r\n2\r\nabc",
        [
          .wait("wait"), .output("def\n"), .rows(["abcdef", "", "wait"]),
          .wait(nil), .rows(["abcdef"]),
        ]),
    ])
  func steps(example: StageCase) { example.check() }

  @Test("begins a new row after output without a line break", arguments: [1, 10, 19, 20])
  func beginsNewRow(length: Int) {
    let text = String(repeating: "a", count: length)
    var stage = Stage(after: text)
    stage.show("x|")
    #expect(stage.rows == [text, "> x"])
  }

  @Test("writes no more than the difference")
  func smallestDifference() {
    var renderer = Renderer(screen: ScreenSize(columns: 80, rows: 24), usesColors: true)
    var layout = DisplayLayout()
    let screen = ScreenSize(columns: 80, rows: 24)
    _ = renderer.draw(layout.frame(of: .of("print(|\nend"), on: screen))
    #expect(renderer.draw(layout.frame(of: .of("print(1|\nend"), on: screen)) == Array("1".utf8))
    #expect(renderer.draw(layout.frame(of: .of("print(1|\nend"), on: screen)).isEmpty)
  }

  @Test("without colors, shows the other styles, and gray as dim")
  func styles() {
    let view = EditorView.of("|").with { $0.lines = [StyledText("x", Style(.red, bold: true))] }
    var colored = Stage()
    colored.show(view)
    #expect(colored.screen.cell(0, 2).style.color == 31)
    #expect(colored.screen.cell(0, 2).style.isBold)
    var plain = Stage(usesColors: false)
    plain.show(view.with { $0.ghost = StyledText("y", Style(.gray)) })
    #expect(plain.screen.cell(0, 2).style.isBold)
    #expect(plain.screen.cell(0, 3).style.isDim)
    #expect((2...3).allSatisfy { plain.screen.cell(0, $0).style.color == nil })
  }

  @Test(
    "shows the printable text of an unfinished line",
    arguments: [
      ("10%\r20%", ["20%"]), ("10%\r", ["10%"]), ("\u{1B}[31mred\u{1B}[0m", ["red"]),
      ("\u{1B}[2J\u{1B}]0;title\u{7}\u{1B}[", []),
      ("\u{1B}]0;ti", []), ("a long line in two rows", ["a long line in two r", "ows"]),
      ("世界", ["世界"]),
    ])
  func unfinishedText(output: String, rows: [String]) {
    var stage = Stage()
    stage.show("x|")
    stage.output(output)
    #expect(stage.rows == (rows.isEmpty ? [""] : rows) + ["> x"])
  }

  @Test("leaves the text and erases hints, suggestions and status at the end")
  func finishes() {
    var stage = Stage(after: "before\r\n")
    let view = EditorView.of("if x|\nend").with {
      $0.rows = [StyledText("hint")]
      $0.status = StyledText("status")
      $0.ghost = StyledText(" ghost")
    }
    stage.show(view)
    stage.finish(view)
    #expect(stage.rows == ["before", "> if x", ". end"])
    #expect(stage.cursor == [3, 0])
  }

  @Test("leaves the whole text of a block that is taller than the screen")
  func finishesTall() {
    var stage = Stage(rows: 4, after: "before\r\n")
    let view = EditorView.of((1...9).map(String.init).joined(separator: "\n") + "|")
    stage.show(view)
    stage.finish(view)
    #expect(
      stage.screen.transcript
        == (["before", "> 1"] + (2...9).map { ". \($0)" }).joined(separator: "\n"))
  }

  @Test("shows output above a block that fills the screen")
  func outputAboveTallBlock() {
    var stage = Stage(rows: 4)
    let view = EditorView.of((1...9).map(String.init).joined(separator: "\n") + "|")
    stage.show(view.with { $0.status = StyledText("status") })
    stage.output("a\n")
    stage.output("b\n")
    #expect(stage.rows == [". 7", ". 8", ". 9", "status"])
    #expect(stage.screen.transcript.hasPrefix("a\nb\n"))
  }

  @Test("writes a line when it is complete, or when the block ends")
  func completedLine() {
    var stage = Stage()
    stage.show("x|")
    stage.output("\u{1B}[31m10%")
    #expect(stage.screen.cell(0, 0).style.color == nil)
    stage.output("...20%\nand")
    #expect(stage.rows == ["10%...20%", "and", "> x"])
    #expect(stage.screen.cell(0, 0).style.color == 31)
    #expect(stage.screen.cell(1, 0).style.color == nil)
    stage.finish("x|")
    #expect(stage.rows == ["10%...20%", "and", "> x"])
  }

  @Test("holds back a sequence or a character that isn't complete")
  func splitSequences() {
    var stage = Stage()
    stage.show("x|")
    let bytes = Array("a\u{1B}[31mé世\u{1B}[0m\u{1B}]0;title\u{7}b\n".utf8)
    for byte in bytes { stage.draw { $0.write(output: byte == 0x0A ? [0x0D, 0x0A] : [byte]) } }
    #expect(stage.rows == ["aé世b", "> x"])
    #expect(stage.screen.cell(0, 1).style.color == 31)
  }

  @Test("writes lines below an unfinished one")
  func linesAbove() {
    var stage = Stage()
    stage.show("x|")
    stage.output("10%")
    stage.draw { $0.write(lines: StyledText("task\u{1B} done")) }
    #expect(stage.rows == ["10%", "task\\x1b done", "> x"])
  }

  @Test("redraws for a narrower screen", arguments: [false, true])
  func narrower(reflows: Bool) {
    var stage = Stage(columns: 20, rows: 8, after: "before\r\n")
    let view = EditorView.of("abcdefghijklmnopqr\nstuv|")
    stage.show(view)
    stage.resize(columns: 12, rows: 8, reflows: reflows, showing: view)
    #expect(stage.rows == ["before", "> abcdefghij", "klmnopqr", ". stuv"])
    #expect(stage.cursor == [3, 6])
  }

  @Test("redraws for a wider screen", arguments: [false, true])
  func wider(reflows: Bool) {
    var stage = Stage(columns: 12, rows: 8, after: "before\r\n")
    let view = EditorView.of("abcdefghijklmnopqr\nst|uv")
    stage.show(view)
    stage.resize(columns: 40, rows: 5, reflows: reflows, showing: view)
    #expect(stage.rows == ["before", "> abcdefghijklmnopqr", ". stuv"])
    #expect(stage.cursor == [2, 4])
  }

  @Test("leaves nothing behind through many sizes", arguments: [false, true])
  func manySizes(reflows: Bool) {
    var stage = Stage(columns: 40, rows: 12, after: "before\r\n")
    let view = EditorView.of("local function f(a, b)\n  return a + b * 12|345\nend")
    stage.show(view)
    for columns in [30, 24, 17, 26, 14, 60] {
      stage.resize(columns: columns, rows: 12, reflows: reflows, showing: view)
    }
    #expect(
      stage.rows == ["before", "> local function f(a, b)", ".   return a + b * 12345", ". end"])
  }
}
