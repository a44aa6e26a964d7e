/// Says of any `Int` whether it is prime.
public enum Primality {
  /// Bases to which no composite number below 2^64 is a strong probable prime.
  ///
  /// Found by Jim Sinclair in 2011; listed at https://miller-rabin.appspot.com.
  private static let bases: [UInt64] = [2, 325, 9375, 28178, 450_775, 9_780_504, 1_795_265_022]

  /// Whether a number is prime; 1, 0 and negative numbers aren't.
  ///
  /// A Miller-Rabin test that is deterministic for every `Int`, as its bases leave no exception.
  ///
  /// - Complexity: O(log n) multiplications for each of at most seven bases.
  public static func isPrime(_ number: Int) -> Bool {
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
  /// With number - 1 = odd * 2^shift, a prime has base^odd = 1 or base^(odd * 2^i) = -1 for some
  /// i < shift.
  private static func isStrongProbablePrime(
    _ number: UInt64, base: UInt64, field: Montgomery
  ) -> Bool {
    // A base that is 0 modulo the number says nothing of it; Sinclair's result leaves it out.
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
