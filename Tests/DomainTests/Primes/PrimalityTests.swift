import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Primality")
struct PrimalityTests {
  @Test("it agrees with a sieve below 100,000")
  func agreesWithSieve() {
    let limit = 100_000
    var isComposite = [Bool](repeating: false, count: limit)
    for number in 2..<limit where !isComposite[number] {
      for multiple in stride(from: number * number, to: limit, by: number) {
        isComposite[multiple] = true
      }
    }
    let wrong = (2..<limit).filter { Primality.isPrime($0) == isComposite[$0] }
    #expect(wrong == [])
  }

  @Test("1, 0 and negative numbers aren't prime", arguments: [1, 0, -1, -2, -7, Int.min])
  func smallNumbers(number: Int) {
    #expect(!Primality.isPrime(number))
  }

  @Test(
    "strong pseudoprimes to the first prime bases are composite",
    arguments: [
      2047, 1_373_653, 25_326_001, 3_215_031_751, 2_152_302_898_747, 3_474_749_660_383,
      341_550_071_728_321, 3_825_123_056_546_413_051,
    ])
  func pseudoprimes(number: Int) {
    #expect(!Primality.isPrime(number))
  }

  @Test("the largest prime of 64 bits is prime, and no number above it")
  func largest() {
    #expect(Primality.isPrime(9_223_372_036_854_775_783))
    #expect((9_223_372_036_854_775_784...Int.max).allSatisfy { !Primality.isPrime($0) })
  }

  // The answers for large numbers were computed by SymPy 1.14.
  @Test(
    "the bases, their multiples and large numbers are classified correctly",
    arguments: [
      325: false, 9375: false, 28178: false, 450_775: false, 9_780_504: false,
      1_795_265_022: false, 13: true, 19: true, 37: true, 73: true, 193: true, 407_521: true,
      299_210_837: true, 6_532_134_554_188_740_943: true, 8_995_507_818_258_169_213: true,
      4_858_843_171_092_172_793: false, 680_287_890_166_975_253: false,
      8_860_314_903_698_244_725: false,
    ])
  func classified(number: Int, isPrime: Bool) {
    #expect(Primality.isPrime(number) == isPrime)
  }
}
