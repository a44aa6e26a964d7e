import Foundation
import Testing

@testable import Domain
@testable import StateStore

/// A state file has no secrets, so reloading from it must not remove them.
@Suite("Secrets in memory")
struct SecretsInMemoryTests {
  private let file: SQLiteFile
  private let session: JournaledSession

  init() throws {
    file = try SQLiteFile()
    session = try JournaledSession(App.schema, in: file.open())
    try session.store.send(.next, to: SignUp.self)
    try session.store.send(.edit([.password(Secret("hunter22"))]), to: SignUp.self)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
  }

  private var password: Secret { session.store.state(of: SignUp.self).data.password }

  @Test("outlive remote actions and checkpoints")
  func checkpoint() throws {
    let other = try JournaledSession(App.schema, in: file.open())
    try other.store.send(.increment(by: 1), to: Counter.self)
    try other.save()
    try session.reload()
    #expect(password == Secret("hunter22") && !password.isForgotten)
    for _ in 1...5_100 {
      try other.store.undo()
      try other.store.redo()
    }
    try other.save()
    try other.compact()
    try session.reload()
    #expect(password == Secret("hunter22") && !password.isForgotten)
    #expect(session.store.state(of: Counter.self).count == 2)
  }

  @Test("don't make a session's own actions remote")
  func own() throws {
    let other = try JournaledSession(App.schema, in: file.open())
    for _ in 1...5_100 {
      try other.store.undo()
      try other.store.redo()
    }
    try other.save()
    try other.compact()
    try session.reload()
    try session.store.undo()
    #expect(session.store.state(of: Counter.self).count == 0)
  }

  @Test("don't keep lost entries from being saved again")
  func lost() throws {
    let head = try file.open().load().head
    try session.store.send(.increment(by: 10), to: Counter.self)
    try session.store.send(.add(id: 1, text: "milk"), to: Todo.self)
    try session.save()
    try file.execute("UPDATE entries SET content = 'nonsense' WHERE number = \(head + 1)")
    #expect(try file.open().load().head == head)
    try session.store.send(.increment(by: 100), to: Counter.self)
    try session.save()
    #expect(session.store.state(of: Counter.self).count == 111)
    #expect(password == Secret("hunter22") && !password.isForgotten)
    let reopened = try JournaledSession(App.schema, in: file.open()).store.states
    #expect(reopened.counter.count == 111)
    #expect(reopened.todo.items.map(\.text) == ["milk"])
  }
}
