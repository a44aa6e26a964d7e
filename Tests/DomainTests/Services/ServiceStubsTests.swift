import Foundation
import PrimereplLoading
import Synchronization
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

/// Stubs that answer with JSON, and record the questions.
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
@Suite("Stubs of the app's services")
struct ServiceStubsTests {
  private let store = Store()

  private func services(_ answers: [String: Result<String, StubError>]) -> ServiceContext<Services>
  {
    ServiceContext(
      Services(
        wolfram: WolframClient(configuration: .init()),
        documents: DocumentAccess(network: .refusedInScenario)),
      clock: ManualClock(), stubs: JSONStubs(answers))
  }

  private func asked(_ services: ServiceContext<Services>) -> [String] {
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
    try await store.ask(Todo.fetch, Source("https://example.com"), in: services)
    try await store.ask(Persons.fetch, Source(), in: services)
    try await store.ask(Landmarks.load, Source(), in: services)
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
    try await store.ask(Todo.fetch, Source(), in: services)
    #expect(
      try store.history().map(\.recorded.action) == [
        .asked(Todo.fetch, Source(), number: 1),
        .answered(Todo.fetch, [.init(id: 1, text: "milk")], number: 1),
      ])
  }

  @Test("fail as a service does, with their own code and message")
  func failure() async throws {
    let services = services([
      "todo.fetch": .failure(StubError("not_readable", "The disk is gone."))
    ])
    let failure = await code { _ = try await store.ask(Todo.fetch, Source(), in: services) }
    #expect(failure == "not_readable")
    #expect(store.error(of: Todo.fetch) == "The disk is gone.")
    #expect(!store.isPending(Todo.fetch))
  }

  @Test("leave functions that have none to their services")
  func unstubbed() async throws {
    let services = services(["todo.fetch": .success("[]")])
    try await store.ask(Landmarks.load, Source(), in: services)
    #expect(store.state(of: Landmarks.self).all.count > 0)
    #expect(try await services.answer(of: Services.nthPrime, 17) == 59)
    #expect(try await services.answer(of: Services.countPrimes, 100) == 25)
  }

  @Test("of prime.nth and wolfram.nth_prime answer the counter's questions")
  func nthPrime() async throws {
    let services = services(["prime.nth": .success("61"), "wolfram.nth_prime": .success("67")])
    try store.send(.set(count: 17), to: Counter.self)
    #expect(try await store.askNthPrime(in: services) == 61)
    #expect(try await store.askNthPrime(from: .wolfram, in: services) == 67)
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
    #expect(try await store.askNthPrime(in: services) == 71)
    #expect(try await services.answer(of: Services.nthPrime, 17) == 61)
  }

  @Test("answer for Wolfram|Alpha in the form that scripts see, with parts left out")
  func wolfram() async throws {
    let services = services([
      "wolfram.query": .success(
        #"{"pods": [{"title": "Result", "primary": true, "subpods": [{"plaintext": "59"}]}]}"#),
      "wolfram.short_answer": .success(#""about 384000 km""#),
    ])
    let answer = try await services.answer(of: Services.queryWolfram, "prime 17")
    #expect(answer.success)
    #expect(answer.pods.first?.subpods.first?.plaintext == "59")
    #expect(
      try await services.answer(
        of: Services.shortWolframAnswer, "distance to the moon") == "about 384000 km")
  }
}
