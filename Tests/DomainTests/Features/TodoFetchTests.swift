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

  /// Begins to fetch from the built-in source, and comes back when that waits.
  private func beginFetch() async -> Task<Void, any Error> {
    let task = Task { try await fetch() }
    await clock.waitForSleepers(1)
    return task
  }

  @Test("the built-in source answers after 2 seconds, and its items replace the others")
  func fetches() async throws {
    let task = await beginFetch()
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

  @Test("fetched items have ids of their own, which no item had before")
  func fetchedIDs() async throws {
    let milk = store.state(of: Todo.self).items[0].id
    let task = await beginFetch()
    clock.advance(by: .seconds(2))
    try await task.value
    let ids = store.state(of: Todo.self).items.map(\.id)
    #expect(Set(ids + [milk]).count == 3)
  }

  @Test("the request is seen before the success")
  func reportsInOrder() async throws {
    var seen: [String] = []
    try store.observe("todo") { change in
      seen += change.fields.map(\.path)
    }
    let task = await beginFetch()
    clock.advance(by: .seconds(2))
    try await task.value
    #expect(seen == ["todo.loading", "todo.items", "todo.loading"])
  }

  @Test("a source is a JSON array of texts or of objects")
  func fetchesFile() async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(
      #"["tea", {"text": "cake", "done": true}, {"text": "jam", "extra": 1}]"#, to: "todos.json")
    try await fetch(path)
    #expect(texts == ["tea", "cake", "jam"])
    #expect(store.state(of: Todo.self).items.map(\.done) == [false, true, false])
  }

  @Test(
    "other records than texts or objects with a text are refused, and the items stay",
    arguments: ["[1]", #"[{"done": true}]"#, #"[{"text": "tea", "done": 1}]"#, #"["tea", " "]"#])
  func refusesShape(json: String) async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(json, to: "todos.json")
    await #expect(throws: (any Error).self) { try await fetch(path) }
    #expect(texts == ["milk"])
    #expect(store.error(of: Todo.fetch) != nil)
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

  @Test("a new fetch clears the error at once")
  func clearsError() async throws {
    await #expect(throws: SourceError.self) { try await fetch("/nowhere/todos.json") }
    let task = await beginFetch()
    #expect(store.error(of: Todo.fetch) == nil)
    clock.advance(by: .seconds(2))
    try await task.value
    #expect(store.error(of: Todo.fetch) == nil)
  }

  @Test("cancelling ends the loading, says so, and raises a cancellation")
  func cancels() async throws {
    let task = await beginFetch()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!store.isPending(Todo.fetch))
    #expect(store.error(of: Todo.fetch) == "The request was cancelled.")
    #expect(texts == ["milk"])
  }

  @Test("of overlapping fetches the latest decides, and the answer to the other is ignored")
  func overlaps() async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(#"["tea"]"#, to: "todos.json")
    let slow = await beginFetch()
    try await fetch(path)
    #expect(!store.isPending(Todo.fetch))
    clock.advance(by: .seconds(2))
    try await slow.value
    #expect(texts == ["tea"])
  }

  @Test("a superseded fetch that is cancelled raises to its caller and leaves the state alone")
  func supersededCancellation() async throws {
    let earlier = await beginFetch()
    let later = Task { try await fetch() }
    await clock.waitForSleepers(2)
    var changes = 0
    let subscription = try store.observe("todo") { _ in changes += 1 }
    earlier.cancel()
    await #expect(throws: CancellationError.self) { try await earlier.value }
    subscription.cancel()
    #expect(changes == 0)
    #expect(store.isPending(Todo.fetch))
    #expect(store.error(of: Todo.fetch) == nil)
    clock.advance(by: .seconds(2))
    try await later.value
    #expect(texts == ["first item", "second item"])
  }

  @Test("adding while a fetch is under way works, and the fetched items replace that too")
  func addsMeanwhile() async throws {
    let task = await beginFetch()
    try store.addItem("bread")
    #expect(texts == ["bread", "milk"])
    clock.advance(by: .seconds(2))
    try await task.value
    #expect(texts == ["first item", "second item"])
  }
}
