import Testing
import TestSupport

@testable import StateStore

@Suite("Exact sums")
struct ExactSumTests {
  private func sum(_ numbers: ExactNumber...) throws -> StateValue {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return try sum.value
  }

  private func sum(_ numbers: Double...) throws -> Double? {
    var sum = ExactSum()
    for number in numbers { sum.add(.number(number)) }
    guard case .number(let value) = try sum.value else { return nil }
    return value
  }

  @Test("of no numbers is the integer 0")
  func empty() throws { #expect(try sum() as StateValue == .integer(0)) }

  @Test("of integers is an integer, also if it was out of range on the way")
  func integers() throws {
    #expect(try sum(.integer(.max), .integer(1), .integer(-2)) == .integer(.max - 1))
    #expect(try sum(.integer(.min), .integer(-1), .integer(1)) == .integer(.min))
    #expect(try sum(.integer(.min), .integer(.max)) == .integer(-1))
  }

  @Test("of integers that is beyond 64 bits is refused", arguments: [Int.max, .min])
  func tooLarge(_ end: Int) throws {
    var sum = ExactSum()
    for _ in 1...4 { sum.add(.integer(end)) }
    #expect(throws: QueryError.sumTooLarge) { try sum.value }
    for _ in 1...3 { sum.subtract(.integer(end)) }
    #expect(try sum.value == .integer(end))
  }

  @Test("of floating-point numbers is rounded once")
  func roundedOnce() throws {
    #expect(try sum(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1) == 1)
    #expect(try sum(1e308, 1, -1e308) == 1)
    #expect(try sum(1e100, 1e-100, -1e100) == 1e-100)
    #expect(try sum(1, 0x1p-53) == 1)
    #expect(try sum(1, 0x1p-53, 0x1p-1074) == 1.0.nextUp)
    #expect(try sum(1.0.nextUp, 0x1p-53) == 1.0.nextUp.nextUp)
    #expect(try sum(-0.1, -0.2, -0.3) == -0.6)
    #expect(try sum(.leastNonzeroMagnitude, .leastNonzeroMagnitude) == 0x1p-1073)
    #expect(
      try sum(.leastNormalMagnitude, -.leastNonzeroMagnitude)
        == Double.leastNormalMagnitude.nextDown)
  }

  @Test("of decimals is the decimal that people expect, until another number comes")
  func decimals() throws {
    #expect(try sum(0.1, 0.2) == 0.3)
    #expect(try sum(3.2, 1.1) == 4.3)
    #expect(try sum(1.005, 2.675, -0.000001) == 3.679999)
    #expect(try sum(.number(0.1), .integer(2), .number(0.2)) == .number(2.3))
    // Those of more places, and sums of more digits, are numbers like any others.
    #expect(try sum(0.1, 0.0000002) == 0.1 + 0.0000002)
    #expect(try sum(9e9, 9e9, 0.1) == 18_000_000_000.1)
    var sum = ExactSum()
    for number in [0.1, 1.0 / 3, 0.2] { sum.add(.number(number)) }
    #expect(try sum.value == .number(0.1 + 0.2 + 1.0 / 3))
    sum.subtract(.number(1.0 / 3))
    #expect(try sum.value == .number(0.3))
  }

  @Test("that is beyond all finite numbers is infinite, and comes back")
  func overflow() throws {
    let greatest = Double.greatestFiniteMagnitude
    #expect(try sum(greatest, greatest) == .infinity)
    #expect(try sum(-greatest, -greatest) == -.infinity)
    #expect(try sum(greatest, greatest, -greatest) == greatest)
  }

  @Test("with infinities and NaN is what IEEE 754 says, until they are taken away")
  func notFinite() throws {
    #expect(try sum(.infinity, 1) == .infinity)
    #expect(try sum(.infinity, -.infinity)?.isNaN == true)
    #expect(try sum(.nan, 1)?.isNaN == true)
    var sum = ExactSum()
    for number in [1.5, .infinity, -.infinity, .nan] { sum.add(.number(number)) }
    for number in [Double.infinity, -.infinity, .nan] { sum.subtract(.number(number)) }
    #expect(try sum.value == .number(1.5))
  }

  @Test("of both kinds is a floating-point number, exact for large integers")
  func mixed() throws {
    #expect(try sum(.integer(1), .number(0.5)) == .number(1.5))
    #expect(try sum(.integer(.max), .number(1), .integer(-.max)) == .number(1))
    #expect(try sum(.integer(.min), .number(-0.5), .integer(.max)) == .number(-1.5))
    #expect(try sum(.integer(.min), .integer(.min), .number(0)) == .number(-0x1p64))
  }

  @Test("doesn't depend on the order, and forgets what is taken away")
  func order() throws {
    var generator = SeededGenerator(seed: 7)
    func number() -> ExactNumber {
      if Bool.random(using: &generator) {
        return .integer(Int.random(in: .min ... .max, using: &generator) >> 8)
      }
      return .number(
        Double(
          sign: Bool.random(using: &generator) ? .plus : .minus,
          exponent: Int.random(in: -1_070...1_000, using: &generator),
          significand: Double.random(in: 1..<2, using: &generator)))
    }
    for _ in 1...50 {
      let kept = (1...20).map { _ in number() }
      let others = (1...20).map { _ in number() }
      var forwards = ExactSum()
      var mixed = ExactSum()
      for number in kept { forwards.add(number) }
      for number in (kept + others).shuffled(using: &generator) { mixed.add(number) }
      for number in others.shuffled(using: &generator) { mixed.subtract(number) }
      #expect(try forwards.value == mixed.value)
    }
  }
}
