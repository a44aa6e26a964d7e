import FlyingFox
import Foundation
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

/// An app id that no message can hold by chance.
let secretAppID = "S3CRET-4PP+ID"

/// An answer's JSON around its varying fields.
func wolframAnswer(_ fields: String) -> HTTPResponse {
  .text(#"{"queryresult": {\#(fields)}}"#, headers: [.contentType: "text/plain;charset=utf-8"])
}

/// The answer that the service gives to "prime n", with a text in place of the prime.
func primeAnswer(_ plaintext: String) -> HTTPResponse {
  wolframAnswer(
    #"""
    "success": true, "error": false, "numpods": 2, "timedout": "", "timing": 0.9, "pods": [
      {"title": "Input", "id": "Input", "subpods": [{"title": "", "plaintext": "p_17"}]},
      {"title": "Result", "id": "Result", "primary": true,
       "subpods": [{"title": "", "plaintext": "\#(plaintext)"}, {"plaintext": "1"}]}]
    """#)
}

func wolframClient(
  _ server: URL, timeout: Duration = .seconds(3600)
) -> WolframClient {
  WolframClient(
    configuration: WolframClient.Configuration(
      appID: secretAppID, baseURL: server, timeout: timeout, clock: RecordingClock()))
}

/// The answer of a client whose server gives a response.
func answer<Answer: Sendable>(
  for response: HTTPResponse, to ask: (WolframClient) async throws -> Answer
) async throws -> Answer {
  var answer: Answer?
  try await StandInServer.run(response) { server in
    answer = try await ask(wolframClient(server.url))
  }
  return try #require(answer)
}

/// The error of a client whose server gives a response.
func failure(
  for response: HTTPResponse, sourceLocation: SourceLocation = #_sourceLocation,
  of ask: (WolframClient) async throws -> some Sendable
) async throws -> WolframError {
  var failure: WolframError?
  try await StandInServer.run(response) { server in
    failure = try await wolframFailure(sourceLocation: sourceLocation) {
      try await ask(wolframClient(server.url))
    }
  }
  return try #require(failure)
}

/// Runs a call that must fail, and checks that its error doesn't show the app id in any way.
func wolframFailure(
  sourceLocation: SourceLocation = #_sourceLocation, of call: () async throws -> some Sendable
) async throws -> WolframError {
  let error = try #require(
    await #expect(throws: WolframError.self, sourceLocation: sourceLocation) {
      _ = try await call()
    })
  var dumped = ""
  dump(error, to: &dumped)
  for text in [
    error.message, error.description, String(reflecting: error), error.localizedDescription,
    error.code, dumped, error.suggestions.joined(),
  ] {
    #expect(!text.contains("S3CRET"), sourceLocation: sourceLocation)
  }
  return error
}
