/// Answers the questions about primes that can take long.
public protocol PrimeSource: Sendable {
  /// The nth prime; the first is 2.
  ///
  /// - Throws: `PrimeError` for an ordinal it can't answer, or `CancellationError`.
  func nthPrime(_ n: Int) async throws -> Int

  /// How many primes there are up to a number, and including it.
  ///
  /// - Throws: `PrimeError` where it can't answer, or `CancellationError`.
  func count(upTo x: Int) async throws -> Int
}
