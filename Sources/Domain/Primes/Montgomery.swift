/// Multiplication modulo an odd number without division, by Montgomery's method.
///
/// Numbers are represented as `x * 2^64 mod modulus`. Products of 128 bits are reduced by two
/// multiplications (P. L. Montgomery, "Modular multiplication without trial division", Mathematics
/// of Computation 44, 1985), which is several times as fast as the processor's division.
struct Montgomery {
  /// The modulus: odd, and above 1.
  let modulus: UInt64

  /// The representation of 1.
  let one: UInt64

  /// The inverse of the modulus modulo 2^64.
  private let inverse: UInt64

  /// The representation of 2^64, with which a product gives a representation.
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

  /// The representation of a number.
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

  /// A representation to a power.
  func power(_ base: UInt64, _ exponent: UInt64) -> UInt64 {
    var result = one
    var square = base
    var rest = exponent
    while rest > 0 {
      // Always multiplied: the processor does it beside the squaring, while it can't guess the
      // bits.
      let product = multiply(result, square)
      result = rest & 1 == 1 ? product : result
      square = multiply(square, square)
      rest >>= 1
    }
    return result
  }
}
