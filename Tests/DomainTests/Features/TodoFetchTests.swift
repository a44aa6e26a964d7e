import PrimereplLoading
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@MainActor @Suite("Fetching todo items")
struct TodoFetchTests {
  let store = Store()
  let clock = ManualClock()
  let services: ServiceContext<Services>

  init() throws {
    services = .forTests(clock: clock)
    try store.addItem("milk")
  }

  private var texts: [String] { store.state(of: Todo.self).items.map(\.text) }

  private func fetch(_ source: String? = nil) async throws {
    try await store.ask(Todo.fetch, Source(source), in: services)
  }

  @Test("the built-in source answers after 2 seconds, and its items replace the others")
  func fetches() async throws {
    let task = Task { try await fetch() }
    await clock.waitForSleepers(1)
    #expect(store.isPending(Todo.fetch))
    #expect(texts == ["milk"])
    clock.advance(by: .milliseconds(1999))
    #expect(clock.sleeperCount == 1)
    #expect(store.isPending(Todo.fetch))
    clock.advance(by: .milliseconds(1))
    try await task.value
    #expect(!store.isPending(Todo.fetch))
    #expect(texts == ["first item", "second item"])
  }

  @Test("on failure it isn't loading, the error says why, the items stay, and the call raises")
  func fails() async throws {
    let error = await #expect(throws: SourceError.self) {
      try await fetch("/nowhere/todos.json")
    }
    #expect(!store.isPending(Todo.fetch))
    #expect(store.error(of: Todo.fetch) == error?.message)
    #expect(texts == ["milk"])
  }
}
