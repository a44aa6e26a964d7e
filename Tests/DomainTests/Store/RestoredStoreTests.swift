import Foundation
import Testing

@testable import Domain
@testable import StateStore

@Suite("A store of restored records")
struct RestoredStoreTests {
  private func todo(ids: [Int]) throws -> (store: Store, logic: TodoLogic) {
    var state = States()
    try App.schema.reduce(&state, .todo(.fetchRequested(request: 1)))
    try App.schema.reduce(
      &state,
      .todo(.fetchSucceeded(request: 1, items: ids.map { Todo.Item(id: $0, text: "old") })))
    let store = Store(App.schema, states: state)
    return (store, TodoLogic(store: store, services: .forTests()))
  }

  @Test("gives new records ids after theirs, without trying each of them")
  func ids() throws {
    let (_, logic) = try todo(ids: Array(1...100_000))
    #expect(try logic.add("new").id == 100_001)
    #expect(try logic.add("new").id == 100_002)
  }

  @Test("gives no id of a record that is gone to another")
  func removed() throws {
    let (store, logic) = try todo(ids: [1, 2, 3])
    try store.send(.remove(id: 3), to: Todo.self)
    #expect(try logic.add("new").id == 4)
    let data = try JSONEncoder().encode(store.states)
    let restored = Store(
      App.schema, states: try StateCoding.decoder(for: App.schema).decode(States.self, from: data))
    try restored.send(.remove(id: 4), to: Todo.self)
    #expect(try TodoLogic(store: restored, services: .forTests()).add("newer").id == 5)
  }

  @Test("finds a free id even if the greatest is taken")
  func greatest() throws {
    let (store, logic) = try todo(ids: [1, 2, .max])
    #expect(try logic.add("new").id == 3)
    #expect(store.state(of: Todo.self).items.count == 4)
  }

  @Test("tracks its favorites from the initial ones on")
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
