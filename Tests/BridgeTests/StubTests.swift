import Foundation
import Scripting
import StateStore
import Testing

@testable import PrimereplBridge

@MainActor
@Suite("The app's functions with stubs")
struct StubTests {
  /// Answers in JSON, by the functions' names.
  private struct Answers: ServiceStubs {
    let json: [String: String]

    func answer<Answer: Decodable>(
      to function: String, with arguments: [StateValue], as type: Answer.Type
    ) async throws -> Answer? {
      try json[function].map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
  }

  @Test("are those that ask a service")
  func stubbable() throws {
    #expect(
      try Set(AppInLua().session.stubbable) == [
        "counter.ask_nth_prime", "todo.fetch", "persons.fetch", "landmarks.load", "prime.nth",
        "prime.count", "wolfram.query", "wolfram.short_answer", "wolfram.nth_prime", "http.get",
        "http.post", "http.request",
      ])
  }

  @Test("take their answers in the services' forms")
  func answers() async throws {
    let answers = Answers(json: [
      "todo.fetch": #"["a", {"text": "b", "done": true}]"#, "prime.nth": "2000",
      "persons.fetch": #"[{"name": "Ann", "age": 30}]"#, "landmarks.load": "[]",
      "counter.ask_nth_prime": "3000", "wolfram.query": #"{"pods": [{"title": "x"}]}"#,
      "wolfram.short_answer": #""y""#,
    ])
    #expect(
      try await AppInLua { _ in answers }.text(
        """
        todo.fetch("a") persons.fetch() landmarks.load() counter.count = 3
        return todo.items[1].text, todo.items[2].done, persons[1].name, #landmarks.all,
          prime.nth(2), counter.ask_nth_prime(), wolfram.query("x").pods[1].title,
          wolfram.short_answer("x")
        """) == "a true Ann 0 2000 3000 x y")
  }
}
