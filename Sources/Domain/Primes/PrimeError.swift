public import StateStore
/// Why a question about primes has no answer.
public enum PrimeError: CodedError, Equatable {
  /// There is no nth prime, or it can't be computed.
  case ordinalOutOfRange(Int)
  /// No prime above the number fits an `Int`.
  case noPrimeAbove(Int)
  /// No prime is below the number.
  case noPrimeBelow(Int)
  /// The number is not a product of primes.
  case notFactorable(Int)
  /// The library that counts primes can't be used.
  case unavailable(reason: String)
  /// The library gave up on a computation.
  case computationFailed(String)
  /// The process that computes primes didn't answer.
  case helperFailed(reason: String)
  /// A computation needs more memory than it may use.
  case outOfMemory(limit: Int)
  /// The process that computes primes was called in a wrong way.
  case invalidHelperArguments([String])

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .ordinalOutOfRange, .noPrimeAbove, .noPrimeBelow, .notFactorable: "out_of_range"
    case .unavailable: "primes_unavailable"
    case .computationFailed: "computation_failed"
    case .helperFailed: "helper_failed"
    case .outOfMemory: "out_of_memory"
    case .invalidHelperArguments: "invalid_helper_arguments"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .ordinalOutOfRange(let ordinal):
      "The \(ordinal.ordinal) prime can't be computed: ask for the 1st to the "
        + "\(PrimeComputation.ordinals.upperBound.ordinal)."
    case .noPrimeAbove(let number):
      "No prime above \(number) fits in 64 bits: the largest is \(PrimeNeighbors.largestPrime)."
    case .noPrimeBelow(let number):
      "There is no prime below \(number): the smallest is 2."
    case .notFactorable(let number):
      "\(number) is not a product of primes: give a number of 1 or more."
    case .unavailable(let reason):
      "The library primecount can't be used (\(reason)): install it with "
        + "\"apt install libprimecount7\" (Debian, Ubuntu) or \"brew install primecount\" (macOS)."
    case .computationFailed(let computation):
      "primecount failed to compute \"\(computation)\": perhaps there is too little memory."
    case .helperFailed(let reason):
      "The process that computes primes failed: \(reason)."
    case .outOfMemory(let limit):
      "not enough memory: computing so large a prime takes more than the limit of \(limit) bytes: raise "
        + "the limit."
    case .invalidHelperArguments(let arguments):
      "Primes are computed for the arguments \"nth N cores C\" or \"count N cores C\", and \"memory "
        + "BYTES\" after them, with decimal numbers, not "
        + "\"\(arguments.joined(separator: " "))\"."
    }
  }
}
