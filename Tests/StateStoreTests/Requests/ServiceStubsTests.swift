import StateStore
import Testing

@Suite("Stubs of services")
struct ServiceStubsTests {
  /// Answers some functions, and refuses to ask services.
  private struct Stubs: ServiceStubs {
    var answers: [String: Result<Int, StubError>] = [:]

    func answer<Answer: Decodable>(
      to function: String, with arguments: [StateValue], as type: Answer.Type
    ) async throws -> Answer? { try answers[function]?.get() as? Answer }

    func checkAsking(_ function: String) throws {
      throw StubError("no_stub", "\(function) has no stub")
    }
  }

  @Test("answer before the service is asked")
  func answers() async throws {
    let stubs = Stubs(answers: ["notes.count": .success(7)])
    let answer = try await stubs.answer(to: "notes.count") {
      Issue.record("asked the service")
      return 8
    }
    #expect(answer == 7)
  }

  @Test("fail with their own code and message")
  func failure() async {
    let failure = StubError("not_readable", "The disk is gone.")
    let stubs = Stubs(answers: ["notes.count": .failure(failure)])
    await #expect(throws: failure) { try await stubs.answer(to: "notes.count") { 8 } }
  }

  @Test("can refuse to ask services that aren't local")
  func refusal() async throws {
    let stubs = Stubs()
    await #expect(throws: StubError("no_stub", "notes.count has no stub")) {
      try await stubs.answer(to: "notes.count") { 8 }
    }
    #expect(try await stubs.answer(to: "notes.count", isLocal: true) { 8 } == 8)
  }

  @Test("of nothing ask every service")
  func none() async throws {
    #expect(try await NoStubs().answer(to: "notes.count") { 8 } == 8)
  }
}
