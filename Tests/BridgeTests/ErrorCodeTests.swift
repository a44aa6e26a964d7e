import FlyingFox
import Foundation
import PrimereplDomain
import PrimereplLoading
import StateStore
import Testing
import TestSupport

@MainActor
@Suite("Errors of services, by their codes in Lua", .timeLimit(.minutes(2)))
struct ErrorCodeTests {
  private nonisolated static let sources = ["todo.fetch", "persons.fetch", "landmarks.load"]

  /// Longer than it takes on any machine.
  private nonisolated static let ample = Duration.seconds(3600)

  private func expectCode(_ code: String, _ call: String, in app: AppInLua) async throws {
    let text = try await app.text(
      "local ok, e = pcall(function() \(call) end) return ok, e.code, #e.message > 0")
    #expect(text == "false \(code) true", "\(call)")
  }

  @Test("sources that are missing, or aren't files", arguments: sources)
  func files(fetch: String) async throws {
    let app = try AppInLua()
    for (source, code) in [
      ("", "source_bad_address"), (#"a\0b"#, "source_bad_address"),
      ("ftp://127.0.0.1/", "source_bad_address"), ("http://", "source_bad_address"),
      ("/nowhere/at/all.json", "not_readable"), ("/", "not_readable"),
      ("/dev/null", "not_readable"),
    ] {
      try await expectCode(code, #"\#(fetch)("\#(source)")"#, in: app)
    }
  }

  @Test(
    "sources with other contents, or too much", arguments: sources,
    [
      ("text", 200, "source_not_json"), ("[[]]", 200, "source_wrong_shape"),
      (String(repeating: " ", count: 10_000_001), 200, "source_too_large"),
      ("", 404, "source_http_status"),
    ])
  func answers(fetch: String, answer: (text: String, status: Int, code: String)) async throws {
    let app = try AppInLua(documents: DocumentAccess(timeout: Self.ample))
    try await StandInServer.run(.text(answer.text, status: answer.status)) { server in
      try await expectCode(answer.code, "\(fetch)('\(server.url)')", in: app)
    }
  }

  @Test("sources that don't answer in time, or are cancelled", arguments: sources)
  func slow(fetch: String) async throws {
    try await RawServer.run(.hang) { server in
      let app = try await AppInLua(documents: DocumentAccess(timeout: .milliseconds(200)))
      try await expectCode("source_timed_out", "\(fetch)('\(server.url)')", in: app)
      let patient = try await AppInLua(documents: DocumentAccess(timeout: Self.ample))
      try await expectCode(
        "cancelled", "local t = task.spawn(\(fetch), '\(server.url)') t:cancel() t:await()",
        in: patient)
    }
  }

  @Test("sources that can't be reached", arguments: sources)
  func unreachable(fetch: String) async throws {
    try await expectCode(
      "source_connection_failed", "\(fetch)('http://127.0.0.1:1/')",
      in: AppInLua(documents: DocumentAccess(timeout: Self.ample)))
  }

  @Test("sources without permission", arguments: sources)
  func notAllowed(fetch: String) async throws {
    let app = try AppInLua(documents: .refusing)
    try await expectCode("source_not_allowed", "\(fetch)('todos.json')", in: app)
  }

  @Test("answers of Wolfram|Alpha that are too large")
  func largeAnswer() async throws {
    try await StandInServer.run(.text(String(repeating: " ", count: 10_000_001))) { server in
      let app = try AppInLua(wolfram: .init(appID: "ID", baseURL: server.url, timeout: Self.ample))
      try await expectCode("answer_too_large", "wolfram.query('x')", in: app)
    }
  }

  @Test("answers of Wolfram|Alpha that don't come in time, or are cancelled")
  func slowAnswer() async throws {
    try await RawServer.run(.hang) { server in
      let app = try await AppInLua(
        wolfram: .init(appID: "ID", baseURL: server.url, timeout: .milliseconds(200)))
      try await expectCode("timed_out", "wolfram.query('x')", in: app)
      let patient = try await AppInLua(
        wolfram: .init(appID: "ID", baseURL: server.url, timeout: Self.ample))
      try await expectCode(
        "cancelled", "local t = task.spawn(wolfram.query, 'x') t:cancel() t:await()", in: patient)
    }
  }

  @Test("a Wolfram|Alpha that can't be reached")
  func unreachableWolfram() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1"))
    let app = try AppInLua(wolfram: .init(appID: "ID", baseURL: url, timeout: Self.ample))
    try await expectCode("connection_failed", "wolfram.query('x')", in: app)
  }

  @Test("a process for long computations that can't be started")
  func helper() async throws {
    let app = try AppInLua(primes: LocalPrimes(helper: PrimeHelper(executable: "/nowhere")))
    try await expectCode("helper_failed", "prime.count(math.maxinteger)", in: app)
  }
}
