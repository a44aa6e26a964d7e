import Synchronization
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

/// A source of primes that answers on request.
final class PausedPrimes: PrimeSource {
  private struct Storage {
    var questions: [Int: CheckedContinuation<Int, any Error>] = [:]
    var cancelled: Set<Int> = []
  }

  private let storage = Mutex(Storage())

  func nthPrime(_ n: Int) async throws -> Int {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = storage.withLock { storage in
          if storage.cancelled.contains(n) { return true }
          storage.questions[n] = continuation
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let question = storage.withLock { storage in
        storage.cancelled.insert(n)
        return storage.questions.removeValue(forKey: n)
      }
      question?.resume(throwing: CancellationError())
    }
  }

  func count(upTo x: Int) async throws -> Int {
    try await LocalPrimes().count(upTo: x)
  }

  /// Waits for the question for the nth prime, then answers it.
  func answer(_ n: Int, with answer: Result<Int, any Error>) async {
    await waitForQuestion(n)
    storage.withLock { $0.questions.removeValue(forKey: n) }?.resume(with: answer)
  }

  /// Waits until the nth prime is asked for.
  func waitForQuestion(_ n: Int) async {
    do {
      try await wait(for: "the question for prime \(n)") {
        storage.withLock { $0.questions[n] } != nil
      }
    } catch {
      Issue.record(error)
    }
  }
}
