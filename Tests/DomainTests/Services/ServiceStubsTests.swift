import Foundation
import Synchronization
import Testing

@testable import PrimereplDomain
@testable import StateStore

/// Stubs that answer with JSON, and record the questions.
private final class JSONStubs: ServiceStubs {
  private let answers: [String: String]
  private let questions = Mutex<[String]>([])

  init(_ answers: [String: String]) { self.answers = answers }

  /// The questions so far, as `function([arguments])`.
  var asked: [String] { questions.withLock(\.self) }

  func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer? {
    questions.withLock { $0.append(function + StateValue.list(arguments).json) }
    guard let answer = answers[function] else { return nil }
    return try JSONDecoder().decode(Answer.self, from: Data(answer.utf8))
  }
}

@MainActor
@Suite("Stubs of the app's services")
struct ServiceStubsTests {
  private let store = Store()

  private func services(_ answers: [String: String]) -> ServiceContext<Services> {
    .forTests(stubs: JSONStubs(answers))
  }

  private func asked(_ services: ServiceContext<Services>) -> [String] {
    (services.stubs as? JSONStubs)?.asked ?? []
  }

  @Test("of prime.nth and wolfram.nth_prime answer the counter's questions")
  func nthPrime() async throws {
    let services = services(["prime.nth": "61", "wolfram.nth_prime": "67"])
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
    let services = services(["prime.nth": "61", "counter.ask_nth_prime": "71"])
    try store.send(.set(count: 17), to: Counter.self)
    #expect(try await store.askNthPrime(in: services) == 71)
    #expect(try await services.answer(of: Services.nthPrime, 17) == 61)
  }
}
