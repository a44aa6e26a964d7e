import SampleFeatures
import Testing

@testable import StateStore

/// A sum whose reducer counts its runs in a test.
private enum Sum: Feature {
  final class Runs: Sendable {
    nonisolated(unsafe) var count = 0
  }

  /// Of the test that runs; its code runs on one thread.
  @TaskLocal static var runs: Runs?

  struct State: Codable, Equatable, Sendable { var total = 0 }
  enum Action: Codable, Equatable, Sendable { case add(Int), double }
  struct Nothing: Error {}

  static let name = "sum"
  static var initial: State { State() }
  static let fields: [Field<Sum>] = [.value("total", \.total)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    runs?.count += 1
    switch action {
    case .add(let amount):
      state.total += amount
      guard amount != 0 else { throw Nothing() }
    case .double: state.total *= 2
    }
  }
}

/// The same in a version whose reducer does something else.
private enum OtherSum: Feature {
  typealias State = Sum.State
  typealias Action = Sum.Action

  struct Refusal: Error {}

  static let name = "sum"
  static var initial: State { State() }
  static let fields: [Field<OtherSum>] = [.value("total", \.total)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    guard case .add(let amount) = action else { throw Refusal() }
    state.total -= amount
  }
}

/// What actions changed is in the history: only new actions run a reducer.
@Suite("The reducer")
struct ReducerRunTests {
  private let journal = InMemoryJournal()
  private let schema: StoreSchema
  private let otherSchema: StoreSchema

  init() throws {
    schema = try StoreSchema(features: [Sum.self])
    otherSchema = try StoreSchema(features: [OtherSum.self])
  }

  private func session() throws -> JournaledSession {
    try JournaledSession(schema, in: journal)
  }

  private func otherSession() throws -> JournaledSession {
    try JournaledSession(otherSchema, in: journal)
  }

  private func total(_ session: JournaledSession) -> Int {
    session.store.state(of: Sum.self).total
  }

  private func otherTotal(_ session: JournaledSession) -> Int {
    session.store.state(of: OtherSum.self).total
  }

  /// Makes the total 1, 3, 6, 12 and 16.
  private func act(in store: Store) throws {
    for action: Sum.Action in [.add(1), .add(2), .add(3), .double, .add(4)] {
      try store.send(action, to: Sum.self)
    }
  }

  @Test("runs once for each action, and not for undo, redo and jumps")
  func travel() throws {
    let runs = Sum.Runs()
    try Sum.$runs.withValue(runs) {
      let store = Store(schema)
      try store.observe("") { _ in }
      try act(in: store)
      let states = store.states
      try store.undo(4)
      #expect(store.state(of: Sum.self).total == 1)
      try store.redo(2)
      try store.jump(to: 0)
      try store.jump(to: 5)
      #expect(store.states == states)
      _ = try store.history()
    }
    #expect(runs.count == 5)
  }

  @Test("doesn't run again for what a group had done before an action that fails")
  func failure() throws {
    let store = Store(schema)
    let runs = Sum.Runs()
    try Sum.$runs.withValue(runs) {
      try store.group {
        try act(in: store)
        #expect(throws: Sum.Nothing.self) { try store.send(.add(0), to: Sum.self) }
      }
    }
    #expect(runs.count == 6)
    #expect(store.state(of: Sum.self).total == 16)
  }

  @Test("doesn't run when a session is opened, and then undone and redone")
  func reopening() throws {
    let first = try session()
    try act(in: first.store)
    try first.save()
    let runs = Sum.Runs()
    try Sum.$runs.withValue(runs) {
      let second = try session()
      #expect(second.store.states == first.store.states)
      try second.store.undo(5)
      #expect(second.store.states == schema.initial)
      try second.store.redo(5)
      #expect(second.store.states == first.store.states)
    }
    #expect(runs.count == 0)
  }

  @Test("of another process is the only one that runs for its actions")
  func following() throws {
    let (first, other) = (try session(), try otherSession())
    try act(in: first.store)
    try first.save()
    try other.reload()
    #expect(otherTotal(other) == 16)
    try other.store.undo(2)
    try other.save()
    try first.reload()
    #expect(total(first) == 6)
    try first.store.redo()
    try first.save()
    try other.reload()
    #expect(otherTotal(other) == 12)
    #expect(try otherTotal(otherSession()) == 12)
  }

  @Test("runs again only for own actions that aren't saved when others have acted")
  func rebase() throws {
    let (first, other) = (try session(), try otherSession())
    try act(in: first.store)
    try first.save()
    try other.reload()
    try other.store.send(.add(100), to: OtherSum.self)
    try other.save()
    let runs = Sum.Runs()
    try Sum.$runs.withValue(runs) {
      try first.store.send(.double, to: Sum.self)
      try first.save()
    }
    #expect(runs.count == 2)
    #expect(total(first) == (16 - 100) * 2)
  }

  @Test("can be asked to repeat the history, which changes nothing, and says what it refuses")
  func replayed() throws {
    let first = try session()
    try act(in: first.store)
    try first.store.undo()
    try first.save()
    let store = try otherSession().store
    let states = store.states
    let replayed = try store.replayed()
    #expect(replayed.count == 4)
    #expect(replayed.refusals.map(\.number) == [4])
    #expect(replayed.refusals.first?.reason is OtherSum.Refusal)
    #expect(replayed.states.state(of: OtherSum.self, at: 0).total == -6)
    #expect(store.states == states)
    #expect(try first.store.replayed().states == first.store.states)
  }

  @Test("can be asked to repeat what it does again, as an action that can be undone")
  func adopted() throws {
    let first = try session()
    try act(in: first.store)
    try first.save()
    let session = try otherSession()
    try session.store.send(.restore(session.store.replayed().states, source: nil))
    try session.save()
    let reopened = try otherSession()
    #expect(otherTotal(reopened) == -10)
    try reopened.store.undo()
    #expect(otherTotal(reopened) == 16)
  }
}
