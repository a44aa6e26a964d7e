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
    try expect(follower.store, has: store.states, "followed: \(step)")
    guard isReopened else { return }
    let reopened = try JournaledSession(schema, in: place.open(schema)).store
    try expect(reopened, has: store.states, "reopened: \(step)")
    let (found, expected) = (reopened.position, store.position)
    #expect(found == expected, "reopened: \(step)")
  }

  /// Expects that another process's store has some states: what is shown and what isn't, except for the texts of secrets.
  private func expect(_ other: Store, has states: States, _ step: String) throws {
    func saved(_ states: States) throws -> String {
      let hidden = try StateCoding.encoder.encode(states)
      return schema.snapshot(of: states).savedJSON + String(decoding: hidden, as: UTF8.self)
    }
    let (found, expected) = (try saved(other.states), try saved(states))
    #expect(found == expected, "\(step)")
  }

  func expectTables(_ step: String) throws {
    guard let tables = place.tables else { return }
    let (found, expected) = (try tables(), try JournalPlace.expected(store.states, schema))
    for (path, value) in expected { #expect(found[path] == value, "\(path): \(step)") }
    #expect(Set(found.keys) == Set(expected.keys), "\(step)")
  }

  /// Makes a step, undoes it, redoes it, takes it back by the opposite changes, and undoes that.
  ///
  /// The step, the undo, and the state without it are saved.
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
    guard position < store.position else { return }
    try takeBack(position + 1...store.position, step, before)
    try store.undo()
    #expect(store.snapshot == after, "not taken back any more: \(step)")
  }

  /// Reopens the session, takes all its steps back and makes them again, by the changes that were saved: with what was known
  /// after each, and saved in between.
  func retrace() throws {
    try save("all steps")
    let numbers = store.reachable
    try readBack(numbers)
    let position = store.position
    for number in [numbers.lowerBound, numbers.upperBound, position] {
      let reopened = try JournaledSession(schema, in: place.open(schema))
      try reopened.store.jump(to: number)
      try reopened.save()
      try session.reload()
      let position = store.position
      #expect(position == number)
      try expect(reopened.store, has: store.states, "saved at \(number)")
      try save("at \(number)")
    }
  }

  /// Goes back and forth through the history in the session as it is reopened.
  private func readBack(_ numbers: ClosedRange<Int>) throws {
    let history = store.contents
    let other = try JournaledSession(schema, in: place.open(schema))
    // Nothing is saved.
    other.onAutosaveDue = {}
    let reopened = other.store
    let (found, expected) = (reopened.reachable, store.reachable)
    #expect(found == expected, "reopened")
    for number in numbers.reversed() + numbers {
      try reopened.jump(to: number)
      try expect(reopened, has: history.states(after: number), "reopened at \(number)")
    }
  }

  /// Takes actions back by the opposite changes, unless they can't be told from other changes.
  private func takeBack(_ numbers: ClosedRange<Int>, _ step: String, _ before: StateValue) throws {
    do {
      let history = store.contents.history
      let changes = try numbers.flatMap { try schema.separableChanges(by: history.delta(of: $0)) }
      try store.send(StoreAction(.takeBack(numbers, changes.reversed().map(\.inverse))))
    } catch let error as ChangeError where error.code == "not_separable" {
      return try store.send(.reset)
    }
    #expect(store.snapshot == before, "taken back: \(step)")
    try save("taken back: \(step)", isReopened: false)
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
