import Foundation
public import StateStore
import Platform

/// The services that the app's logic uses; tests and scenarios can pass their own.
public struct Services: Sendable {
  /// Computes the nth prime and counts primes.
  public var primes: any PrimeSource
  /// Asks Wolfram|Alpha.
  public var wolfram: WolframClient
  /// Reads records from files and addresses.
  public var sources: SourceLoader
  /// Writes files that users name.
  public var exports: ExportFiles
  /// The clock for waits.
  public var clock: any Clock<Duration>
  /// Gives ids to new records and requests.
  public var identifiers: any IdentifierSource
  /// Answers in place of the others, in scenarios.
  public var stubs: any ServiceStubs

  /// Makes the services; those that need no settings are the real ones unless others are given.
  public init(
    primes: any PrimeSource = LocalPrimes(),
    wolfram: WolframClient,
    sources: SourceLoader = SourceLoader(),
    exports: ExportFiles = ExportFiles(),
    clock: any Clock<Duration> = ContinuousClock(),
    identifiers: any IdentifierSource = SequentialIdentifiers(),
    stubs: any ServiceStubs = NoStubs()
  ) {
    self.primes = primes
    self.wolfram = wolfram
    self.sources = sources
    self.exports = exports
    self.clock = clock
    self.identifiers = identifiers
    self.stubs = stubs
  }
}

// MARK: - Services that stubs can stand for

extension Services {
  /// The nth prime, as `prime.nth` answers it.
  public func nthPrime(_ n: Int) async throws -> Int {
    try await stubs.answer(to: "prime.nth", with: [.integer(n)], isLocal: true) {
      try await primes.nthPrime(n)
    }
  }

  /// The number of primes up to a number, as `prime.count` answers it.
  public func countPrimes(upTo x: Int) async throws -> Int {
    try await stubs.answer(to: "prime.count", with: [.integer(x)], isLocal: true) {
      try await primes.count(upTo: x)
    }
  }

  /// The full answer of Wolfram|Alpha, as `wolfram.query` gives it.
  public func queryWolfram(_ text: String) async throws -> WolframAnswer {
    try await stubs.answer(to: "wolfram.query", with: [.text(text)]) {
      try await wolfram.query(text)
    }
  }

  /// The answer of Wolfram|Alpha in one line, as `wolfram.short_answer` gives it.
  public func shortWolframAnswer(_ text: String) async throws -> String {
    try await stubs.answer(to: "wolfram.short_answer", with: [.text(text)]) {
      try await wolfram.shortAnswer(text)
    }
  }

  /// The nth prime according to Wolfram|Alpha, as `wolfram.nth_prime` gives it.
  public func nthWolframPrime(_ n: Int) async throws -> Int {
    try await stubs.answer(to: "wolfram.nth_prime", with: [.integer(n)]) {
      try await wolfram.nthPrime(n)
    }
  }
}

/// Writes texts to files that users name.
public struct ExportFiles: Sendable {
  private let isRefusing: Bool

  /// A writer that writes nothing, for untrusted scripts.
  public static let refusing = ExportFiles(isRefusing: true)

  /// Makes a writer.
  public init() { isRefusing = false }

  private init(isRefusing: Bool) { self.isRefusing = isRefusing }

  /// Writes a text to a file and replaces its content: either all of it, or nothing.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The file's path, relative to the working directory, where `~` is the home directory.
  /// - Throws: `ExportError`; the file is then unchanged.
  package func write(_ text: String, to path: String) throws {
    // Checked first, since the path may be megabytes of text that isn't a path.
    guard !isRefusing else { throw ExportError.notAllowed(ExternalText.quoted(path)) }
    let (file, name) = try Self.file(named: path)
    try DocumentFile.write(text, to: file, name: name)
  }

  /// The file's path, and its name for messages.
  private static func file(named path: String) throws -> (path: String, name: String) {
    let source: RecordSource
    do throws(SourceError) {
      source = try RecordSource(path)
    } catch {
      let name = ExternalText.quoted(RecordSource.name(of: path).shownSystemText)
      throw error.reason.map { ExportError.unwritable(name, reason: $0) }
        ?? ExportError.badPath("“\(name)”")
    }
    guard case .file(let path) = source.location else { throw ExportError.badPath(source.name) }
    return (path, source.name)
  }
}
