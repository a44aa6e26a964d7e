import Foundation
import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Local primes")
struct LocalPrimesTests {
  private let primes = LocalPrimes()

  @Test("several computations at once don't disturb each other")
  func concurrent() async throws {
    let answers = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for n in 1...20 {
        group.addTask { (n, try await primes.nthPrime(n * 1000)) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for (n, prime) in answers {
      #expect(try await primes.count(upTo: prime) == n * 1000)
      #expect(Primality.isPrime(prime))
    }
    #expect(answers.count == 20)
  }

  @Test("a computation blocks neither the caller's actor nor its thread")
  @MainActor func doesNotBlock() async throws {
    let observer = Task {
      var turns = 0
      while !Task.isCancelled {
        turns += 1
        await Task.yield()
      }
      return turns
    }
    _ = try await primes.nthPrime(1_000_000_000_000)
    observer.cancel()
    // The observer's turn comes before the answer's, unless the actor was held all the time.
    #expect(await observer.value > 0)
  }

  @Test("a cancelled task starts no computation")
  func cancelledBefore() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await primes.nthPrime(17)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("without the library the error names the package to install")
  func missingLibrary() {
    let error = #expect(throws: PrimeError.self) {
      try PrimecountLibrary(names: ["libprimecount-nowhere.so"])
    }
    #expect(error?.code == "primes_unavailable")
    #expect(error?.message.contains("libprimecount-nowhere.so") == true)
    #expect(error?.message.contains("apt install libprimecount7") == true)
  }

  @Test("a library without the functions is refused")
  func otherLibrary() {
    #if canImport(Darwin)
      let name = "libSystem.B.dylib"
    #else
      let name = "libm.so.6"
    #endif
    let error = #expect(throws: PrimeError.self) { try PrimecountLibrary(names: [name]) }
    #expect(error?.code == "primes_unavailable")
    #expect(error?.message.contains("primecount_nth_prime") == true)
  }
}
