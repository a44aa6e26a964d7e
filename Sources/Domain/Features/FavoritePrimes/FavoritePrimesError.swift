public import StateStore
/// Why something can't be done with the favorite primes.
public enum FavoritePrimesError: CodedError, Equatable {
  /// Only primes can be favorites.
  case notPrime(Int)
  /// There is no favorite at that position.
  case positionOutOfRange(position: Int, count: Int)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .notPrime: "not_prime"
    case .positionOutOfRange: "position_out_of_range"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .notPrime(let number):
      "\(number) is not prime"
    case .positionOutOfRange(let position, let count):
      // People count from 1, as far as there are integers to do so.
      "There is no \((min(position, Int.max - 1) + 1).ordinal) favorite prime, as there are "
        + "\(count): none was removed."
    }
  }
}
