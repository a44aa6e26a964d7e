import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Errors that are hard to cause")
struct ErrorCodeTests {
  @Test(
    "have codes that never change, and a message of one line",
    arguments: [
      (PrimeError.computationFailed("nth 1"), "computation_failed"),
      (WolframError.outOfMemory, "out_of_memory"),
      (WolframError.unavailable("x"), "http_unavailable"),
    ] as [(any CodedError, String)])
  func codes(error: any CodedError, code: String) {
    #expect(error.code == code)
    #expect(!error.message.isEmpty && !error.message.contains("\n"))
  }
}
