import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

/// What `Examples/scenarios/todo.scenario.lua` doesn't show.
@Suite("The search in todo items")
struct TodoTests {
  private let store = Store()

  /// The texts of those of some items that contain a query.
  private func found(_ query: String, in texts: String...) throws -> [String] {
    for (index, text) in texts.enumerated() {
      try store.send(.add(id: index + 1, text: text), to: Todo.self)
    }
    try store.send(.set(query: query), to: Todo.self)
    return store.state(of: Todo.self).filtered.map(\.text)
  }

  @Test(
    "finds those that contain the query, without regard to case in any script",
    arguments: [
      ("IL", "milk"), ("É", "café"), ("é", "CAFÉ"), ("strasse", "Hauptstraße"),
      ("STRAßE", "Hauptstrasse"), ("σίσυφος", "ΣΊΣΥΦΟΣ"), ("Привет", "ПРИВЕТ, мир"),
      // The same letter, composed and decomposed.
      ("caf\u{E9}", "cafe\u{301}"), ("CAFE\u{301}", "caf\u{E9}"), ("İ", "i\u{307}"), ("FF", "ﬀ"),
      // After one of its own prefixes.
      ("aab", "AAAB"), ("abac", "abababac"), ("\0x", "a\0x"),
    ])
  func filters(query: String, text: String) throws {
    #expect(try found(query, in: "bread", text) == [text])
  }

  @Test("tells letters apart that differ by more than their case", arguments: ["I", "e"])
  func filtersOtherLetters(query: String) throws {
    #expect(try found(query, in: "ı", "é") == [])
  }

  @Test("takes time linear in the length of the texts")
  func filtersLongTexts() throws {
    func cost(length: Int) throws -> Duration {
      let text = String(repeating: "x", count: length)
      try store.reset()
      try store.send(.add(id: 1, text: text + text), to: Todo.self)
      try store.send(.set(query: text + "y"), to: Todo.self)
      return ThreadTime.measure { #expect(store.state(of: Todo.self).filtered == []) }
    }
    #expect(try cost(length: 100_000) < cost(length: 10_000) * 40 + .milliseconds(500))
  }
}
