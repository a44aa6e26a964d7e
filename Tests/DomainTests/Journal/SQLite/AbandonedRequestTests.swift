import Foundation
import Testing

@testable import Domain
@testable import StateStore

@Suite("A request whose process ended before the answer")
struct AbandonedRequestTests {
  private let file: SQLiteFile

  init() throws {
    file = try SQLiteFile()
  }

  private func open() throws -> JournaledSession {
    try JournaledSession(App.schema, in: file.open())
  }

  private func request(in session: JournaledSession) throws {
    try session.store.send(.set(count: 5), to: Counter.self)
    try session.store.send(.nthPrimeRequested(request: 1), to: Counter.self)
    try session.store.send(.fetchRequested(request: 2), to: Todo.self)
    try session.store.send(.loadRequested(request: 3), to: Landmarks.self)
    try session.store.send(.fetchRequested(request: 4), to: Persons.self)
    try session.save()
  }

  @Test("is cancelled when the session is opened again")
  func givenUp() throws {
    try request(in: open())
    let state = try open().store.states
    #expect(!state.counter.isLoading)
    #expect(!state.todo.isLoading)
    #expect(state.landmarks.pendingRequest == nil)
    #expect(!state.persons.isLoading)
    #expect(state.todo.error?.contains("ended before the answer came") == true)
    #expect(state.persons.error == state.todo.error)
  }

  @Test("stays pending while another process has the session open, which may answer")
  func answered() throws {
    let first = try open()
    try request(in: first)
    let second = try open()
    #expect(second.store.state(of: Todo.self).isLoading)
    try first.store.send(
      .fetchSucceeded(request: 2, items: [Todo.Item(id: 1, text: "milk")]), to: Todo.self)
    try first.save()
    try second.reload()
    #expect(second.store.state(of: Todo.self).items.map(\.text) == ["milk"])
    #expect(!second.store.state(of: Todo.self).isLoading)
  }

  @Test("can be sent again")
  func again() throws {
    try request(in: open())
    let session = try open()
    try session.store.send(.fetchRequested(request: 5), to: Todo.self)
    try session.store.send(
      .fetchSucceeded(request: 5, items: [Todo.Item(id: 1, text: "milk")]), to: Todo.self)
    #expect(session.store.state(of: Todo.self).error == nil)
    try session.save()
    #expect(try open().store.state(of: Todo.self).items.count == 1)
  }
}
