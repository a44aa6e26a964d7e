internal import PrimereplBridge
internal import PrimereplDomain
internal import StateStore

/// Actions on many records, whose history must not take much more memory than the records do.
@MainActor
struct HistoryCheck {
  let name = "history, 10,000 on a million"

  /// Does the actions, each on other records.
  func memory() throws -> HistoryMemory {
    let before = try HeapMemory.bytes()
    let large = try LargeState(count: 1_000_000)
    let withState = try HeapMemory.bytes()
    let store = Store(App.schema, states: large.states)
    let positions = large.somePositions
    for number in 0..<10_000 {
      let id = positions[number % positions.count] + number / positions.count
      switch number % 4 {
      case 0:
        try store.send(.rename(id: id, text: "something else to do, \(number)"), to: Todo.self)
      case 1: try store.send(.edit(id: id, name: nil, age: number % 150), to: Persons.self)
      case 2:
        try store.send(.add(id: 2_000_000 + number, text: "one more, \(number)"), to: Todo.self)
      default:
        try store.send(.toggle(number: large.someFavorites[number % 1000]), to: FavoritePrimes.self)
      }
    }
    let withHistory = try withExtendedLifetime((large, store)) { try HeapMemory.bytes() }
    return HistoryMemory(state: withState - before, history: withHistory - withState)
  }
}
