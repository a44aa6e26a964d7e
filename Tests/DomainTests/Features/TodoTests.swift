import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@Suite("Todo")
struct TodoTests {
  let store = Store()

  private var texts: [String] { store.state(of: Todo.self).items.map(\.text) }

  @Test("adding puts the item first, not yet done, and returns it")
  func addsFirst() throws {
    try store.addItem("milk")
    let item = try store.addItem("bread")
    #expect(texts == ["bread", "milk"])
    #expect(item == store.state(of: Todo.self).items[0])
    #expect(!item.done)
  }

  @Test("items are numbered from 1")
  func numbersItems() throws {
    #expect(try store.addItem("milk").id == 1)
    #expect(try store.addItem("bread").id == 2)
  }

  @Test("adding clears the query, and remembers the text as the last one")
  func addingClearsQuery() throws {
    try store.send(.set(query: "br"), to: Todo.self)
    try store.addItem("bread")
    #expect(store.state(of: Todo.self).query == "")
    #expect(store.state(of: Todo.self).lastQuery == "bread")
  }

  @Test(
    "an empty or blank text is refused, and nothing changes", arguments: ["", "  ", "\n\t\u{A0}"])
  func refusesBlank(text: String) throws {
    let item = try store.addItem("milk")
    let before = store.states
    #expect(code { try store.addItem(text) } == "empty_text")
    #expect(
      code { try store.send(.rename(id: item.id, text: text), to: Todo.self) } == "empty_text")
    #expect(store.states == before)
  }

  @Test("items are completed, reopened, renamed and removed by id")
  func changesByID() throws {
    let milk = try store.addItem("milk")
    let bread = try store.addItem("bread")

    try store.send(.complete(id: milk.id), to: Todo.self)
    #expect(store.state(of: Todo.self).items.map(\.done) == [false, true])
    try store.send(.reopen(id: milk.id), to: Todo.self)
    #expect(store.state(of: Todo.self).items.map(\.done) == [false, false])
    try store.send(.rename(id: milk.id, text: "oat milk"), to: Todo.self)
    #expect(texts == ["bread", "oat milk"])
    try store.send(.remove(id: bread.id), to: Todo.self)
    #expect(texts == ["oat milk"])
  }

  @Test("an unknown id is not found, and nothing changes")
  func refusesUnknownID() throws {
    let gone = try store.addItem("milk")
    try store.addItem("bread")
    try store.send(.remove(id: gone.id), to: Todo.self)
    let before = store.states
    #expect(code { try store.send(.complete(id: gone.id), to: Todo.self) } == "not_found")
    #expect(code { try store.send(.reopen(id: gone.id), to: Todo.self) } == "not_found")
    #expect(
      code { try store.send(.rename(id: gone.id, text: "tea"), to: Todo.self) } == "not_found")
    #expect(code { try store.send(.remove(id: gone.id), to: Todo.self) } == "not_found")
    #expect(store.states == before)
  }

  @Test("with an empty query all items are shown")
  func showsAll() throws {
    try store.addItem("milk")
    try store.addItem("bread")
    #expect(store.state(of: Todo.self).filtered.map(\.text) == ["bread", "milk"])
  }

  @Test(
    "the items that contain the query are shown, without regard to case in any script",
    arguments: [
      ("IL", "milk"), ("É", "café"), ("é", "CAFÉ"), ("strasse", "Hauptstraße"),
      ("STRAßE", "Hauptstrasse"), ("σίσυφος", "ΣΊΣΥΦΟΣ"), ("Привет", "ПРИВЕТ, мир"),
      // The same letter, composed and decomposed.
      ("caf\u{E9}", "cafe\u{301}"), ("CAFE\u{301}", "caf\u{E9}"), ("İ", "i\u{307}"), ("FF", "ﬀ"),
      // After one of its own prefixes.
      ("aab", "AAAB"), ("abac", "abababac"), ("\0x", "a\0x"),
    ])
  func filters(query: String, text: String) throws {
    try store.addItem("bread")
    try store.addItem(text)
    try store.send(.set(query: query), to: Todo.self)
    #expect(store.state(of: Todo.self).filtered.map(\.text) == [text])
  }

  @Test("a query that no item contains shows none")
  func filtersAll() throws {
    try store.addItem("milk")
    try store.send(.set(query: "tea"), to: Todo.self)
    #expect(store.state(of: Todo.self).filtered == [])
    #expect(texts == ["milk"])
  }

  @Test("letters that differ by more than their case aren't the same")
  func filtersOtherLetters() throws {
    for text in ["ı", "é"] { try store.addItem(text) }
    for query in ["I", "e"] {
      try store.send(.set(query: query), to: Todo.self)
      #expect(store.state(of: Todo.self).filtered == [])
    }
  }

  @Test("long texts are searched in linear time")
  func filtersLongTexts() throws {
    func cost(length: Int) throws -> Duration {
      let text = String(repeating: "x", count: length)
      try store.reset()
      try store.addItem(text + text)
      try store.send(.set(query: text + "y"), to: Todo.self)
      return ThreadTime.measure { #expect(store.state(of: Todo.self).filtered == []) }
    }
    #expect(try cost(length: 100_000) < cost(length: 10_000) * 40 + .milliseconds(500))
  }

  @Test("the last query is recovered")
  func recovers() throws {
    try store.addItem("milk")
    try store.send(.set(query: "tea"), to: Todo.self)
    try store.send(.recoverLastQuery, to: Todo.self)
    #expect(store.state(of: Todo.self).query == "milk")
  }

  @Test("without a last query recovering fails, and the query stays")
  func recoversNothing() throws {
    try store.send(.set(query: "tea"), to: Todo.self)
    #expect(code { try store.send(.recoverLastQuery, to: Todo.self) } == "nothing_saved")
    #expect(store.state(of: Todo.self).query == "tea")
  }

  @Test("stores share nothing")
  func sharesNothing() throws {
    let other = Store()
    try other.addItem("tea")
    try store.addItem("milk")
    #expect(texts == ["milk"])
    #expect(other.state(of: Todo.self).items.map(\.text) == ["tea"])
  }
}
