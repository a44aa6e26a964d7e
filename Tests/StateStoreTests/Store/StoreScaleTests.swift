import SampleFeatures
import Testing

@testable import StateStore

/// The cost of an action must not depend on the size of the state: copying, comparing or encoding a collection of this size
/// for each action would take hundreds of times as long.
@Suite("A store with many records", .serialized)
struct StoreScaleTests {
  private static let repetitions = 1000

  private func store(records: Int) throws -> Store {
    var states = States()
    try states[Notes.self].items.replaceAll(
      with: (0..<records).map { Notes.Note(id: $0, text: "note \($0)") })
    try states[Numbers.self].list.replaceAll(
      with: (0..<records).map(Numbers.Number.init))
    try states[People.self].list.replaceAll(
      with: (0..<records).map { People.Person(id: $0, name: "", age: 1) })
    return Store(states: states)
  }

  private static let actions: [@Sendable (Int) -> StoreAction] = [
    { .counter(.set(count: $0 + 1)) },
    { _ in .numbers(.toggle(number: 1_000_003)) },
    { .notes(.add(id: 1_000_000 + $0, text: "new \($0)")) },
    { .notes(.finish(id: $0)) },
    { .notes(.rename(id: $0, text: "other \($0)")) },
    { .notes(.set(query: "query \($0)")) },
    { .people(.setAge(id: $0, age: 2)) },
  ]

  @Test(
    "applies an action on one record as fast as one with few records", arguments: [false, true])
  func actions(isObserved: Bool) throws {
    let few = try store(records: 1000)
    let many = try store(records: 100_000)
    var reports = 0
    if isObserved {
      for store in [few, many] { try store.observe("") { _ in reports += 1 } }
    }
    for action in Self.actions {
      try expectSameCost(few: few, many: many, repetitions: Self.repetitions) { store, index in
        try store.send(action(index))
      }
    }
    #expect(reports == (isObserved ? 2 * Self.actions.count * Self.repetitions : 0))
  }

  /// A list that logs its edits, as an action does.
  private final class LoggingList {
    var list = RecordList<Notes.Note>()
    let session = ListLogSession()

    init(edits: Int) throws {
      list.startLog(session)
      for id in 0..<edits { try list.append(Notes.Note(id: -1 - id, text: "")) }
    }
  }

  @Test("edits a list as fast after many edits of one action as after a few")
  func manyEdits() throws {
    try expectSameCost(
      few: LoggingList(edits: 10), many: LoggingList(edits: 20_000), repetitions: 5_000
    ) { logging, index in
      try logging.list.append(Notes.Note(id: index, text: ""))
    }
  }
}
