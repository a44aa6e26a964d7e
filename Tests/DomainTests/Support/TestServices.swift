import TestSupport

@testable import Domain
@testable import StateStore

extension Services {
  /// Services of a test's own, which never wait for real time unless told to.
  static func forTests(
    primes: any PrimeSource = LocalPrimes(), clock: any Clock<Duration> = ManualClock()
  ) -> Services {
    Services(primes: primes, wolfram: WolframClient(configuration: .init()), clock: clock)
  }
}
