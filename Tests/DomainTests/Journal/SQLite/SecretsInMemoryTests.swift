import Foundation
import Testing

@testable import Domain

/// A state file has no secrets, so what is taken in from it must not take them away.
@Suite("Secrets in memory")
struct SecretsInMemoryTests {
  private let file: SQLiteFile
  private let session: JournaledSession

  init() throws {
    file = try SQLiteFile()
    session = try JournaledSession(file.open())
    try session.store.send(.signUp(.next))
    try session.store.send(.signUp(.edit([.password(Secret("hunter22"))])))
    try session.store.send(.counter(.increment(by: 1)))
    try session.save()
  }

  private var password: Secret { session.store.state.signUp.data.password }

  @Test("outlive what others do, and their checkpoints")
  func checkpoint() throws {
    let other = try JournaledSession(file.open())
    try other.store.send(.counter(.increment(by: 1)))
    try other.save()
    try session.takeIn()
    #expect(password == Secret("hunter22"))
    for _ in 1...5_100 {
      try other.store.undo()
      try other.store.redo()
    }
    try other.save()
    try other.shortenJournal()
    try session.takeIn()
    #expect(password == Secret("hunter22"))
    #expect(session.store.state.counter.count == 2)
  }

  @Test("don't make own actions those of others")
  func own() throws {
    let other = try JournaledSession(file.open())
    for _ in 1...5_100 {
      try other.store.undo()
      try other.store.redo()
    }
    try other.save()
    try other.shortenJournal()
    try session.takeIn()
    try session.store.undo()
    #expect(session.store.state.counter.count == 0)
  }

  @Test("don't keep what a file lost from being saved again")
  func lost() throws {
    let head = try file.open().load().head
    try session.store.send(.counter(.increment(by: 10)))
    try session.store.send(.todo(.add(id: 1, text: "milk")))
    try session.save()
    try file.execute("UPDATE entries SET content = 'nonsense' WHERE number = \(head + 1)")
    #expect(try file.open().load().head == head)
    try session.store.send(.counter(.increment(by: 100)))
    try session.save()
    #expect(session.store.state.counter.count == 111)
    #expect(password == Secret("hunter22"))
    let reopened = try JournaledSession(file.open()).store.state
    #expect(reopened.counter.count == 111)
    #expect(reopened.todo.items.map(\.text) == ["milk"])
  }
}
