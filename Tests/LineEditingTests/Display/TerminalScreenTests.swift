import TerminalSupport
import Testing

@Suite("The model of a terminal's screen")
struct TerminalScreenTests {
  private func screen(columns: Int = 10, rows: Int = 3, _ text: String) -> TerminalScreen {
    var screen = TerminalScreen(columns: columns, rows: rows)
    screen.feed(text)
    return screen
  }

  @Test("wraps only when a character follows the last column")
  func pendingWrap() {
    #expect(screen("0123456789").cursorRow == 0)
    #expect(screen("0123456789\r\n").cursorRow == 1)
    #expect(screen("0123456789a").rows == ["0123456789", "a", ""])
    #expect(screen("0123456789\u{1B}[Ka").rows == ["012345678a", "", ""])
    #expect(screen("\u{1B}[?7l0123456789a").rows == ["012345678a", "", ""])
  }

  @Test("moves a wide character to the next row whole")
  func wide() {
    #expect(screen("012345678世").rows == ["012345678", "世", ""])
    #expect(screen("世界\u{1B}[2Gx").rows == [" x界", "", ""])
    #expect(screen("世\u{1B}[1Gx").rows == ["x", "", ""])
  }

  @Test("joins scalars to characters")
  func clusters() {
    #expect(screen("e\u{301}x").cell(0, 0).text == "e\u{301}")
    #expect(screen("👨‍👩‍👧x").cell(0, 2).text == "x")
    #expect(screen("❤\u{FE0F}x").cell(0, 2).text == "x")
    #expect(screen("12345678👨‍👩‍👧").rows == ["12345678👨‍👩‍👧", "", ""])
  }

  @Test(
    "moves and erases",
    arguments: [
      ("abc\r_", "_bc"), ("abc\u{8}_", "ab_"), ("a\tb", "a       b"),
      ("abc\u{1B}[2G\u{1B}[K", "a"), ("abc\u{1B}[1;2H_", "a_c"),
      ("a\u{1B}7\r\nbc\u{1B}8d\u{1B}[J", "ad"), ("\u{1B}]0;title\u{7}a\u{1B}Px\u{1B}\\b", "ab"),
      ("ab\r\nc\u{1B}[A\u{1B}[Kd", "ad\nc"), ("a\u{1B}[2J\u{1B}[Hb", "b"), ("a\u{1B}[>1;2xb", "ab"),
    ])
  func sequences(text: String, shown: String) {
    #expect(screen(text).text == shown)
  }

  @Test("cuts rows off, or continues them, when it gets narrower")
  func resizing() {
    var cut = screen("0123456789ab\r\nc")
    cut.resize(columns: 6, rows: 3)
    #expect(cut.rows == ["012345", "ab", "c"])
    var reflowed = screen(rows: 4, "0123456789ab\r\nc")
    reflowed.resize(columns: 6, rows: 4, reflows: true)
    #expect(reflowed.rows == ["012345", "6789ab", "c", ""])
    #expect(reflowed.cursorRow == 2)
    reflowed.resize(columns: 12, rows: 4, reflows: true)
    #expect(reflowed.rows == ["0123456789ab", "c", "", ""])
  }
}
