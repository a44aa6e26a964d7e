import Testing

@testable import Domain
@testable import StateStore

@Suite("Todo")
struct TodoTests {
  let store = Store()
  let todo: TodoLogic

  init() {
    todo = TodoLogic(store: store, services: .forTests())
  }

  private var texts: [String] { store.state(of: Todo.self).items.map(\.text) }

  @Test("adding puts the item first, not yet done, and returns it")
  func addsFirst() throws {
    try todo.add("milk")
    let item = try todo.add("bread")
    #expect(texts == ["bread", "milk"])
    #expect(item == store.state(of: Todo.self).items[0])
    #expect(!item.done)
  }

  @Test("items are numbered from 1")
  func numbersItems() throws {
    #expect(try todo.add("milk").id == 1)
    #expect(try todo.add("bread").id == 2)
  }

  @Test("adding clears the query, and remembers the text as the last one")
  func addingClearsQuery() throws {
    try store.send(.set(query: "br"), to: Todo.self)
    try todo.add("bread")
    #expect(store.state(of: Todo.self).query == "")
    #expect(store.state(of: Todo.self).lastQuery == "bread")
  }

  @Test(
    "an empty or blank text is refused, and nothing changes", arguments: ["", "  ", "\n\t\u{A0}"])
  func refusesBlank(text: String) throws {
    let item = try todo.add("milk")
    let before = store.states
    #expect(code { try todo.add(text) } == "empty_text")
    #expect(
      code { try store.send(.rename(id: item.id, text: text), to: Todo.self) } == "empty_text")
    #expect(store.states == before)
  }

  @Test("items are completed, reopened, renamed and removed by id")
  func changesByID() throws {
    let milk = try todo.add("milk")
    let bread = try todo.add("bread")

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
    let gone = try todo.add("milk")
    try todo.add("bread")
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
    try todo.add("milk")
    try todo.add("bread")
    #expect(store.state(of: Todo.self).filtered.map(\.text) == ["bread", "milk"])
  }

  @Test(
    "the items that contain the query are shown, without regard to case in any script",
    arguments: [
      ("IL", "milk"), ("É", "café"), ("é", "CAFÉ"), ("strasse", "Hauptstraße"),
      ("STRAßE", "Hauptstrasse"), ("σίσυφος", "ΣΊΣΥΦΟΣ"), ("Привет", "ПРИВЕТ, мир"),
      // The same letter, composed and decomposed.
      ("caf\u{E9}", "cafe\u{301}"), ("CAFE\u{301}", "caf\u{E9}"),
    ])
  func filters(query: String, text: String) throws {
    try todo.add("bread")
    try todo.add(text)
    try store.send(.set(query: query), to: Todo.self)
    #expect(store.state(of: Todo.self).filtered.map(\.text) == [text])
  }

  @Test("a query that no item contains shows none")
  func filtersAll() throws {
    try todo.add("milk")
    try store.send(.set(query: "tea"), to: Todo.self)
    #expect(store.state(of: Todo.self).filtered == [])
    #expect(texts == ["milk"])
  }

  @Test("the last query is recovered")
  func recovers() throws {
    try todo.add("milk")
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
    try TodoLogic(store: other, services: .forTests()).add("tea")
    try todo.add("milk")
    #expect(texts == ["milk"])
    #expect(other.states.todo.items.map(\.text) == ["tea"])
  }

  @Test("a restored store never reuses its items' ids")
  func freshIDs() throws {
    try todo.add("milk")
    try todo.add("bread")
    let restored = Store(App.schema, states: store.states)
    let item = try TodoLogic(store: restored, services: .forTests()).add("tea")
    #expect(item.id == 3)
  }
}
