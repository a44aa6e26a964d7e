import PrimereplDomain
import StateStore
import Testing
import TestSupport

@MainActor
@Suite("wolfram")
struct WolframModuleTests {
  private static let primeAnswer = """
    {"queryresult": {"success": true, "error": false, "timedout": "", "warnings": {"text": "careful"},
      "pods": [{"title": "Input", "id": "Input", "subpods": [{"title": "", "plaintext": "p_17"}]},
        {"title": "Result", "id": "Result", "primary": true,
          "subpods": [{"title": "", "plaintext": "59"}]}]}}
    """

  private func withApp(
    answering answer: String, _ body: (AppInLua, StandInServer) async throws -> Void
  ) async throws {
    try await StandInServer.run(.text(answer)) { server in
      let app = try AppInLua(wolfram: .init(appID: "S3CRET", baseURL: server.url))
      try await body(app, server)
    }
  }

  @Test("returns the whole answer as tables")
  func query() async throws {
    try await withApp(answering: Self.primeAnswer) { app, _ in
      let text = try await app.text(
        """
        local answer = wolfram.query("prime 17")
        local pod = answer.pods[2]
        return answer.success, #answer.pods, pod.title, pod.id, pod.primary,
          pod.subpods[1].plaintext, answer.pods[1].primary, answer.warnings[1],
          #answer.did_you_mean, #answer.timed_out
        """)
      #expect(text == "true 2 Result Result true 59 false careful 0 0")
    }
  }

  @Test("answers the module and the counter with a single request")
  func nthPrime() async throws {
    try await withApp(answering: Self.primeAnswer) { app, server in
      let text = try await app.text(
        """
        counter.count = 17
        return wolfram.nth_prime(17), counter.ask_nth_prime({ source = "wolfram" }), counter.alert.title
        """)
      #expect(text == "59 59 The 17th prime is 59")
      #expect(server.requestCount == 1)
    }
  }

  @Test("returns the short answer")
  func shortAnswer() async throws {
    try await withApp(answering: "59") { app, _ in
      let text = try await app.text("return wolfram.short_answer('prime 17')")
      #expect(text == "59")
    }
  }

  @Test("never shows the app id, whatever goes wrong")
  func secret() async throws {
    try await withApp(answering: "nonsense") { app, _ in
      let error = await app.failure("wolfram.query('x')")
      #expect(error?.code == "unexpected_answer")
      #expect(error.map { "\($0)\($0.traceback ?? "")" }?.contains("S3CRET") == false)
    }
  }

  @Test("reports the status of a failed request, and suggestions")
  func errorFields() async throws {
    try await StandInServer.run(.text("", status: 404)) { server in
      let app = try AppInLua(wolfram: .init(appID: "S3CRET", baseURL: server.url))
      let text = try await app.text(
        "local _, err = pcall(wolfram.query, 'x') return err.code, err.status, #err.suggestions")
      #expect(text == "http_status 404 0")
    }
  }

  @Test("needs an app id, and says so")
  func notConfigured() async throws {
    let app = try AppInLua()
    #expect(try await app.text("return wolfram.configured") == "false")
    let error = await app.failure("wolfram.query('x')")
    #expect(error?.code == "no_app_id")
    #expect(error?.message.contains("WOLFRAM_APP_ID") == true)
  }
}
