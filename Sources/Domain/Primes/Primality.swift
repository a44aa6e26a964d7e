package enum Primality {
  /// Bases to which no composite number below 2^64 is a strong probable prime.
  ///
  /// Found by Jim Sinclair in 2011; listed at https://miller-rabin.appspot.com.
  private static let bases: [UInt64] = [2, 325, 9375, 28178, 450_775, 9_780_504, 1_795_265_022]

  /// Whether a number is prime; 1, 0 and negative numbers aren't.
  ///
  /// A Miller-Rabin test that is deterministic for every `Int`, as its bases leave no exception.
  ///
  /// - Complexity: O(log n) multiplications for each of at most seven bases.
  package static func isPrime(_ number: Int) -> Bool {
    guard number > 2, !number.isMultiple(of: 2) else { return number == 2 }
    // More than half of the odd numbers are decided here, at a fraction of the cost.
    if number.isMultiple(of: 3) || number.isMultiple(of: 5) || number.isMultiple(of: 7) {
      return number <= 7
    }
    let number = UInt64(number)
    let field = Montgomery(modulus: number)
    return bases.allSatisfy { isStrongProbablePrime(number, base: $0, field: field) }
  }

  /// Whether an odd number passes the Miller-Rabin test to a base.
  ///
  /// With number - 1 = odd * 2^shift, a prime has base^odd = 1 or base^(odd * 2^i) = -1 for some i < shift.
  private static func isStrongProbablePrime(
    _ number: UInt64, base: UInt64, field: Montgomery
  ) -> Bool {
    // Sinclair's result leaves out bases that are 0 modulo the number.
    guard !base.isMultiple(of: number) else { return true }
    let minusOne = number - field.one
    let shift = (number - 1).trailingZeroBitCount
    var power = field.power(field.represent(base), (number - 1) >> shift)
    if power == field.one || power == minusOne { return true }
    for _ in 1..<shift {
      power = field.multiply(power, power)
      if power == minusOne { return true }
    }
    return false
  }
}

/// The primes next to a number.
public enum PrimeNeighbors {
  /// The largest prime that a 64-bit `Int` holds, 2^63 - 25.
  static let largestPrime = 9_223_372_036_854_775_783

  /// The smallest prime above a number.
  ///
  /// - Throws: `PrimeError.noPrimeAbove` if an `Int` holds none.
  public static func next(after number: Int) throws -> Int {
    guard number < largestPrime else { throw PrimeError.noPrimeAbove(number) }
    guard number >= 2 else { return 2 }
    // The first odd number above.
    var candidate = number.isMultiple(of: 2) ? number + 1 : number + 2
    while !Primality.isPrime(candidate) {
      candidate += 2
    }
    return candidate
  }

  /// The largest prime below a number.
  ///
  /// - Throws: `PrimeError.noPrimeBelow` for 2 and less.
  public static func previous(before number: Int) throws -> Int {
    guard number > 2 else { throw PrimeError.noPrimeBelow(number) }
    guard number > 3 else { return 2 }
    // The first odd number below; it ends at 3 at the latest.
    var candidate = number.isMultiple(of: 2) ? number - 1 : number - 2
    while !Primality.isPrime(candidate) {
      candidate -= 2
    }
    return candidate
  }
}

// MARK: - Arithmetic

/// Multiplication modulo an odd number without division, by Montgomery's method.
///
/// Numbers are represented as `x * 2^64 mod modulus`. Products of 128 bits are reduced by two
/// multiplications (P. L. Montgomery, "Modular multiplication without trial division", Mathematics
/// of Computation 44, 1985), which is several times as fast as the processor's division.
struct Montgomery {
  /// Odd, and above 1.
  let modulus: UInt64

  /// The representation of 1.
  let one: UInt64

  /// The inverse of the modulus modulo 2^64.
  private let inverse: UInt64

  /// The representation of 2^64: a product of it and a number is the number's representation.
  private let square: UInt64

  init(modulus: UInt64) {
    precondition(modulus > 1 && !modulus.isMultiple(of: 2), "A modulus is odd and above 1.")
    self.modulus = modulus
    // Newton's iteration doubles the right bits each time: 3 (any odd number is its own inverse
    // modulo 8), 6, 12, 24, 48, 96.
    var inverse = modulus
    for _ in 0..<5 {
      inverse &*= 2 &- modulus &* inverse
    }
    self.inverse = inverse
    one = (0 &- modulus) % modulus
    square = modulus.dividingFullWidth((one, 0)).remainder
  }

  func represent(_ number: UInt64) -> UInt64 {
    multiply(number % modulus, square)
  }

  /// The product of two representations, below the modulus.
  func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    let quotient = product.low &* inverse
    let excess = quotient.multipliedFullWidth(by: modulus).high
    let difference = product.high &- excess
    return product.high >= excess ? difference : difference &+ modulus
  }

  func power(_ base: UInt64, _ exponent: UInt64) -> UInt64 {
    var result = one
    var square = base
    var rest = exponent
    while rest > 0 {
      // Always multiplied: the processor does it alongside the squaring, and can't predict the bits.
      let product = multiply(result, square)
      result = rest & 1 == 1 ? product : result
      square = multiply(square, square)
      rest >>= 1
    }
    return result
  }
}
