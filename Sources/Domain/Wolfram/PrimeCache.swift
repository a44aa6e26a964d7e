import Synchronization

/// The primes that the service has named: facts, so they are kept for as long as the cache lives.
final class PrimeCache: Sendable {
  private let primes = Mutex<[Int: Int]>([:])

  /// The prime with a number, where it is known.
  subscript(number: Int) -> Int? {
    primes.withLock { $0[number] }
  }

  /// Remembers the prime with a number.
  func remember(_ prime: Int, at number: Int) {
    primes.withLock { $0[number] = prime }
  }
}
