/// The primes next to a number.
public enum PrimeNeighbors {
  /// The largest prime that an `Int` of 64 bits holds, 2^63 - 25.
  static let largestPrime = 9_223_372_036_854_775_783

  /// The smallest prime above a number.
  ///
  /// - Throws: `PrimeError.noPrimeAbove` where an `Int` holds none.
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
