import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("Input history")
struct InputHistoryTests {
  @Test("has each entry once, where it was entered last")
  func unique() {
    let history = InputHistory(entries: ["a", "b", "c"])
    #expect(history.add("a") == "a")
    #expect(history.entries == ["b", "c", "a"])
    #expect(history.add("x\ny\n\n") == "x\ny")
    #expect(history.entries.last == "x\ny")
  }

  @Test("keeps no blank entries, and none that begin with a space")
  func notKept() {
    let history = InputHistory()
    for entry in ["", "  ", "\n", " x = 1"] {
      #expect(history.add(entry) == nil)
    }
    #expect(history.entries.isEmpty)
    #expect(history.add("x = 1") == "x = 1")
  }

  @Test("finds entries by their beginning, byte by byte, in both directions")
  func prefixes() {
    let history = InputHistory(entries: [
      "counter.count", "counter.ask", "é", "e\u{301}x", "c", "counter.count = 1", "\0",
    ])
    #expect(history.index(before: 7, withPrefix: "counter.c") == 5)
    #expect(history.index(before: 5, withPrefix: "counter.c") == 0)
    #expect(history.index(before: 0, withPrefix: "c") == nil)
    #expect(history.index(after: 0, withPrefix: "counter.count = 12") == nil)
    #expect(history.index(after: 0, withPrefix: "c") == 1)
    #expect(history.index(before: 7, withPrefix: "") == 6)
    #expect(history.index(before: 7, withPrefix: "c\0") == nil)
    // A letter isn't the beginning of the same letter with an accent.
    #expect(history.index(before: 7, withPrefix: "e") == nil)
    #expect(history.index(before: 900, withPrefix: "c") == 5)
    #expect(history.index(after: -900, withPrefix: "c") == 0)
  }

  @Test("suggests the newest longer entry")
  func suggestions() {
    let history = InputHistory(entries: ["abc", "abd", "ab"])
    #expect(history.suggestion(for: "a") == "ab")
    #expect(history.suggestion(for: "ab") == "abd")
    #expect(history.suggestion(for: "abc") == nil)
    #expect(history.suggestion(for: "") == nil)
    _ = history.add("abz")
    #expect(history.suggestion(for: "ab") == "abz")
  }
}
