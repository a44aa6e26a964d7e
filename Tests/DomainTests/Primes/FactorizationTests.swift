import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Factorization")
struct FactorizationTests {
  @Test(
    "the factors are the smallest first, each as often as it divides",
    arguments: [
      (1, []), (2, [2]), (12, [2, 2, 3]), (97, [97]), (9409, [97, 97]), (10_201, [101, 101]),
      (600_851_475_143, [71, 839, 1471, 6857]),
      (1_234_567_890_123_456_789, [3, 3, 101, 3541, 3607, 3803, 27961]),
      (Int.max, [7, 7, 73, 127, 337, 92737, 649_657]),
      (1 << 62, Array(repeating: 2, count: 62)),
    ])
  func factors(number: Int, factors: [Int]) throws {
    #expect(try Factorization.factors(of: number) == factors)
  }

  @Test("0 and negative numbers can't be factored", arguments: [0, -1, -12, Int.min])
  func refuses(number: Int) {
    #expect(code { _ = try Factorization.factors(of: number) } == "out_of_range")
  }

  @Test(
    "squares, cubes and products of large primes are factored",
    arguments: [
      [2_147_483_647, 2_147_483_647], [2_147_483_629, 2_147_483_647],
      [3_037_000_493, 3_037_000_493], [2_097_143, 2_097_143, 2_097_143],
      [101, 101, 101, 101, 101, 101, 101, 101, 101], [9_223_372_036_854_775_783],
    ])
  func hard(factors: [Int]) throws {
    #expect(try Factorization.factors(of: factors.reduce(1, *)) == factors)
  }

  @Test("every factor is prime, and their product is the number")
  func property() throws {
    // A linear congruential sequence (Knuth's MMIX constants), so that each run tests the same.
    var random: UInt64 = 20_261_121
    let large = (0..<200).map { index in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> (1 + UInt64(index) % 40))
    }
    // Among the small ones are some that Pollard's method finds only with its second or third
    // sequence, such as 12769 and 11009.
    let wrong = try (Array(1...30_000) + large.filter { $0 > 0 }).filter { number in
      let factors = try Factorization.factors(of: number)
      return factors.reduce(1, *) != number || !factors.allSatisfy(Primality.isPrime)
        || factors != factors.sorted()
    }
    #expect(wrong == [])
  }
}
