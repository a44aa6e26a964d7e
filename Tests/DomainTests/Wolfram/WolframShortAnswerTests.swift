import FlyingFox
import Foundation
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@Suite("A Wolfram|Alpha short answer", .timeLimit(.minutes(5)))
struct WolframShortAnswerTests {
  @Test("is the service's text")
  func text() async throws {
    try await StandInServer.run(.text(" about 5.2 × 10⁹ people\n")) { server in
      let answer = try await wolframClient(server.url).shortAnswer("1+1?")
      #expect(answer == "about 5.2 × 10⁹ people")
      #expect(server.targets == ["/v1/result?i=1%2B1%3F&appid=S3CRET-4PP%2BID"])
    }
  }

  @Test(
    "can be missing",
    arguments: [
      (501, "No short answer available", "no_result"),
      (501, "Wolfram|Alpha did not understand your input", "not_understood"),
      (200, "", "no_result"), (403, "Error 1: Invalid appid", "invalid_app_id"),
      (400, "Bad", "http_status"),
    ])
  func errors(status: Int, body: String, code: String) async throws {
    try await StandInServer.run(.text(body, status: status)) { server in
      let error = try await wolframFailure {
        try await wolframClient(server.url).shortAnswer("is \(secretAppID) 1?")
      }
      #expect(error.code == code)
      #expect(server.requestCount == 1)
    }
  }

  @Test("must be text")
  func notText() async throws {
    let response = HTTPResponse(statusCode: .ok, body: Data([0xFF, 0xFE]))
    let error = try await failure(for: response) { try await $0.shortAnswer("x") }
    #expect(error.code == "unexpected_answer")
  }
}
