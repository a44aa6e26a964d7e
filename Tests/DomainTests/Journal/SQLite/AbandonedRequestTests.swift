import Foundation
import Testing

@testable import Domain

@Suite("A request whose process ended before the answer came")
struct AbandonedRequestTests {
  private let file: SQLiteFile

  init() throws {
    file = try SQLiteFile()
  }

  private func open() throws -> JournaledSession { try JournaledSession(file.open()) }

  private func request(in session: JournaledSession) throws {
    try session.store.send(.counter(.set(count: 5)))
    try session.store.send(.counter(.nthPrimeRequested(request: 1)))
    try session.store.send(.todo(.fetchRequested(request: 2)))
    try session.store.send(.landmarks(.loadRequested(request: 3)))
    try session.store.send(.persons(.fetchRequested(request: 4)))
    try session.save()
  }

  @Test("is awaited no more when the session is opened again")
  func givenUp() throws {
    try request(in: open())
    let state = try open().store.state
    #expect(!state.counter.isLoading)
    #expect(!state.todo.isLoading)
    #expect(state.landmarks.pendingRequest == nil)
    #expect(!state.persons.isLoading)
    #expect(state.todo.error?.contains("ended before the answer came") == true)
    #expect(state.persons.error == state.todo.error)
  }

  @Test("is awaited as long as another process has the session open, which may answer")
  func answered() throws {
    let first = try open()
    try request(in: first)
    let second = try open()
    #expect(second.store.state.todo.isLoading)
    try first.store.send(
      .todo(.fetchSucceeded(request: 2, items: [Todo.Item(id: 1, text: "milk")])))
    try first.save()
    try second.takeIn()
    #expect(second.store.state.todo.items.map(\.text) == ["milk"])
    #expect(!second.store.state.todo.isLoading)
  }

  @Test("can be made again")
  func again() throws {
    try request(in: open())
    let session = try open()
    try session.store.send(.todo(.fetchRequested(request: 5)))
    try session.store.send(
      .todo(.fetchSucceeded(request: 5, items: [Todo.Item(id: 1, text: "milk")])))
    #expect(session.store.state.todo.error == nil)
    try session.save()
    #expect(try open().store.state.todo.items.count == 1)
  }
}
