import TestSupport

@testable import PrimereplDomain
@testable import StateStore

extension ServiceContext<Services> {
  /// Services for a test, which by default never wait for real time.
  static func forTests(
    primes: any PrimeSource = LocalPrimes(), clock: any Clock<Duration> = ManualClock(),
    stubs: any ServiceStubs = NoStubs()
  ) -> Self {
    Self(
      Services(primes: primes, wolfram: WolframClient(configuration: .init())), clock: clock,
      stubs: stubs)
  }
}
