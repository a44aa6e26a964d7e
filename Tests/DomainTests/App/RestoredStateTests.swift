import Foundation
import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Restored records")
struct RestoredStateTests {
  private func todo(ids: [Int]) throws -> Store {
    var state = States()
    try App.schema.reduce(&state, .asked(Todo.fetch, Source(), number: 1))
    try App.schema.reduce(
      &state,
      .answered(Todo.fetch, ids.map { Todo.Item(id: $0, text: "old") }, number: 1))
    return Store(App.schema, states: state)
  }

  @Test("are followed by new ids, found without trying each")
  func ids() throws {
    let store = try todo(ids: Array(1...100_000))
    #expect(try store.addItem("new").id == 100_001)
    #expect(try store.addItem("new").id == 100_002)
  }

  @Test("never share the id of a removed record")
  func removed() throws {
    let journal = InMemoryJournal()
    let session = try JournaledSession(App.schema, in: journal)
    for text in ["milk", "bread", "tea"] { try session.store.addItem(text) }
    try session.store.send(.remove(id: 3), to: Todo.self)
    #expect(try session.store.addItem("new").id == 4)
    try session.store.send(.remove(id: 4), to: Todo.self)
    try session.save()
    let restored = try JournaledSession(App.schema, in: journal)
    #expect(restored.store.state(of: Todo.self).items.map(\.id) == [2, 1])
    #expect(try restored.store.addItem("newer").id > 4)
  }

  @Test("leave a free id even if one has the greatest")
  func greatest() throws {
    let store = try todo(ids: [1, 2, .max])
    #expect(try store.addItem("new").id == 3)
    #expect(store.state(of: Todo.self).items.count == 4)
  }

  @Test("are favorites, through undo, redo, reset and jumps")
  func favorites() throws {
    var state = States()
    for prime in [2, 3, 5] {
      try App.schema.reduce(&state, .favorites(.add(number: prime)))
    }
    let store = Store(App.schema, states: state)
    func favorites() -> [Int] { (0...12).filter(store.states.favorites.contains) }
    #expect(favorites() == [2, 3, 5])
    try store.send(.add(number: 7), to: FavoritePrimes.self)
    try store.send(.remove(number: 3), to: FavoritePrimes.self)
    #expect(favorites() == [2, 5, 7])
    try store.undo(2)
    #expect(favorites() == [2, 3, 5])
    try store.redo()
    #expect(favorites() == [2, 3, 5, 7])
    try store.send(.clear, to: FavoritePrimes.self)
    #expect(favorites() == [])
    try store.undo()
    #expect(favorites() == [2, 3, 5, 7])
    try store.reset()
    #expect(favorites() == [])
    try store.jump(to: 0)
    #expect(favorites() == [2, 3, 5])
  }
}
