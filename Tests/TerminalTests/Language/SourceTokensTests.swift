import Testing

@testable import PrimereplTerminal

@Suite("Language: tokens of a text that changes")
struct SourceTokensTests {
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
