public import StateStore

/// Answers the questions about primes that can take long.
public protocol PrimeSource: Sendable {
  /// The nth prime; the first is 2.
  ///
  /// - Throws: `PrimeError` for an ordinal that it can't answer, or `CancellationError`.
  func nthPrime(_ n: Int) async throws -> Int

  /// The number of primes up to and including a number.
  ///
  /// - Throws: `PrimeError` if it can't answer, or `CancellationError`.
  func count(upTo x: Int) async throws -> Int
}

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
    Self("out_of_range", "No prime is below \(number): the smallest is 2.")
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
      "primecount failed to compute \"\(computation)\": memory may be short.")
  }

  static func helperFailed(reason: String) -> Self {
    Self("helper_failed", "The process that computes primes failed: \(reason).")
  }

  static func outOfMemory(limit: Int) -> Self {
    Self(
      "out_of_memory",
      "not enough memory: computing such a large prime exceeds the limit of \(limit) bytes: "
        + "raise the limit.")
  }

  static func invalidHelperArguments(_ arguments: [String]) -> Self {
    Self(
      "invalid_helper_arguments",
      "Primes are computed for the arguments \"nth N BYTES\" or \"count N BYTES\", where BYTES is "
        + "the limit of memory or 0, not \"\(arguments.joined(separator: " "))\".")
  }
}

extension Int {
  /// The number as an English ordinal: 1st, 2nd, 3rd, 11th, 112th, -1st.
  var ordinal: String {
    let suffix =
      switch (magnitude % 100, magnitude % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(self)\(suffix)"
  }
}
