import Foundation
import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Local primes")
struct LocalPrimesTests {
  private let primes = LocalPrimes()

  @Test(
    "the 10^k-th primes are known",
    arguments: zip(
      0...12,
      [
        2, 29, 541, 7919, 104_729, 1_299_709, 15_485_863, 179_424_673, 2_038_074_743,
        22_801_763_489, 252_097_800_623, 2_760_727_302_517, 29_996_224_275_833,
      ]))
  func nthPrime(exponent: Int, prime: Int) async throws {
    let n = (0..<exponent).reduce(1) { power, _ in power * 10 }
    #expect(try await primes.nthPrime(n) == prime)
  }

  @Test(
    "an ordinal out of range is an error",
    arguments: [0, -1, Int.min, 216_289_611_853_439_385, Int.max])
  func ordinalOutOfRange(n: Int) async {
    #expect(await code { _ = try await primes.nthPrime(n) } == "out_of_range")
  }

  @Test(
    "primes are counted up to a number and including it",
    arguments: [
      (Int.min, 0), (-1, 0), (0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (100, 25), (541, 100),
      (1_000_000, 78498), (29_996_224_275_833, 1_000_000_000_000),
    ])
  func count(x: Int, count: Int) async throws {
    #expect(try await primes.count(upTo: x) == count)
  }

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
