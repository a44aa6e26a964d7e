import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

/// The cost of an action must not depend on the size of the state.
@Suite("The app with many records", .serialized)
struct AppScaleTests {
  /// A store with a number of records in two lists.
  private func store(records: Int) throws -> Store {
    var states = App.schema.initial
    try states[Todo.self].items.replaceAll(
      with: (0..<records).map { Todo.Item(id: $0, text: "item \($0)") })
    try states[FavoritePrimes.self].primes.replaceAll(
      with: (0..<records).map(FavoritePrime.init))
    return Store(App.schema, states: states)
  }

  @Test(
    "applies an action on one record as fast as with few",
    arguments: [
      { _ in .favorites(.toggle(number: 1_000_003)) },
      { .todo(.add(id: 1_000_000 + $0, text: "new \($0)")) },
      { .todo(.complete(id: $0)) }, { .todo(.rename(id: $0, text: "other \($0)")) },
      { .todo(.set(query: "query \($0)")) },
    ] as [@Sendable (Int) -> StoreAction])
  func actions(action: @Sendable (Int) -> StoreAction) throws {
    func cost(records: Int) throws -> Duration {
      let store = try store(records: records)
      return try ThreadTime.measure { for index in 0..<1000 { try store.send(action(index)) } }
    }
    // A hundred times as many records; the margin is for storage that grows.
    let few = try cost(records: 1000)
    #expect(try cost(records: 100_000) < few * 10 + .milliseconds(500))
  }
}
