import Synchronization
import Testing
import TestSupport

@testable import PrimereplDomain

/// A source of primes that answers on request.
final class PausedPrimes: PrimeSource {
  private let questions = Mutex<[Int: CheckedContinuation<Int, any Error>]>([:])

  func nthPrime(_ n: Int) async throws -> Int {
    try await withCheckedThrowingContinuation { question in
      questions.withLock { $0[n] = question }
    }
  }

  func count(upTo x: Int) async throws -> Int {
    try await LocalPrimes().count(upTo: x)
  }

  /// Waits for the question for the nth prime, then answers it.
  func answer(_ n: Int, with answer: Result<Int, any Error>) async {
    await waitForQuestion(n)
    questions.withLock { $0.removeValue(forKey: n) }?.resume(with: answer)
  }

  /// Waits until the nth prime is asked for.
  func waitForQuestion(_ n: Int) async {
    do {
      try await wait(for: "the question for prime \(n)") {
        questions.withLock { $0[n] } != nil
      }
    } catch {
      Issue.record(error)
    }
  }
}
