import PrimereplLineEditing
import PrimereplPlatform
import Testing

@Suite("Styled text")
struct StyledTextTests {
  @Test("joins runs of the same style")
  func joins() {
    var text = StyledText("a", .bold)
    text.append(StyledText("b", .bold) + StyledText("c"))
    #expect(text.runs.map(\.text) == ["ab", "c"])
    #expect(text.text == "abc")
  }

  @Test(
    "has the width of each character",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("世界", 4), ("한글", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("ﾊﾝ", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2),
      ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("★", 1), ("▸", 1), ("שלום", 4), ("\u{301}", 1),
      ("\u{1}", 4), ("\u{7F}", 4), ("\u{85}", 6), ("\u{202E}", 8), ("\u{200B}", 8), ("\r\n", 4),
      ("a\tb", 9), ("\u{10FEFF}", 4),
    ])
  func columns(text: String, columns: Int) {
    #expect(StyledText(text).columns == columns)
  }

  @Test(
    "has a width up to a limit",
    arguments: [
      ("", 0, 0), ("", -1, nil), ("abc", 3, 3), ("abc", 2, nil), ("世界", 4, 4), ("世界", 3, nil),
      ("a\tb", 9, 9), ("a\tb", 8, nil),
    ])
  func columns(text: String, limit: Int, columns: Int?) {
    #expect(StyledText(text).columns(upTo: limit) == columns)
  }

  @Test(
    "cuts a text off at a width",
    arguments: [
      ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""), ("", 3, ""),
      ("世界", 4, "世界"), ("世界", 3, "世…"), ("世界", 2, "…"), ("世", 2, "世"), ("a世", 2, "a…"),
      ("hello", -1, ""),
    ])
  func fitted(text: String, columns: Int, expected: String) {
    #expect(StyledText(text).fitted(to: columns).text == expected)
  }

  @Test("keeps styles when it cuts")
  func fittedStyles() {
    let text = StyledText("ab", .bold) + StyledText("cdef", .dim)
    #expect(text.fitted(to: 4).runs.map(\.text) == ["ab", "c…"])
  }

  @Test("fills a text with spaces to a width", arguments: [("世", 4, "世  "), ("abc", 2, "abc")])
  func padded(text: String, columns: Int, expected: String) {
    #expect(StyledText(text).padded(to: columns).text == expected)
  }

  @Test(
    "breaks a text at words",
    arguments: [
      ("one two three", 7, ["one two", "three"]), ("one two", 20, ["one two"]), ("", 5, [""]),
      ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]), ("a\n\nb", 5, ["a", "", "b"]),
      ("  in  out", 6, ["  in", "out"]),
      ("世界世界", 5, ["世界", "世界"]), ("a    b", 3, ["a", "b"]), ("ab  ", 2, ["ab"]),
    ])
  func wrapped(text: String, columns: Int, expected: [String]) {
    #expect(StyledText(text).wrapped(to: columns).map(\.text) == expected)
  }

  @Test("gives sequences for styles, and none without colors")
  func sequences() {
    let text = StyledText("a", Style(.red, bold: true)) + StyledText("b")
    #expect(text.terminalSequence(usingColors: true) == "\u{1B}[0;1;31ma\u{1B}[0mb")
    #expect(text.terminalSequence(usingColors: false) == "\u{1B}[0;1ma\u{1B}[0mb")
  }

  @Test(
    "never lets characters command the terminal",
    arguments: [
      ("\u{1B}[2J", "\\x1b[2J"), ("a\rb", "a\\rb"), ("\u{202E}abc", "\\u{202e}abc"),
      ("\u{E0041}", "\\u{e0041}"), ("a\u{E0041}b", "a\\u{e0041}b"), ("1\u{E0041}", "1\\u{e0041}"),
      (
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
      ),
      ("\u{10FE80}\u{301}", "\\x80\u{25CC}\u{301}"), ("a\tb\nc", "a       b\nc"),
    ])
  func escapes(text: String, expected: String) {
    #expect(StyledText(text).terminalSequence(usingColors: true) == expected)
  }
}
