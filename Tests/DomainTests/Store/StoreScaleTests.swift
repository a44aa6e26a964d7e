import Testing

@testable import Domain
@testable import StateStore

/// Actions must cost the same whatever the size of the state: copying, comparing or encoding a
/// collection of this size for each action would take hundreds of times as long.
@Suite("Store with much state", .serialized)
struct StoreScaleTests {
  private static let repetitions = 1000

  /// A state with that many records in each of its lists.
  private func state(records: Int) throws -> States {
    var state = States()
    try state.todo.items.replaceAll(
      with: (0..<records).map { Todo.Item(id: $0, text: "item \($0)") })
    state.favorites = try FavoritePrimes.State((0..<records).map(FavoritePrime.init))
    return state
  }

  /// Expects that something costs about the same with few and with many records.
  private func expectSameCost(
    few: Store, many: Store, sourceLocation: SourceLocation = #_sourceLocation,
    of body: (Store, Int) throws -> Void
  ) throws {
    func duration(on store: Store) throws -> Duration {
      try ContinuousClock().measure {
        for index in 0..<Self.repetitions { try body(store, index) }
      }
    }
    let expected = try duration(on: few)
    // 100 times as many records; the margin is for a busy machine and for storage that grows.
    #expect(
      try duration(on: many) < expected * 10 + .milliseconds(500), sourceLocation: sourceLocation)
  }

  private static let actions: [@Sendable (Int) -> StoreAction] = [
    { .counter(.set(count: $0 + 1)) },
    { _ in .favorites(.toggle(number: 1_000_003)) },
    { .todo(.add(id: 1_000_000 + $0, text: "new \($0)")) },
    { .todo(.complete(id: $0)) },
    { .todo(.rename(id: $0, text: "other \($0)")) },
    { .todo(.set(query: "query \($0)")) },
  ]

  @Test("no action on one record costs more because there are many", arguments: [false, true])
  func actions(isObserved: Bool) throws {
    let few = Store(App.schema, states: try state(records: 1000))
    let many = Store(App.schema, states: try state(records: 100_000))
    var reports = 0
    if isObserved {
      for store in [few, many] { try store.observe("") { _ in reports += 1 } }
    }
    for action in Self.actions {
      try expectSameCost(few: few, many: many) { store, index in try store.send(action(index)) }
    }
    #expect(reports == (isObserved ? 2 * Self.actions.count * Self.repetitions : 0))
  }

  @Test("membership of the favorites costs the same however many there are")
  func membership() throws {
    let few = Store(App.schema, states: try state(records: 1000))
    let many = Store(App.schema, states: try state(records: 100_000))
    try expectSameCost(few: few, many: many) { store, index in
      #expect(store.state(of: FavoritePrimes.self).contains(index))
      #expect(!store.state(of: FavoritePrimes.self).contains(-1 - index))
    }
  }
}
