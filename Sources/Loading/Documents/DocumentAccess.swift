public import PrimereplFoundation
import PrimereplPlatform
public import StateStore

/// The documents that code may read and write, where its user names a file or an address.
///
/// Code that does so only by this keeps to the limits of a sandbox and of scenarios, and never replaces a database or
/// the file of an open session.
public struct DocumentAccess: Sendable {
  /// Whether files may be read and written.
  public let allowsFiles: Bool

  /// Whether addresses may be read, and requests sent.
  public let network: NetworkAccess

  private let timeout: Duration
  private let clock: any Clock<Duration>

  /// The memory that contents may take.
  public let memory: MemoryAllowance

  /// The maximum size in bytes of a document, unless a call gives another one: 10 MB.
  public static let maximumSize = 10_000_000

  /// Access to nothing, for untrusted code: it opens no file and sends no request.
  public static let refusing = DocumentAccess(allowsFiles: false, network: .refusedInSandbox)

  /// Makes an access.
  ///
  /// - Parameters:
  ///   - allowsFiles: Whether files may be read and written.
  ///   - network: Whether addresses may be read, and requests sent.
  ///   - timeout: The time limit for an address, retries included; files have none.
  ///   - clock: The clock that waits between retries.
  ///   - memory: The memory that contents may take; without it, any amount.
  public init(
    allowsFiles: Bool = true, network: NetworkAccess = .allowed, timeout: Duration = .seconds(30),
    clock: any Clock<Duration> = ContinuousClock(),
    memory: @escaping MemoryAllowance = { _ in true }
  ) {
    (self.allowsFiles, self.network) = (allowsFiles, network)
    (self.timeout, self.clock, self.memory) = (timeout, clock, memory)
  }

  // MARK: - Reading

  /// Reads a document.
  ///
  /// Runs off the caller's actor, because a file can be slow.
  ///
  /// - Parameters:
  ///   - source: A file's path, relative to the working directory, where `~` is the home directory; or an http or https
  ///     address.
  ///   - maximumSize: The maximum size in bytes.
  /// - Returns: The content.
  /// - Throws: ``SourceError``, which names the source.
  @concurrent
  public func read(
    _ source: String, maximumSize: Int = Self.maximumSize
  ) async throws(SourceError) -> Data {
    try await content(of: DocumentSource(source), maximumSize: maximumSize)
  }

  /// Reads records from a document that is a JSON array.
  ///
  /// Runs off the caller's actor, because the content can be long. The source is a path or an address, as for
  /// ``read(_:maximumSize:)``.
  ///
  /// - Throws: ``SourceError``, which names the source, the record and the field.
  @concurrent
  public func records<Record: Decodable & Sendable>(
    of type: Record.Type = Record.self, from source: String, maximumSize: Int = Self.maximumSize
  ) async throws(SourceError) -> [Record] {
    let source = try DocumentSource(source)
    let content = try await content(of: source, maximumSize: maximumSize)
    return try DocumentDecoder(source: source.name, memory: memory).records(of: type, from: content)
  }

  /// Reads records from a document that is a JSON array; no two of them may have the same id.
  ///
  /// Otherwise the same as ``records(of:from:maximumSize:)``.
  @concurrent
  public func identifiedRecords<Record: Decodable & Identifiable & Sendable>(
    of type: Record.Type = Record.self, from source: String, maximumSize: Int = Self.maximumSize
  ) async throws(SourceError) -> [Record] {
    let source = try DocumentSource(source)
    let content = try await content(of: source, maximumSize: maximumSize)
    return try DocumentDecoder(source: source.name, memory: memory)
      .identifiedRecords(of: type, from: content)
  }

  /// Reads states that were exported, and returns them with the path or address as it is shown.
  ///
  /// - Throws: ``SourceError``, which names the source and the place of the problem.
  @concurrent
  package func states(
    of schema: StoreSchema, from source: String
  ) async throws(SourceError) -> (states: States, source: String) {
    let document = try DocumentSource(source)
    // A server's answer is in memory as it comes, so it isn't given the gigabyte of a user's file.
    let maximumSize = document.isFile ? StateDocument.maximumSize : Self.maximumSize
    let content = try await content(of: document, maximumSize: maximumSize)
    let states = try DocumentDecoder(source: document.name, memory: memory)
      .states(of: schema, from: content)
    return (states, DocumentSource.shown(source))
  }

  private func content(
    of source: DocumentSource, maximumSize: Int
  ) async throws(SourceError) -> Data {
    switch (source.location, network) {
    case (.file(let path), _) where allowsFiles:
      return try file(path, name: source.name, maximumSize: maximumSize)
    case (.file, .allowed): throw .fileNotAllowed(source.name)
    case (.web(let url), .allowed):
      return try await fetched(url, name: source.name, maximumSize: maximumSize)
    case (.web, .refusedInScenario): throw .networkNotAllowed(source.name)
    case (.file, _), (.web, .refusedInSandbox): throw .notAllowed(source.name)
    }
  }

  private func file(
    _ path: String, name: String, maximumSize: Int
  ) throws(SourceError) -> Data {
    guard !Task.isCancelled else { throw .cancelled(name) }
    do throws(SystemCallError) {
      let size = Int(try FileSystem.status(of: path).st_size)
      // Reading copies it once.
      if size > maximumSize || memory(2 * size) {
        return try DocumentFile.read(path, maximumSize: maximumSize)
      }
    } catch {
      if error.isMissingFile { throw .notFound(name) }
      if error.errorNumber == EFBIG { throw .tooLarge(name, maximumSize: maximumSize) }
      throw .unreadable(name, reason: error.reason)
    }
    throw .outOfMemory(name)
  }

  private func fetched(
    _ url: URL, name: String, maximumSize: Int
  ) async throws(SourceError) -> Data {
    let fetcher = fetcher(timeout: timeout, maximumSize: maximumSize)
    let reply: HTTPReply
    do throws(HTTPFailure) {
      reply = try await fetcher.fetch(url)
    } catch {
      throw SourceError(error, name, fetcher)
    }
    guard reply.isSuccess else { throw .httpStatus(name, status: reply.status) }
    return reply.body
  }

  private func fetcher(timeout: Duration, maximumSize: Int) -> HTTPFetcher {
    HTTPFetcher(
      timeout: timeout, maximumSize: maximumSize, redirects: .anyServer, clock: clock,
      memory: memory)
  }

  // MARK: - Requests

  /// Sends a request to a web server, once, and returns the reply, whatever its status.
  ///
  /// Without a timeout, that of addresses that are read applies.
  ///
  /// - Throws: ``SourceError``, which names the address.
  @concurrent
  package func reply(
    to request: WebRequest, timeout: Duration? = nil
  ) async throws(SourceError) -> HTTPReply {
    let name = DocumentSource.shownInMessage(request.url.absoluteString)
    switch network {
    case .allowed: break
    case .refusedInScenario: throw .networkNotAllowed(name)
    case .refusedInSandbox: throw .notAllowed(name)
    }
    let fetcher = fetcher(timeout: timeout ?? self.timeout, maximumSize: Self.maximumSize)
    do throws(HTTPFailure) {
      return try await fetcher.send(request)
    } catch {
      throw SourceError(error, name, fetcher)
    }
  }

  // MARK: - Writing

  /// Writes a text to a file and replaces its content: either all of it, or nothing.
  ///
  /// A new file can be read by its owner alone.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The file's path, relative to the working directory, where `~` is the home directory.
  /// - Throws: ``ExportError``, also for a database and the file of an open session; the file is then unchanged.
  public func write(_ text: String, to path: String) throws(ExportError) {
    // Checked first, since the path may be megabytes of text that isn't a path.
    try checkAllowsFiles(for: path)
    let (file, name) = try Self.file(named: path)
    guard !DocumentFile.isOfDatabase(file) else { throw .isDatabase(name) }
    do throws(SystemCallError) {
      try FileSystem.replace(file, with: Array(text.utf8), mode: 0o600)
    } catch {
      throw .unwritable(name, reason: error.reason)
    }
  }

  /// Throws unless files may be written, whether or not one with this path could be.
  package func checkAllowsFiles(for path: String) throws(ExportError) {
    guard allowsFiles else { throw .notAllowed(path.printable(limit: 200)) }
  }

  private static func file(
    named path: String
  ) throws(ExportError) -> (path: String, name: String) {
    let source: DocumentSource
    do throws(SourceError) {
      source = try DocumentSource(path)
    } catch {
      let name = DocumentSource.shownInMessage(path)
      throw error.reason.map { .unwritable(name, reason: $0) } ?? .badPath("“\(name)”")
    }
    guard case .file(let path) = source.location else { throw .badPath(source.name) }
    return (path, source.name)
  }
}

extension SourceError {
  fileprivate init(_ failure: HTTPFailure, _ name: String, _ fetcher: HTTPFetcher) {
    self =
      switch failure {
      case .timedOut: .timedOut(name, timeout: fetcher.timeout)
      case .cancelled: .cancelled(name)
      case .tooLarge: .tooLarge(name, maximumSize: fetcher.maximumSize)
      case .outOfMemory: .outOfMemory(name)
      case .unavailable(let obstacle): .httpUnavailable(name, reason: obstacle.reason)
      case .connection(let problem): .connectionFailed(name, reason: problem.reason)
      }
  }
}

/// Whether code may use the network.
public enum NetworkAccess: Sendable {
  /// It may use it.
  case allowed
  /// It may not use it in a sandbox.
  case refusedInSandbox
  /// It may not use it in a scenario, whose result must not depend on others' answers.
  case refusedInScenario
}

/// The memory that loading may take: whether the process may take a number of bytes more, asked on any thread.
///
/// What arrives and is decoded off the caller's actor counts as the caller's.
public typealias MemoryAllowance = @Sendable (_ byteCount: Int) -> Bool
