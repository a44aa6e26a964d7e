public import StateStore

/// Why something can't be done with the favorite primes.
public typealias FavoritePrimesError = PlainError<FavoritePrimes>

extension FavoritePrimesError {
  static func notPrime(_ number: Int) -> Self { Self("not_prime", "\(number) is not prime") }

  static func positionOutOfRange(position: Int, count: Int) -> Self {
    // People count from 1, as far as there are integers to do so.
    let ordinal = (min(position, Int.max - 1) + 1).ordinal
    return Self(
      "position_out_of_range",
      "There is no \(ordinal) favorite prime, as there are \(count): none was removed.")
  }
}
