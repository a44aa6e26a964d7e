import Testing

@testable import Domain

@Suite("Looking for a text in others")
struct FoldedQueryTests {
  @Test(
    "finds it wherever it is, also where a beginning of it comes first",
    arguments: [
      ("aab", "aaab"), ("abac", "abababac"), ("aaa", "aaa"), ("b", "aab"), ("", "a"), ("", ""),
      ("\0b", "a\0b"), ("e\u{301}", "caf\u{E9}s"),
    ])
  func found(query: String, text: String) {
    #expect(FoldedQuery(query).isFound(in: text))
  }

  @Test("doesn't find what isn't there", arguments: [("aac", "aabaa"), ("ab", "ba"), ("a", "")])
  func notFound(query: String, text: String) {
    #expect(!FoldedQuery(query).isFound(in: text))
  }

  @Test("takes time for each text once, not for each place of it", .timeLimit(.minutes(1)))
  func long() {
    let text = String(repeating: "x", count: 200_000)
    #expect(!FoldedQuery(text + "y").isFound(in: text + text))
    let marks = String(repeating: "\u{301}", count: 100_000)
    #expect(!FoldedQuery(marks).isFound(in: String(repeating: "\0", count: 200_000)))
  }
}
