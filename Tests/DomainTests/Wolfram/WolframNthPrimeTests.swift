import FlyingFox
import Foundation
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@Suite("Wolfram|Alpha's nth prime", .timeLimit(.minutes(5)))
struct WolframNthPrimeTests {
  @Test("is the first subpod of the primary pod")
  func prime() async throws {
    try await StandInServer.run(primeAnswer(" 59\\n")) { server in
      let prime = try await wolframClient(server.url).nthPrime(17)
      #expect(prime == 59)
      #expect(server.targets.first?.hasPrefix("/v2/query?input=prime%2017&") == true)
    }
  }

  @Test("reads up to the largest Int")
  func largest() async throws {
    let prime = try await answer(for: primeAnswer("9223372036854775807")) {
      try await $0.nthPrime(17)
    }
    #expect(prime == .max)
  }

  @Test(
    "refuses anything but digits",
    arguments: [
      "", "59 (prime)", "5.9×10^9", "-59", "+59", "٥٩", "59\\n61", "9223372036854775808",
      secretAppID,
    ])
  func notDigits(plaintext: String) async throws {
    let error = try await failure(for: primeAnswer(plaintext)) { try await $0.nthPrime(17) }
    #expect(error.code == "unexpected_answer")
  }

  @Test("refuses an answer without a primary pod, or with an empty one")
  func noPrimary() async throws {
    for primary in [#""primary": false"#, #""primary": true, "subpods": []"#] {
      let response = wolframAnswer(
        #""success": true, "error": false, "pods": [{"title": "Result", \#(primary)}]"#)
      let error = try await failure(for: response) { try await $0.nthPrime(17) }
      #expect(error.code == "unexpected_answer")
    }
  }

  @Test("can have no result, even because of a timeout")
  func noResult() async throws {
    for (timedOut, words) in [("", "rephrase the question"), ("Numeric", "ran out of time")] {
      let response = wolframAnswer(#""success": true, "error": false, "timedout": "\#(timedOut)""#)
      let error = try await failure(for: response) { try await $0.nthPrime(17) }
      #expect(error.code == "no_result")
      #expect(error.message.contains(words))
    }
  }

  @Test("includes the service's suggestions")
  func notUnderstood() async throws {
    let response = wolframAnswer(
      #""success": false, "didyoumeans": [{"val": "prime"}, {"val": "17 \#(secretAppID)"}]"#)
    let error = try await failure(for: response) { try await $0.nthPrime(17) }
    #expect(error.code == "not_understood")
    #expect(error.suggestions == ["prime", "17 ••••••"])
    #expect(error.message.contains("did you mean “prime” or “17 ••••••”?"))
  }

  @Test("isn't requested below the first", arguments: [0, -1, Int.min])
  func outOfRange(number: Int) async throws {
    try await StandInServer.run(primeAnswer("59")) { server in
      let error = try await wolframFailure { try await wolframClient(server.url).nthPrime(number) }
      #expect(error == .outOfRange(number))
      #expect(server.requestCount == 0)
    }
  }

  @Test("is requested once, by all copies of a client")
  func cache() async throws {
    try await StandInServer.run(primeAnswer("59")) { server in
      let client = wolframClient(server.url)
      let copy = client
      let primes = try await [client.nthPrime(17), copy.nthPrime(17)]
      #expect(primes == [59, 59])
      #expect(server.requestCount == 1)
      _ = try await copy.nthPrime(18)
      #expect(server.requestCount == 2)
    }
  }

  @Test("isn't cached when it failed")
  func failuresAreNotCached() async throws {
    try await StandInServer.run(respond: { _, number in
      number == 1 ? primeAnswer("?") : primeAnswer("59")
    }) { server in
      let client = wolframClient(server.url)
      let error = try await wolframFailure { try await client.nthPrime(17) }
      #expect(error.message.contains("“?” for “prime 17” is not a number"))
      let prime = try await client.nthPrime(17)
      #expect(prime == 59)
    }
  }
}
