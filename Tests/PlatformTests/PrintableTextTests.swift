import Testing

@testable import PrimereplPlatform

@Suite("Printable text")
struct PrintableTextTests {
  @Test(
    "has no scalar that commands a terminal or is invisible",
    arguments: [
      ("\u{0}\u{7}\r", "\\x00\\x07\\r"), ("\u{1B}[2J", "\\x1b[2J"),
      ("\u{7F}\u{9B}", "\\x7f\\u{9b}"),
      ("a\tb\nc", "a\\tb\\nc"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
      ("\u{202E}abc\u{2069}", "\\u{202e}abc\\u{2069}"), ("\u{61C}\u{200F}", "\\u{61c}\\u{200f}"),
      ("a\u{200B}b\u{2060}", "a\\u{200b}b\\u{2060}"), ("\u{FEFF}\u{AD}", "\\u{feff}\\u{ad}"),
      ("\u{3164}\u{FFA0}", "\\u{3164}\\u{ffa0}"), ("\u{E0041}", "\\u{e0041}"),
      ("a\u{FFF9}b\u{FFFB}", "a\\u{fff9}b\\u{fffb}"), ("\u{2062}\u{180E}", "\\u{2062}\\u{180e}"),
      // Tags that make no flag.
      ("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}", "\u{1F3F4}\\u{e0067}\\u{e0062}\\u{e007f}"),
      (String(systemBytes: [0x61, 0xFF]), "a\\xff"),
    ])
  func escapes(text: String, printable: String) {
    #expect(text.printable == printable)
    #expect(printable.printable == printable)
  }

  @Test(
    "is any visible text, with its marks, joiners and quotes",
    arguments: [
      "", "plain \"quoted\" \\", "é e\u{301} ñ", "日本語 한국어", "שלום سلام", "👩‍👩‍👧 ❤️ 🇪🇺",
      "a🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}b🏴", "می‌خواهم",
      "\u{600}", "\u{E000}", "\u{378}",
    ])
  func visible(text: String) {
    #expect(text.printable.isExactly(text))
  }

  @Test("has no noncharacters")
  func noncharacters() {
    for value: UInt32 in [0xFDD0, 0xFFFE, 0x10FFFF] {
      #expect(Unicode.Scalar(value)?.isPrintable == false)
    }
  }

  @Test("keeps line ends and tabs where lines are shown")
  func lines() {
    #expect("a\n\tb\r\n".printableLines == "a\n\tb\\r\n")
  }

  @Test("is cut off before it is escaped")
  func limit() {
    #expect("abc".printable(limit: 3) == "abc")
    #expect("abcd".printable(limit: 3) == "abc…")
    #expect("\u{1B}\u{1B}\u{1B}".printable(limit: 2) == "\\x1b\\x1b…")
  }

  @Test(
    "has the columns that terminals give it",
    arguments: [
      ("a", 1), ("é", 1), ("\u{301}", 0), ("日", 2), ("🎉", 2), ("\u{200D}", 0), ("\u{600}", 1),
    ])
  func columns(scalar: Unicode.Scalar, columns: Int) {
    #expect(scalar.columns == columns)
  }
}
