import Foundation
import Synchronization
import Testing

@testable import Domain
@testable import StateStore

/// Stubs that answer with JSON, and note what they were asked.
private final class JSONStubs: ServiceStubs {
  private let answers: [String: Result<String, StubError>]
  private let questions = Mutex<[String]>([])

  init(_ answers: [String: Result<String, StubError>]) { self.answers = answers }

  /// The questions so far, as `function([arguments])`.
  var asked: [String] { questions.withLock(\.self) }

  func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer? {
    questions.withLock { $0.append(function + StateValue.list(arguments).json) }
    guard let answer = try answers[function]?.get() else { return nil }
    return try JSONDecoder().decode(Answer.self, from: Data(answer.utf8))
  }
}

@MainActor
@Suite("Stubs of services")
struct ServiceStubsTests {
  private let store = Store()

  private func services(_ answers: [String: Result<String, StubError>]) -> Services {
    var services = Services.forTests()
    services.sources = SourceLoader(readsFiles: true, network: .refusedInScenario)
    services.stubs = JSONStubs(answers)
    return services
  }

  private func asked(_ services: Services) -> [String] {
    (services.stubs as? JSONStubs)?.asked ?? []
  }

  @Test("answer for the sources of todo items, persons and landmarks, and get their arguments")
  func sources() async throws {
    let services = services([
      "todo.fetch": .success(#"["milk", {"text": "bread", "done": true}]"#),
      "persons.fetch": .success(#"[{"name": "Ann", "age": 30}]"#),
      "landmarks.load": .success(
        #"""
        [{"id": 5, "name": "Pond", "park": "", "state": "", "category": "", "latitude": 0,
          "longitude": 0, "is_favorite": true, "is_featured": false}]
        """#),
    ])
    try await TodoLogic(store: store, services: services).fetch(from: "https://example.com")
    try await PersonsLogic(store: store, services: services).fetch()
    try await LandmarksLogic(store: store, services: services).load()
    #expect(
      store.state(of: Todo.self).items.map(\.self) == [
        .init(id: 1, text: "milk"), .init(id: 2, text: "bread", done: true),
      ])
    #expect(store.state(of: Persons.self).list.map(\.name) == ["Ann"])
    #expect(store.state(of: Landmarks.self).all.map(\.row) == ["★ Pond"])
    #expect(
      asked(services) == [
        #"todo.fetch["https://example.com"]"#, "persons.fetch[null]", "landmarks.load[null]",
      ])
  }

  @Test("leave the actions as they are")
  func actions() async throws {
    let services = services(["todo.fetch": .success(#"["milk"]"#)])
    try await TodoLogic(store: store, services: services).fetch()
    #expect(
      try store.history().map(\.recorded.action) == [
        .todo(.fetchRequested(request: 1)),
        .todo(.fetchSucceeded(request: 1, items: [.init(id: 1, text: "milk")])),
      ])
  }

  @Test("fail as a service does, with their own code and message")
  func failure() async throws {
    let services = services([
      "todo.fetch": .failure(StubError("not_readable", "The disk is gone."))
    ])
    let todo = TodoLogic(store: store, services: services)
    #expect(await code { try await todo.fetch() } == "not_readable")
    #expect(store.state(of: Todo.self).error == "The disk is gone.")
    #expect(!store.state(of: Todo.self).isLoading)
  }

  @Test("leave functions that have none to their services")
  func unstubbed() async throws {
    let services = services(["todo.fetch": .success("[]")])
    try await LandmarksLogic(store: store, services: services).load()
    #expect(store.state(of: Landmarks.self).all.count > 0)
    #expect(try await services.nthPrime(17) == 59)
    #expect(try await services.countPrimes(upTo: 100) == 25)
  }

  @Test("of prime.nth and wolfram.nth_prime answer what the counter asks")
  func nthPrime() async throws {
    let services = services(["prime.nth": .success("61"), "wolfram.nth_prime": .success("67")])
    let counter = CounterLogic(store: store, services: services)
    try store.send(.set(count: 17), to: Counter.self)
    #expect(try await counter.askNthPrime() == 61)
    #expect(try await counter.askNthPrime(from: .wolfram) == 67)
    #expect(store.state(of: Counter.self).alert?.title == "The 17th prime is 67")
    #expect(
      asked(services) == [
        #"counter.ask_nth_prime[{"source":"local"}]"#, "prime.nth[17]",
        #"counter.ask_nth_prime[{"source":"wolfram"}]"#, "wolfram.nth_prime[17]",
      ])
  }

  @Test("of the counter's own question come first")
  func counterFirst() async throws {
    let services = services(["prime.nth": .success("61"), "counter.ask_nth_prime": .success("71")])
    try store.send(.set(count: 17), to: Counter.self)
    #expect(try await CounterLogic(store: store, services: services).askNthPrime() == 71)
    #expect(try await services.nthPrime(17) == 61)
  }

  @Test("answer for Wolfram|Alpha in the form that scripts see, with parts left out")
  func wolfram() async throws {
    let services = services([
      "wolfram.query": .success(
        #"{"pods": [{"title": "Result", "primary": true, "subpods": [{"plaintext": "59"}]}]}"#),
      "wolfram.short_answer": .success(#""about 384000 km""#),
    ])
    let answer = try await services.queryWolfram("prime 17")
    #expect(answer.success)
    #expect(answer.pods.first?.subpods.first?.plaintext == "59")
    #expect(try await services.shortWolframAnswer("distance to the moon") == "about 384000 km")
  }
}

@MainActor
@Suite("Services in a scenario")
struct ScenarioServicesTests {
  private let sources = SourceLoader(readsFiles: true, network: .refusedInScenario)

  @Test("refuse the network, and name what to do")
  func network() async throws {
    let error = await #expect(throws: SourceError.self) {
      _ = try await sources.records(of: String.self, from: "https://example.com/x.json")
    }
    #expect(error?.code == "network_not_allowed")
    #expect(error?.message.contains("--live") == true)
    #expect(error?.message.contains("stub") == true)
  }

  @Test("read files")
  func files() async throws {
    #expect(
      await code { _ = try await sources.records(of: String.self, from: "/no/such/file") }
        == "not_readable")
  }

  @Test("of a sandbox read neither, unless the network is allowed")
  func sandbox() async throws {
    let none = SourceLoader(readsFiles: false, network: .refusedInSandbox)
    let network = SourceLoader(readsFiles: false, network: .allowed)
    for (sources, source) in [(none, "x.json"), (none, "https://example.com"), (network, "x.json")]
    {
      #expect(
        await code { _ = try await sources.records(of: String.self, from: source) }
          == "source_not_allowed")
    }
  }
}
