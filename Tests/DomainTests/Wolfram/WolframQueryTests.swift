import FlyingFox
import Foundation
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@Suite("A Wolfram|Alpha query", .timeLimit(.minutes(5)))
struct WolframQueryTests {
  @Test("asks for plain text in JSON, with the app id")
  func request() async throws {
    try await StandInServer.run(primeAnswer("59")) { server in
      _ = try await wolframClient(server.url).query("prime 17")
      #expect(
        server.targets == [
          "/v2/query?input=prime%2017&format=plaintext&output=JSON&appid=S3CRET-4PP%2BID"
        ])
    }
  }

  @Test(
    "sends the input unchanged",
    arguments: ["1+1", "a&b=c;d", "100% %2B", "∫ x² dx 🎉", "a/b?c#d \"q\"\n\t"])
  func input(text: String) async throws {
    try await StandInServer.run(primeAnswer("59")) { server in
      _ = try await wolframClient(server.url).query(text)
      let target = try #require(server.targets.first)
      let value = try #require(target.firstMatch(of: /input=([^&]*)&/)?.output.1)
      // A form's decoding: a bare plus would be a space.
      #expect(value.replacing("+", with: " ").removingPercentEncoding == text)
    }
  }

  @Test("keeps the path of its base address", arguments: ["/", "/proxy", "/proxy/"])
  func basePath(path: String) async throws {
    try await StandInServer.run(primeAnswer("59")) { server in
      let base = try #require(URL(string: server.url.absoluteString + path))
      _ = try await wolframClient(base).query("x")
      let expected = path.hasPrefix("/proxy") ? "/proxy/v2/query?" : "/v2/query?"
      #expect(server.targets.first?.hasPrefix(expected) == true)
    }
  }

  @Test("returns the pods in order")
  func pods() async throws {
    let answer = try await answer(for: primeAnswer("59")) { try await $0.query("prime 17") }
    #expect(answer.success)
    #expect(answer.pods.map(\.title) == ["Input", "Result"])
    #expect(answer.pods.map(\.id) == ["Input", "Result"])
    #expect(answer.pods.map(\.primary) == [false, true])
    #expect(answer.pods.last?.subpods.map(\.plaintext) == ["59", "1"])
    #expect(answer.didYouMean.isEmpty && answer.warnings.isEmpty && answer.timedOut.isEmpty)
  }

  @Test(
    "reads suggestions, one or several",
    arguments: [
      (#"{"score": "0.36", "level": "low", "val": "prime 17"}"#, ["prime 17"]),
      (#"[{"score": 0.36, "val": "prime 17"}, {"val": "17"}]"#, ["prime 17", "17"]),
      (#"[]"#, []),
    ])
  func suggestions(json: String, expected: [String]) async throws {
    let response = wolframAnswer(#""success": false, "error": false, "didyoumeans": \#(json)"#)
    #expect(try await answer(for: response) { try await $0.query("x") }.didYouMean == expected)
  }

  @Test(
    "reads warnings, one or several",
    arguments: [
      #"{"word": "pirme", "suggestion": "prime", "text": "Interpreting as prime"}"#:
        ["Interpreting as prime"],
      #"[{"text": "Using closest:", "new": "prime 17", "score": "0.5"}, {"text": "b"}]"#:
        ["Using closest: prime 17", "b"],
      #"{"count": "1"}"#: [],
    ])
  func warnings(json: String, expected: [String]) async throws {
    let response = wolframAnswer(
      #""success": true, "error": false, "pods": [], "warnings": \#(json)"#)
    #expect(try await answer(for: response) { try await $0.query("x") }.warnings == expected)
  }

  @Test(
    "reads timeouts, even of a success",
    arguments: [(#""""#, []), (#""Numeric""#, ["Numeric"]), (#""A,B, C""#, ["A", "B", "C"])])
  func timedOut(json: String, expected: [String]) async throws {
    let response = wolframAnswer(#""success": true, "error": false, "timedout": \#(json)"#)
    let answer = try await answer(for: response) { try await $0.query("x") }
    #expect(answer.success)
    #expect(answer.timedOut == expected)
  }

  @Test("ignores unknown fields, and accepts numbers as words and words as numbers")
  func leniency() async throws {
    let response = wolframAnswer(
      #"""
      "success": "true", "error": "false", "numpods": "1", "infos": {"text": "i"},
      "tips": [1], "future": {"a": null},
      "pods": {"title": 1, "id": "R", "primary": "true", "position": 100, "error": false,
        "subpods": {"title": null, "plaintext": 59, "img": {"src": "x"}}}
      """#)
    let answer = try await answer(for: response) { try await $0.query("x") }
    let pod = try #require(answer.pods.first)
    #expect(pod.title == "1")
    #expect(pod.primary)
    #expect(pod.subpods.map(\.plaintext) == ["59"])
  }

  @Test(
    "says when the app id is invalid",
    arguments: [
      (
        200, #"{"queryresult": {"success": false, "error": {"code": "1", "msg": "Invalid appid"}}}"#
      ),
      (200, #"{"queryresult": {"success": false, "error": {"code": 2, "msg": "Appid missing"}}}"#),
      (403, "Error 1: Invalid appid"),
    ])
  func invalidAppID(status: Int, body: String) async throws {
    let error = try await failure(for: .text(body, status: status)) { try await $0.query("x") }
    #expect(error == .invalidAppID)
    #expect(error.message.contains("WOLFRAM_APP_ID"))
  }

  @Test(
    "refuses other responses",
    arguments: [
      "<html>Log in to the hotel's network</html>", "{}",
      #"{"queryresult": {"success": "perhaps"}}"#,
      #"{"queryresult": {"success": true, "pods": [{"subpods": [17]}]}}"#,
      #"{"queryresult": {"success": false, "error": true}}"#,
      #"{"queryresult": {"error": {"code": "1000", "msg": "Bad \#(secretAppID)\u001B[2J"}}}"#,
    ])
  func unexpected(body: String) async throws {
    let error = try await failure(for: .text(body)) { try await $0.query("x") }
    #expect(error.code == "unexpected_answer")
    #expect(!error.message.contains("\u{1B}"))
  }

  @Test("names the field that isn't as documented")
  func unexpectedField() async throws {
    let response = wolframAnswer(#""success": true, "pods": [{"title": {}}]"#)
    let error = try await failure(for: response) { try await $0.query("x") }
    #expect(error.message.contains("queryresult.pods.0.title"))
  }

  @Test("refuses an answer over 10 MB")
  func tooLarge() async throws {
    let body = String(repeating: " ", count: 10_000_001)
    let error = try await failure(for: .text(body)) { try await $0.query("x") }
    #expect(error == .answerTooLarge(maximumSize: 10_000_000))
    #expect(error.code == "answer_too_large")
  }
}
