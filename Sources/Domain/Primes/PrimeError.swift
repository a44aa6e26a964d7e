public import StateStore

/// Why a question about primes has no answer.
public typealias PrimeError = PlainError<any PrimeSource>

extension PrimeError {
  static func ordinalOutOfRange(_ ordinal: Int) -> Self {
    Self(
      "out_of_range",
      "The \(ordinal.ordinal) prime can't be computed: ask for the 1st to the "
        + "\(PrimeComputation.ordinals.upperBound.ordinal).")
  }

  static func noPrimeAbove(_ number: Int) -> Self {
    Self(
      "out_of_range",
      "No prime above \(number) fits in 64 bits: the largest is \(PrimeNeighbors.largestPrime).")
  }

  static func noPrimeBelow(_ number: Int) -> Self {
    Self("out_of_range", "There is no prime below \(number): the smallest is 2.")
  }

  static func notFactorable(_ number: Int) -> Self {
    Self("out_of_range", "\(number) is not a product of primes: give a number of 1 or more.")
  }

  static func unavailable(reason: String) -> Self {
    Self(
      "primes_unavailable",
      "The library primecount can't be used (\(reason)): install it with "
        + "\"apt install libprimecount7\" (Debian, Ubuntu) or \"brew install primecount\" (macOS).")
  }

  static func computationFailed(_ computation: String) -> Self {
    Self(
      "computation_failed",
      "primecount failed to compute \"\(computation)\": perhaps there is too little memory.")
  }

  static func helperFailed(reason: String) -> Self {
    Self("helper_failed", "The process that computes primes failed: \(reason).")
  }

  static func outOfMemory(limit: Int) -> Self {
    Self(
      "out_of_memory",
      "not enough memory: computing so large a prime takes more than the limit of \(limit) bytes: "
        + "raise the limit.")
  }

  static func invalidHelperArguments(_ arguments: [String]) -> Self {
    Self(
      "invalid_helper_arguments",
      "Primes are computed for the arguments \"nth N cores C\" or \"count N cores C\", and "
        + "\"memory BYTES\" after them, with decimal numbers, not "
        + "\"\(arguments.joined(separator: " "))\".")
  }
}
