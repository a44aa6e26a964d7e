public import StateStore
/// What the app's logic needs of the world, so that tests and scenarios can pass their own.
public struct Services: Sendable {
  /// Who computes the nth prime and counts primes.
  public var primes: any PrimeSource
  /// Wolfram|Alpha.
  public var wolfram: WolframClient
  /// Who reads records from files and addresses.
  public var sources: SourceLoader
  /// Who writes files that users name.
  public var exports: ExportFiles
  /// What waiting is measured by.
  public var clock: any Clock<Duration>
  /// Who names new records and requests.
  public var identifiers: any IdentifierSource

  /// Makes the services; those that need no setting are the real ones unless others are given.
  public init(
    primes: any PrimeSource = LocalPrimes(),
    wolfram: WolframClient,
    sources: SourceLoader = SourceLoader(),
    exports: ExportFiles = ExportFiles(),
    clock: any Clock<Duration> = ContinuousClock(),
    identifiers: any IdentifierSource = SequentialIdentifiers()
  ) {
    self.primes = primes
    self.wolfram = wolfram
    self.sources = sources
    self.exports = exports
    self.clock = clock
    self.identifiers = identifiers
  }
}
