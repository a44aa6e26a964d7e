import TerminalSupport
import Testing

@Suite("Terminal text")
struct TerminalTextTests {
  @Test(
    "omits control sequences",
    arguments: [
      ("plain\ttext\n", "plain\ttext\n"),
      ("a\r\nb\u{8}\u{7}", "a\nb"),
      ("\u{1B}[1m\u{1B}[36m>\u{1B}[0m x", "> x"),
      ("a\u{1B}[10;20Hb\u{1B}[Kc", "abc"),
      ("\u{1B}]0;title\u{7}a\u{1B}]8;;link\u{1B}\\b", "ab"),
      ("\u{1B}(Ba\u{1B}=b\u{1B}Mc", "abc"),
      ("wörld 日本 🎉", "wörld 日本 🎉"),
    ])
  func leavesOutSequences(shown: String, text: String) {
    #expect(TerminalText.plain(shown.utf8) == text)
  }

  @Test("decodes any prefix of the output to a prefix of the text")
  func isIncremental() {
    let shown = Array("> \u{1B}[36mab\u{1B}[K\u{1B}]0;t\u{7}c\r\nd".utf8)
    let whole = TerminalText.plain(shown)
    for count in 0...shown.count {
      #expect(whole.hasPrefix(TerminalText.plain(shown.prefix(count))))
    }
  }
}
