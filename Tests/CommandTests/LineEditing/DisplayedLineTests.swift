import CLibedit
import Testing

@testable import Console

@Suite("Displayed line")
struct DisplayedLineTests {
  private func row(_ text: String, columns: Int = 10, rows: Int = 24) -> Int {
    DisplayedLine(columns: columns, rows: rows)
      .cursorRow(prompt: "> ".unicodeScalars, text: text.unicodeScalars)
  }

  @Test(
    "returns the cursor's row",
    arguments: [
      ("", 0), ("1234567", 0), ("12345678", 1), ("123456781234567890", 2),
      ("12345678\t", 1), ("\t", 0), ("\t1", 0), ("\t12", 1), ("123\t", 0), ("1234567\t", 1),
      ("\u{1}\u{2}\u{3}", 0), ("\u{1}\u{2}\u{3}\u{4}", 1), ("a\nb", 1),
    ])
  func saysRow(text: String, row: Int) {
    #expect(self.row(text) == row)
  }

  @Test(
    "counts the columns of wide characters, which never straddle two rows",
    arguments: [("日日日", 0), ("日日日日", 1), ("1日日日", 0), ("1日日日日", 1), ("e\u{301}123456", 0)])
  func countsWide(text: String, row: Int) throws {
    // The editor's thread has such a locale, too.
    let locale = try #require(edit_new_utf8_locale())
    let previous = uselocale(locale)
    defer {
      uselocale(previous)
      freelocale(locale)
    }
    #expect(self.row(text) == row)
  }

  @Test("goes to the next row with a wide character at the cursor")
  func goesWithNext() throws {
    let locale = try #require(edit_new_utf8_locale())
    let previous = uselocale(locale)
    defer {
      uselocale(previous)
      freelocale(locale)
    }
    let line = DisplayedLine(columns: 10, rows: 24)
    #expect(line.cursorRow(prompt: [], text: "123456789".unicodeScalars, next: "x") == 0)
    #expect(line.cursorRow(prompt: [], text: "123456789".unicodeScalars, next: "日") == 1)
  }

  @Test("never returns a row below the screen, or in a terminal without a size")
  func staysOnScreen() {
    #expect(row(String(repeating: "x", count: 1000), rows: 5) == 4)
    #expect(row("xyz", columns: 0, rows: 0) == 0)
  }
}
