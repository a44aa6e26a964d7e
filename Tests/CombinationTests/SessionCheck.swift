import Foundation
import StateStore
import Testing

@testable import StateStore

/// A session and those who follow it: what each step must lead to, in the same way for every type and journal.
struct SessionCheck {
  let schema: StoreSchema
  let place: JournalPlace
  let session: JournaledSession
  private let follower: JournaledSession

  init(_ schema: StoreSchema, _ place: JournalPlace) throws {
    (self.schema, self.place) = (schema, place)
    session = try JournaledSession(schema, in: place.open(schema))
    follower = try JournaledSession(schema, in: place.open(schema))
  }

  var store: Store { session.store }

  /// Saves the session: the tables show its state, a process that follows it has the state, and one that opens it has it.
  func save(_ step: String, isReopened: Bool = true) throws {
    try session.save()
    try expectTables(step)
    try follower.reload()
    #expect(follower.store.snapshot == store.snapshot, "followed: \(step)")
    guard isReopened else { return }
    let reopened = try JournaledSession(schema, in: place.open(schema)).store
    #expect(reopened.snapshot == store.snapshot, "reopened: \(step)")
    #expect(reopened.position == store.position, "reopened: \(step)")
  }

  func expectTables(_ step: String) throws {
    guard let tables = place.tables else { return }
    let (found, expected) = (try tables(), try JournalPlace.expected(store.states, schema))
    for (path, value) in expected { #expect(found[path] == value, "\(path): \(step)") }
    #expect(found.count == expected.count, "\(step)")
  }

  /// Makes a step, saves it, undoes it, and redoes it.
  func make(_ step: String, _ body: () async throws -> Void) async throws {
    let (position, before) = (store.position, store.snapshot)
    try await body()
    let after = store.snapshot
    try save(step, isReopened: false)
    try store.undo(store.position - position)
    #expect(store.snapshot == before, "undone: \(step)")
    try save("undone: \(step)", isReopened: false)
    try store.jump(to: store.reachable.upperBound)
    #expect(store.snapshot == after, "redone: \(step)")
    try save("redone: \(step)")
    guard position < store.position else { return }
    try takeBack(position + 1...store.position, step, before)
    try store.undo()
    #expect(store.snapshot == after, "not taken back any more: \(step)")
    try save("not taken back any more: \(step)")
  }

  /// Takes actions back by the opposite changes, unless they can't be told from other changes.
  private func takeBack(_ numbers: ClosedRange<Int>, _ step: String, _ before: StateValue) throws {
    do {
      let history = store.point.history
      let changes = try numbers.flatMap { try schema.changes(by: history.delta(of: $0)) }
      try store.send(StoreAction(.takeBack(numbers, changes.reversed().map(\.inverse))))
    } catch let error as ChangeError where error.code == "not_separable" {
      return try store.send(.reset)
    }
    #expect(store.snapshot == before, "taken back: \(step)")
    try save("taken back: \(step)")
  }

  /// Exports the state, and imports it after a reset: what is imported is exported, saved and reopened as it was.
  func exportAndImport() throws {
    let document = StateDocument.json(of: store.states, schema)
    try store.reset()
    try save("reset")
    let states = try StateDocument.states(from: Data(document.utf8), schema)
    try store.send(.restore(states, source: "state.json"))
    #expect(StateDocument.json(of: store.states, schema) == document)
    try save("imported")
  }
}
