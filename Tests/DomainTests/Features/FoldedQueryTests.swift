import Testing

@testable import Domain
@testable import StateStore
import Platform

@Suite("Searching for a query in texts")
struct FoldedQueryTests {
  @Test(
    "finds it anywhere, even after one of its prefixes",
    arguments: [
      ("aab", "aaab"), ("abac", "abababac"), ("aaa", "aaa"), ("b", "aab"), ("", "a"), ("", ""),
      ("\0b", "a\0b"), ("e\u{301}", "caf\u{E9}s"),
    ])
  func found(query: String, text: String) {
    #expect(FoldedQuery(query).isFound(in: text))
  }

  @Test("doesn't find other texts", arguments: [("aac", "aabaa"), ("ab", "ba"), ("a", "")])
  func notFound(query: String, text: String) {
    #expect(!FoldedQuery(query).isFound(in: text))
  }

  @Test("folds letters with any number of marks as letters with few", .timeLimit(.minutes(5)))
  func manyMarks() {
    // Of the classes 230, 220, 240 and 1, two that are decomposed, and one of class 0 that is decomposed into marks.
    let marks = ["\u{301}", "\u{323}", "\u{345}", "\u{334}", "\u{344}", "\u{F73}", "\u{1DC4}"]
    for count in 1...300 {
      let word = "E\u{323}" + (0..<count).map { marks[($0 * $0 + $0 / 3) % marks.count] }.joined()
      let folded = word.folding(options: .caseInsensitive, locale: nil)
      #expect(
        CaseFolding.fold("É" + word + "\u{C9}SS").isExactly(
          "é".precomposedStringWithCanonicalMapping
            + folded.precomposedStringWithCanonicalMapping + "\u{E9}ss"))
    }
  }

  @Test("takes linear time in the number of marks", .timeLimit(.minutes(5)))
  func marksTakeNoTime() {
    let text = "e" + String(repeating: "\u{301}\u{323}", count: 200_000)
    #expect(FoldedQuery(text).isFound(in: "x\(text)"))
    #expect(!FoldedQuery("e\u{301}").isFound(in: text))
  }

  @Test(
    "ignores case",
    arguments: [
      ("É", "e\u{301}"), ("é", "E\u{301}"), ("straße", "STRASSE"), ("STRASSE", "straße"),
      ("ΣΟΦΟΣ", "σοφος"), ("σοφος", "ΣΟΦΟΣ"), ("σοφοσ", "σοφος"), ("İ", "i\u{307}"), ("ﬀ", "FF"),
    ])
  func cases(query: String, text: String) {
    #expect(FoldedQuery(query).isFound(in: text))
  }

  @Test("distinguishes other letters", arguments: [("ı", "I"), ("I", "ı"), ("e", "é")])
  func otherLetters(query: String, text: String) {
    #expect(!FoldedQuery(query).isFound(in: text))
  }

  @Test("takes time once for each text, not for each position", .timeLimit(.minutes(5)))
  func long() {
    let text = String(repeating: "x", count: 200_000)
    #expect(!FoldedQuery(text + "y").isFound(in: text + text))
    let marks = String(repeating: "\u{301}", count: 100_000)
    #expect(!FoldedQuery(marks).isFound(in: String(repeating: "\0", count: 200_000)))
  }
}
