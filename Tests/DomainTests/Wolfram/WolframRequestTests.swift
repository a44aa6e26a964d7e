import FlyingFox
import Foundation
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@Suite("A Wolfram|Alpha request", .timeLimit(.minutes(5)))
struct WolframRequestTests {
  @Test("needs an app id", arguments: [nil, "", " \n"])
  func noAppID(appID: String?) async throws {
    try await StandInServer.run(primeAnswer("59")) { server in
      let client = WolframClient(
        configuration: WolframClient.Configuration(appID: appID, baseURL: server.url))
      #expect(!client.isConfigured)
      let errors = try await [
        wolframFailure { try await client.query("x") },
        wolframFailure { try await client.shortAnswer("x") },
        wolframFailure { try await client.nthPrime(1) },
      ]
      #expect(errors == [.noAppID, .noAppID, .noAppID])
      #expect(server.requestCount == 0)
    }
  }

  @Test("reports the HTTP status", arguments: [302, 404, 503])
  func status(status: Int) async throws {
    let error = try await failure(for: .text("", status: status)) { try await $0.query("x") }
    #expect(error == .httpStatus(status))
    #expect(error.status == status)
    #expect(error.message.contains("HTTP status \(status)"))
  }

  @Test("is tried three times if that can help")
  func retries() async throws {
    try await StandInServer.run(respond: { _, number in
      number < 3 ? .text("", status: 500) : primeAnswer("59")
    }) { server in
      let prime = try await wolframClient(server.url).nthPrime(17)
      #expect(prime == 59)
      #expect(server.requestCount == 3)
    }
  }

  @Test("ends in time")
  func timeout() async throws {
    try await RawServer.run(.hang) { server in
      let client = wolframClient(server.url, timeout: .milliseconds(200))
      let error = try await wolframFailure { try await client.query("x") }
      #expect(error == .timedOut(.milliseconds(200)))
      #expect(error.code == "timed_out")
      #expect(error.message.contains("0.2 s"))
    }
  }

  @Test("says when there is no connection")
  func noConnection() async throws {
    let unused = try #require(URL(string: "http://127.0.0.1:1"))
    let error = try await wolframFailure { try await wolframClient(unused).query("x") }
    #expect(error.code == "connection_failed")
  }

  @Test("is refused for an address that isn't the web's")
  func badBaseURL() async throws {
    let file = try #require(URL(string: "file:///tmp"))
    let error = try await wolframFailure { try await wolframClient(file).query("x") }
    #expect(error == .invalidBaseURL)
  }

  @Test("closes its connection when cancelled")
  func cancelled() async throws {
    try await RawServer.run(.hang) { server in
      let client = wolframClient(server.url)
      let query = Task { try await client.query("x") }
      var events = server.events.makeAsyncIterator()
      #expect(await events.next() == .request)
      query.cancel()
      let error = try await wolframFailure { try await query.value }
      #expect(error.code == "cancelled")
      #expect(await events.next() == .clientClosed)
    }
  }

  @Test("doesn't send the app id to another server")
  func redirectElsewhere() async throws {
    try await StandInServer.run(primeAnswer("59")) { other in
      try await StandInServer.run(respond: { request, _ in
        let location = other.url.absoluteString + request.target.rawValue
        return .text("", status: 301, headers: [.location: location])
      }) { server in
        let error = try await wolframFailure { try await wolframClient(server.url).query("x") }
        #expect(error == .httpStatus(301))
        #expect(other.requestCount == 0)
      }
    }
  }
}
