public import PrimereplLoading
public import StateStore

/// The services that the app's requests ask; tests can pass their own.
public struct Services: Sendable {
  /// Computes the nth prime and counts primes.
  public var primes: any PrimeSource
  /// Asks Wolfram|Alpha.
  public var wolfram: WolframClient
  /// Reads records from files and addresses.
  public var documents: DocumentAccess

  /// Makes the services; those that need no settings are the real ones unless others are given.
  public init(
    primes: any PrimeSource = LocalPrimes(), wolfram: WolframClient,
    documents: DocumentAccess = DocumentAccess()
  ) {
    (self.primes, self.wolfram, self.documents) = (primes, wolfram, documents)
  }
}

// MARK: - Functions that ask them

extension Services {
  /// The nth prime.
  public static let nthPrime = ServiceFunction<Services, Int, Int>("prime.nth", isLocal: true) {
    services, n in try await services.primes.nthPrime(n)
  }

  /// The number of primes up to a number.
  public static let countPrimes = ServiceFunction<Services, Int, Int>("prime.count", isLocal: true)
  { services, x in try await services.primes.count(upTo: x) }

  /// The full answer of Wolfram|Alpha.
  public static let queryWolfram = ServiceFunction<Services, String, WolframAnswer>("wolfram.query")
  { services, text in try await services.wolfram.query(text) }

  /// The answer of Wolfram|Alpha in one line.
  public static let shortWolframAnswer = ServiceFunction<Services, String, String>(
    "wolfram.short_answer"
  ) { services, text in try await services.wolfram.shortAnswer(text) }

  /// The nth prime according to Wolfram|Alpha.
  public static let nthWolframPrime = ServiceFunction<Services, Int, Int>("wolfram.nth_prime") {
    services, n in try await services.wolfram.nthPrime(n)
  }
}
