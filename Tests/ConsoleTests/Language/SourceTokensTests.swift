import TestSupport
import Testing

@testable import Console

@Suite("Language: tokens of a text that changes")
struct SourceTokensTests {
  private static let pieces = [
    "local ", "end", "x", "(", ")", "[", "]", "=", "==", "...", "..", ".", "::", "'", "\"", "\\",
    "\\z", "[[",
    "]]", "[=[", "]=]", "--", "--[[", "--[==", "\n", "\n", "\r", " ", "1", ".5", "0x", "1e", "+",
    "é", "\u{301}",
  ]

  @Test("are the same after an edit as those of the new text alone", arguments: 0..<4)
  func edits(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    var source = SourceTokens(bytes)
    for _ in 0..<1000 {
      let start = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &generator))
      let pieces = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        Self.pieces.randomElement(using: &generator) ?? ""
      }
      bytes.replaceSubrange(start..<end, with: pieces.joined().utf8)
      source = SourceTokens(bytes, reusing: source)
      let expected = SourceTokens(bytes)
      #expect(source.tokensAndComments == expected.tokensAndComments)
      #expect(source.tokens == expected.tokens)
      #expect(source.endsInComment == expected.endsInComment)
    }
  }

  @Test("depend on the text alone, whatever was asked about before")
  @MainActor
  func questions() throws {
    let fixture = try AssistantFixture()
    let assistant = fixture.assistant
    let block = "do\n  counter.increment(1,\n"
    _ = assistant.styles(of: block + "2)\nend")
    #expect(assistant.indentation(after: block) == 4)
    #expect(assistant.hint(for: block, at: block.utf8.count) != nil)
    #expect(assistant.hint(for: "print(", at: 6)?.text.hasPrefix("print(") == true)
    #expect(assistant.matchingBrackets(in: "(a)", at: 0)?.close == 2..<3)
  }
}
