internal import CPostgres
import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// A connection to a PostgreSQL server.
///
/// Safe to send: libpq allows any thread to use a connection that no other uses, and its owner, a journal or a function,
/// uses it under a lock or alone.
final class PostgresConnection: @unchecked Sendable {
  /// An error that the server reports for a statement.
  struct ServerError: Error {
    /// The code in the SQL standard, and PostgreSQL's own.
    let code: String
    let message: String
  }

  private let library: PostgresLibrary
  private let handle: OpaquePointer
  private let address: PostgresAddress

  /// The longest wait for a sign of life from the server, besides the time that it takes for many parameters.
  private static let patience = Duration.seconds(15)
  /// The bytes of parameters for which it gets a second more: some ten times as long as it takes.
  private static let bytesPerSecond = 500_000

  /// Settings of connections, which those in the address override: a connection that died without a word is noticed.
  private static let defaults = [
    ("connect_timeout", "10"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
    ("keepalives_count", "3"), ("tcp_user_timeout", "15000"), ("client_encoding", "UTF8"),
  ]

  init(_ address: PostgresAddress, program: String) throws(JournalError) {
    library = try PostgresLibrary.loaded(for: address.shown)
    self.address = address
    let isSet = getenv("PGCONNECT_TIMEOUT") != nil
    let settings =
      Self.defaults.filter { !(isSet && $0.0 == "connect_timeout") }
      + [("fallback_application_name", program), ("dbname", address.uri)]
    let connected = Self.withCStrings(settings.map { $0.0 }) { [library] names in
      Self.withCStrings(settings.map { $0.1 }) { library.PQconnectdbParams(names, $0, 1) }
    }
    guard let connected else { throw .unreachable(address.shown, reason: "not enough memory") }
    handle = connected
    // Notices would be written to standard error.
    _ = library.PQsetNoticeProcessor(handle, { _, _ in }, nil)
    // Nothing of the functions of the tables is shown.
    _ = library.PQsetErrorVerbosity(handle, PQERRORS_TERSE)
    guard library.PQstatus(handle) == CONNECTION_OK, library.PQsetnonblocking(handle, 1) == 0 else {
      throw lost()
    }
  }

  deinit { library.PQfinish(handle) }

  /// Calls a closure with texts for C, which end with a null pointer.
  private static func withCStrings<Result>(
    _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
  }

  /// The error of a connection that is lost or wasn't made.
  private func lost(_ reason: String? = nil) -> JournalError {
    let words = library.PQerrorMessage(handle).map { String(cString: $0) }
    let message = reason ?? words ?? "the connection is lost"
    // libpq indents its hints, such as that the server may not be running.
    let lines = message.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\t") }
    // The server's last words are there only if it was asked something, so nobody can rely on them.
    let ownLines = lines.filter { !$0.hasPrefix("FATAL:") }
    let text = (ownLines.isEmpty ? lines : ownLines).joined(separator: "; ")
      .replacing("FATAL:  ", with: "")
    return .unreachable(address.shown, reason: address.hidingPasswords(in: text))
  }

  // MARK: - Statements

  /// Runs a statement, with nil for null in its parameters and in the rows that it returns.
  ///
  /// - Throws: `ServerError`; `JournalError.unreachable`, after which the connection is of no use.
  @discardableResult
  func run(_ statement: String, _ parameters: [String?] = []) throws -> [[String?]] {
    let isSent = Self.withCStrings(parameters) { values in
      library.PQsendQueryParams(
        handle, statement, Int32(parameters.count), nil, values, nil, nil, 0) == 1
    }
    guard isSent else { throw lost() }
    let size = parameters.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    return try finish(within: Self.patience + .seconds(size / Self.bytesPerSecond))
  }

  /// Runs several statements in one transaction, and returns the rows of the last that has any.
  @discardableResult
  func run(script: String) throws -> [[String?]] {
    guard library.PQsendQuery(handle, script) == 1 else { throw lost() }
    return try finish(within: Self.patience)
  }

  /// Sends what is left to send, and waits for the results; each sign of life from the server must come in time.
  private func finish(within patience: Duration) throws -> [[String?]] {
    var waitsForWriting = true
    while waitsForWriting || library.PQisBusy(handle) == 1 {
      let state = library.PQflush(handle)
      guard state >= 0 else { throw lost() }
      waitsForWriting = state == 1
      guard waitsForWriting || library.PQisBusy(handle) == 1 else { break }
      try wait(within: patience, forWriting: waitsForWriting)
    }
    return try takeResults()
  }

  /// Waits for a sign of life from the server, and reads it.
  private func wait(within patience: Duration, forWriting: Bool) throws(JournalError) {
    let events = Int16(POLLIN | (forWriting ? POLLOUT : 0))
    var waited = [pollfd(fd: library.PQsocket(handle), events: events, revents: 0)]
    guard Self.poll(&waited, atMost: patience) else {
      throw lost("the server doesn't answer")
    }
    let happened = waited[0].revents
    if happened & Int16(POLLOUT) != happened, library.PQconsumeInput(handle) == 0 { throw lost() }
  }

  /// Waits until one of several descriptors is ready; returns false if none is in time.
  private static func poll(_ waited: inout [pollfd], atMost time: Duration) -> Bool {
    let end = ContinuousClock.now + time
    while true {
      let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      let count = PrimereplFoundation.poll(
        &waited, nfds_t(waited.count), Int32(max(0, min(rest, 1e9))))
      // A signal is for the main thread.
      if count < 0, errno == EINTR { continue }
      return count > 0
    }
  }

  private func takeResults() throws -> [[String?]] {
    var rows: [[String?]] = []
    var failure: ServerError?
    while let result = library.PQgetResult(handle) {
      defer { library.PQclear(result) }
      switch library.PQresultStatus(result) {
      case PGRES_TUPLES_OK: rows = self.rows(of: result)
      case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
      default:
        failure = ServerError(
          code: text(library.PQresultErrorField(result, cpostgres_sqlstate)),
          message: address.hidingPasswords(
            in: text(library.PQresultErrorField(result, cpostgres_message))))
      }
    }
    guard library.PQstatus(handle) == CONNECTION_OK else { throw lost() }
    if let failure { throw failure }
    return rows
  }

  private func rows(of result: OpaquePointer) -> [[String?]] {
    let columns = library.PQnfields(result)
    return (0..<library.PQntuples(result)).map { row in
      (0..<columns).map { column in
        guard library.PQgetisnull(result, row, column) == 0 else { return nil }
        let bytes = UnsafeRawBufferPointer(
          start: library.PQgetvalue(result, row, column),
          count: Int(library.PQgetlength(result, row, column)))
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  private func text(_ start: UnsafePointer<CChar>?) -> String {
    start.map { String(cString: $0) } ?? ""
  }

  // MARK: - Notifications

  /// Waits until the server notifies this connection of another one's doing, or `pipe` wakes it.
  ///
  /// - Returns: Whether there was a notification.
  func waitForNotification(atMost time: Duration, _ pipe: WakePipe) throws(JournalError) -> Bool {
    let end = ContinuousClock.now + time
    while true {
      if takeNotifications() { return true }
      let rest = ContinuousClock.now.duration(to: end)
      var waited = [library.PQsocket(handle), pipe.readEnd].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard rest > .zero, Self.poll(&waited, atMost: rest) else { return false }
      if waited[1].revents != 0 {
        pipe.drain()
        return takeNotifications()
      }
      guard library.PQconsumeInput(handle) == 1 else { throw lost() }
    }
  }

  /// Takes the notifications that have arrived; returns whether any is of another connection.
  private func takeNotifications() -> Bool {
    var isNotified = false
    while let notification = library.PQnotifies(handle) {
      if notification.pointee.be_pid != library.PQbackendPID(handle) { isNotified = true }
      library.PQfreemem(notification)
    }
    return isNotified
  }
}
