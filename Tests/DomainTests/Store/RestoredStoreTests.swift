import Testing

@testable import Domain

@Suite("A store of records that were there before")
struct RestoredStoreTests {
  private func todo(ids: [Int]) throws -> (store: Store, logic: TodoLogic) {
    var state = App.State()
    try state.todo.items.replaceAll(with: ids.map { Todo.Item(id: $0, text: "old") })
    let store = Store(state: state)
    return (store, TodoLogic(store: store, services: .forTests()))
  }

  @Test("gives new records ids after theirs, without trying each of them")
  func ids() throws {
    let (_, logic) = try todo(ids: Array(1...100_000))
    #expect(try logic.add("new").id == 100_001)
    #expect(try logic.add("new").id == 100_002)
  }

  @Test("finds a free id even where the greatest is taken")
  func greatest() throws {
    let (store, logic) = try todo(ids: [1, 2, .max])
    #expect(try logic.add("new").id == 3)
    #expect(store.state.todo.items.count == 4)
  }

  @Test("knows which favorites it was made of, and which came and went")
  func favorites() throws {
    var state = App.State()
    for prime in [2, 3, 5] { try state.favorites.primes.append(FavoritePrime(rawValue: prime)) }
    let store = Store(state: state)
    func favorites() -> [Int] { (0...12).filter(store.isFavorite) }
    #expect(favorites() == [2, 3, 5])
    try store.send(.favorites(.add(number: 7)))
    try store.send(.favorites(.remove(number: 3)))
    #expect(favorites() == [2, 5, 7])
    try store.undo(2)
    #expect(favorites() == [2, 3, 5])
    try store.redo()
    #expect(favorites() == [2, 3, 5, 7])
    try store.send(.favorites(.clear))
    #expect(favorites() == [])
    try store.undo()
    #expect(favorites() == [2, 3, 5, 7])
    try store.reset()
    #expect(favorites() == [])
    try store.jump(to: 0)
    #expect(favorites() == [2, 3, 5])
  }
}
