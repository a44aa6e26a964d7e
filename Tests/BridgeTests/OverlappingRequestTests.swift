import Foundation
import Testing
import TestSupport

@MainActor
@Suite("Requests that overlap, fail or are cancelled", .timeLimit(.minutes(2)))
struct OverlappingRequestTests {
  /// Runs an app against a server that holds back the answer to the request with a word in its address until the other
  /// request came; which one comes first over the network is not for the test to say.
  private func withAnswerHeldBack(
    for word: String, _ answers: (first: String, second: String),
    _ body: (AppInLua, StandInServer) async throws -> Void
  ) async throws {
    let (secondRequest, arrived) = AsyncStream.makeStream(of: Never.self)
    try await StandInServer.run(respond: { request, _ in
      guard request.target.rawValue.contains(word) else {
        arrived.finish()
        return .text(answers.second)
      }
      for await _ in secondRequest {}
      return .text(answers.first)
    }) { server in
      try await body(AppInLua(wolfram: .init(appID: "ID", baseURL: server.url)), server)
    }
  }

  private nonisolated static func primeAnswer(_ prime: Int) -> String {
    """
    {"queryresult": {"success": true, "error": false, "timedout": "", "pods": [
      {"title": "Result", "id": "Result", "primary": true,
       "subpods": [{"title": "", "plaintext": "\(prime)"}]}]}}
    """
  }

  @Test(
    "the later question for an nth prime decides the alert, and each caller gets its own answer")
  func nthPrimes() async throws {
    try await withAnswerHeldBack(for: "5", (Self.primeAnswer(11), Self.primeAnswer(13))) { app, _ in
      let text = try await app.text(
        """
        local wolfram = { source = "wolfram" }
        counter.count = 5
        local first = task.spawn(counter.ask_nth_prime, wolfram)
        local loading, alert = counter.loading, counter.alert
        counter.count = 6
        local second = task.spawn(counter.ask_nth_prime, wolfram)
        local answer = second:await()
        return loading, alert, answer, first:await(), counter.loading, counter.alert.title
        """)
      #expect(text == "true nil 13 11 false The 6th prime is 13")
    }
  }

  @Test("the later fetch decides the items")
  func fetches() async throws {
    try await withAnswerHeldBack(for: "/first", (#"["old"]"#, #"["new"]"#)) { app, server in
      let text = try await app.text(
        """
        local first = task.spawn(todo.fetch, "\(server.url)/first")
        local second = task.spawn(todo.fetch, "\(server.url)/second")
        first:await() second:await()
        return #todo.items, todo.items[1].text, todo.loading, todo.error
        """)
      #expect(text == "1 new false nil")
    }
  }

  @Test("a cancelled question raises an error, and leaves neither alert nor loading")
  func cancels() async throws {
    try await StandInServer.run(respond: { _, _ in
      try await Task.sleep(for: .seconds(3600))
      return .text("")
    }) { server in
      let app = try AppInLua(wolfram: .init(appID: "ID", baseURL: server.url))
      let text = try await app.text(
        """
        counter.count = 5
        local t = task.spawn(counter.ask_nth_prime, { source = "wolfram" })
        local loading = counter.loading
        t:cancel()
        local ok, err = pcall(t.await, t)
        return loading, ok, err.code, counter.loading, counter.alert
        """)
      #expect(text == "true false cancelled false nil")
    }
  }

  @Test(
    "errors of Wolfram|Alpha have a code, a message that says what to do, and no app id",
    arguments: [
      (
        200,
        #"{"queryresult": {"success": false, "error": {"code": "1", "msg": "Invalid appid"}}}"#,
        "invalid_app_id", "WOLFRAM_APP_ID"
      ),
      (
        200,
        #"""
        {"queryresult": {"success": false, "error": false, "timedout": "",
          "didyoumeans": {"score": "0.3", "level": "low", "val": "prime 9"}}}
        """#, "not_understood", "did you mean “prime 9”?"
      ),
      (
        200, #"{"queryresult": {"success": true, "error": false, "timedout": ""}}"#,
        "no_result", "rephrase the question"
      ),
      (200, primeAnswer(7).replacing("7", with: "about 7"), "unexpected_answer", "not a number"),
      (400, "", "http_status", "HTTP status 400"),
    ])
  func wolframErrors(status: Int, answer: String, code: String, message: String) async throws {
    try await StandInServer.run(.text(answer, status: status)) { server in
      let app = try AppInLua(wolfram: .init(appID: "S3CRET", baseURL: server.url))
      let error = await app.failure("counter.count = 9 counter.ask_nth_prime{source='wolfram'}")
      #expect(error?.code.rawValue == code)
      #expect(error?.message.contains(message) == true)
      #expect(error.map { "\($0) \($0.traceback ?? "")" }?.contains("S3CRET") == false)
      #expect(try await app.text("return counter.loading, counter.alert") == "false nil")
    }
  }

  @Test(
    "errors of a todo source have a code, and a message that names the source",
    arguments: [
      (200, #"["a", "#, "source_not_json"), (200, "", "source_not_json"),
      (200, #"{"text": "a"}"#, "source_wrong_shape"), (200, "[1]", "source_wrong_shape"),
      (200, #"[{"text": "a", "done": "yes"}]"#, "source_wrong_shape"),
      (404, "[]", "source_http_status"),
    ])
  func sourceErrors(status: Int, answer: String, code: String) async throws {
    try await StandInServer.run(.text(answer, status: status)) { server in
      let app = try AppInLua()
      let text = try await app.text(
        """
        todo.add("old")
        local source = "\(server.url)/todos.json"
        local ok, err = pcall(todo.fetch, source)
        return ok, err.code, err.message:find(source, 1, true) == 1, todo.error == err.message,
          todo.loading, #todo.items
        """)
      #expect(text == "false \(code) true true false 1")
    }
  }
}
