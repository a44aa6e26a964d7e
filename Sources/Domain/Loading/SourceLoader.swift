import Foundation
public import StateStore

/// Loads records from a JSON file or a web server.
public struct SourceLoader: Sendable {
  private let fetcher: HTTPFetcher
  private var access = Access.everything

  private enum Access {
    case nothing, addresses, everything
    /// What a scenario reads.
    case files
  }

  /// A loader that reads nothing, for untrusted scripts: it opens no file and sends no request.
  public static let refusing = SourceLoader(access: .nothing)

  /// A loader that reads addresses but no files, for untrusted scripts that may use the network.
  public static let refusingFiles = SourceLoader(access: .addresses)

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - maximumSize: The largest content in bytes; 10 MB by default.
  ///   - timeout: The time limit for an address, retries included; files have none.
  ///   - clock: The clock that waits between retries.
  public init(
    maximumSize: Int = 10_000_000, timeout: Duration = .seconds(30),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    fetcher = HTTPFetcher(
      timeout: timeout, maximumSize: maximumSize, redirects: .anyServer, clock: clock)
  }

  /// Makes a loader that reads only what code may reach.
  ///
  /// - Parameters:
  ///   - readsFiles: Whether files may be read.
  ///   - network: Whether addresses may be read.
  public init(readsFiles: Bool, network: NetworkAccess) {
    let access: Access =
      switch (readsFiles, network) {
      case (true, .allowed): .everything
      case (false, .allowed): .addresses
      case (true, _): .files
      case (false, _): .nothing
      }
    self.init(access: access)
  }

  private init(access: Access) {
    self.init()
    self.access = access
  }

  /// Loads the records that a source holds.
  ///
  /// Runs off the caller's actor, because a file can be slow and its content long.
  ///
  /// - Parameters:
  ///   - type: The type of the records.
  ///   - source: A file's path, relative to the working directory, where `~` is the home directory;
  ///     or an http or https address. It holds a JSON array.
  /// - Returns: The records in their order.
  /// - Throws: `SourceError`, which names the source.
  @concurrent
  func records<Record: Decodable & Sendable>(
    of type: Record.Type = Record.self, from source: String
  ) async throws -> [Record] {
    let source = try RecordSource(source)
    let content = try await content(of: source)
    return try RecordDecoder(source: source.name).records(of: type, from: content)
  }

  /// Loads the records that a source holds; no two of them may have the same id.
  ///
  /// Otherwise the same as ``records(of:from:)``.
  @concurrent
  func identifiedRecords<Record: Decodable & Identifiable & Sendable>(
    of type: Record.Type = Record.self, from source: String
  ) async throws -> [Record] {
    let source = try RecordSource(source)
    let content = try await content(of: source)
    return try RecordDecoder(source: source.name).identifiedRecords(of: type, from: content)
  }

  /// Loads states from a file that they were exported to.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - path: A file's path, or an address, as for records.
  /// - Returns: The states, and the path or address as it is shown.
  /// - Throws: `SourceError`, which names the source.
  @concurrent
  package func states(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?) {
    let source = try RecordSource(path)
    let content = try await content(of: source, maximumSize: StateDocument.maximumSize)
    let states = try RecordDecoder(source: source.name).states(of: schema, from: content)
    return (states, RecordSource.shown(path))
  }

  private func content(
    of source: RecordSource, maximumSize: Int? = nil
  ) async throws(SourceError) -> Data {
    switch source.location {
    case _ where access == .nothing:
      throw .notAllowed(source.name)
    case .file where access == .addresses:
      throw .fileNotAllowed(source.name)
    case .web where access == .files:
      throw .networkNotAllowed(source.name)
    case .file(let path):
      return try file(
        path, name: source.name, maximumSize: maximumSize ?? fetcher.maximumSize)
    case .web(let url):
      return try await fetched(url, name: source.name)
    }
  }

  private func file(
    _ path: String, name: String, maximumSize: Int
  ) throws(SourceError) -> Data {
    do throws(DocumentFile.Problem) {
      return try DocumentFile.read(path, maximumSize: maximumSize)
    } catch {
      switch error {
      case .notFound: throw .notFound(name)
      case .unreadable(let reason): throw .unreadable(name, reason: reason)
      case .tooLarge: throw .tooLarge(name, maximumSize: maximumSize)
      case .cancelled: throw .cancelled(name)
      }
    }
  }

  private func fetched(_ url: URL, name: String) async throws(SourceError) -> Data {
    let reply: HTTPReply
    do throws(HTTPFailure) {
      reply = try await fetcher.fetch(url)
    } catch {
      switch error {
      case .timedOut: throw .timedOut(name, timeout: fetcher.timeout)
      case .cancelled: throw .cancelled(name)
      case .tooLarge: throw .tooLarge(name, maximumSize: fetcher.maximumSize)
      case .unavailable(let obstacle): throw .httpUnavailable(name, reason: obstacle.reason)
      case .connection(let problem): throw .connectionFailed(name, reason: problem.reason)
      }
    }
    guard reply.isSuccess else { throw .httpStatus(name, status: reply.status) }
    return reply.body
  }
}
