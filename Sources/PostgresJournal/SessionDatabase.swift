import PrimereplFoundation
import StateStore

/// A connection to a database with the tables of sessions, which it makes if they are missing.
final class SessionDatabase: Sendable {
  /// The version of the tables that this program uses.
  private static let format = 2

  /// A statement that lets others wait until the transaction's changes of the tables and views are made.
  static let lockingSchema =
    "SELECT pg_advisory_xact_lock(hashtext('journal_format'), hashtext(current_schema()));"

  /// A condition for rows of `pg_locks`: the locks that processes hold while they have a session open.
  ///
  /// Their numbers are those of the table `sessions` and of the session.
  static let isLockOfSession = """
    locktype = 'advisory' AND objsubid = 2 AND classid = 'sessions'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  let connection: PostgresConnection
  let address: PostgresAddress

  /// Whether the role may only read, or the server is a copy that follows another one.
  let isReadOnly: Bool
  /// Whether the server notifies its listeners: a copy that follows another server doesn't.
  let canListen: Bool

  init(_ address: PostgresAddress, program: String) throws {
    self.address = address
    connection = try PostgresConnection(address, program: program)
    (isReadOnly, canListen) = try Self.mappingErrors(address) { [connection] in
      // As few statements as possible: on a slow link, each takes its time.
      let row = try connection.run(
        script: """
          SET lock_timeout = '5s';
          SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on',
            to_regclass('journal_format') IS NOT NULL, current_setting('server_encoding');
          """
      ).first
      guard let row, row.count == 4, let encoding = row[3] else {
        throw JournalError.refused(address.shown, reason: "this isn't a PostgreSQL server")
      }
      guard encoding == "UTF8" else { throw Self.wrongEncoding(encoding, address) }
      let (isCopy, isReadOnly, hasTables) = (row[0] == "t", row[1] == "t", row[2] == "t")
      if !hasTables { try Self.makeTables(in: connection, address) }
      let mayWrite = try Self.checkTables(in: connection, address)
      return (isCopy || isReadOnly || !mayWrite, !isCopy)
    }
  }

  private static func makeTables(
    in connection: PostgresConnection, _ address: PostgresAddress
  ) throws {
    do {
      try connection.run(
        script: lockingSchema + String(decoding: PackageResources.schema_sql, as: UTF8.self))
    } catch let error as PostgresConnection.ServerError
      where ["42P07", "42501", "3F000", "25006"].contains(error.code)
    {
      // Another process may have made them just now.
      let isThere = try connection.run("SELECT to_regclass('journal_format') IS NOT NULL")
      guard isThere.first?[0] == "t" else { throw cannotMakeTables(error, address) }
    }
  }

  /// Checks the version of the tables, and returns whether the role may write them.
  private static func checkTables(
    in connection: PostgresConnection, _ address: PostgresAddress
  ) throws -> Bool {
    let row = try connection.run(
      "SELECT version, has_table_privilege(to_regclass('history'), 'INSERT') FROM journal_format")
    let version = row.first?.integer(0) ?? 0
    guard version <= format else { throw JournalError.newer(address.shown, format: version) }
    guard version == format else {
      throw JournalError.refused(
        address.shown,
        reason: "its tables have format \(version) of a version that was never released: "
          + "name another database, or another schema with options=-csearch_path%3DNAME")
    }
    return row.first?[1] == "t"
  }

  private static func wrongEncoding(
    _ encoding: String, _ address: PostgresAddress
  ) -> JournalError {
    .refused(
      address.shown,
      reason: "the database has the encoding \(encoding), and sessions need UTF8. "
        + "Create one with: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0")
  }

  private static func cannotMakeTables(
    _ error: PostgresConnection.ServerError, _ address: PostgresAddress
  ) -> JournalError {
    .refused(
      address.shown,
      reason: "the tables of sessions can't be created: \(error.message). "
        + "Create a schema for them, and name it with options=-csearch_path%3DNAME")
  }

  // MARK: - Statements

  @discardableResult
  func run(_ statement: String, _ parameters: String?...) throws -> [[String?]] {
    try run(statement, parameters)
  }

  @discardableResult
  func run(_ statement: String, _ parameters: [String?]) throws -> [[String?]] {
    try Self.mappingErrors(address) { try connection.run(statement, parameters) }
  }

  /// Runs a statement that gives something a name; throws `error` if that is taken.
  func run(_ statement: String, _ parameters: String?..., ifTaken error: JournalError) throws {
    try Self.mappingErrors(address) {
      do {
        try connection.run(statement, parameters)
      } catch let serverError as PostgresConnection.ServerError where serverError.code == "23505" {
        throw error
      }
    }
  }

  /// Runs several statements in one transaction.
  @discardableResult
  func run(script: String) throws -> [[String?]] {
    try Self.mappingErrors(address) { try connection.run(script: script) }
  }

  /// Runs the statements of a closure in one transaction, which has no effect if the closure throws.
  func transaction<Result>(_ mode: String = "", _ body: () throws -> Result) throws -> Result {
    // Its locks are held while the network is waited for, though not by a process that is gone.
    try run(script: "BEGIN \(mode); SET LOCAL idle_in_transaction_session_timeout = '30s';")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch let error as JournalError where error.kind == .unreachable {
      throw error
    } catch {
      try run("ROLLBACK")
      throw error
    }
  }

  private static func mappingErrors<Result>(
    _ address: PostgresAddress, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as PostgresConnection.ServerError {
      throw journalError(error, address)
    }
  }

  private static func journalError(
    _ error: PostgresConnection.ServerError, _ address: PostgresAddress
  ) -> JournalError {
    switch error.code {
    // The server shuts down, is starting, or has too many connections.
    case let code where code.hasPrefix("08") || code.hasPrefix("57P") || code == "53300":
      .unreachable(address.shown, reason: error.message)
    // Another process holds a lock for too long, or a statement was cancelled.
    case let code where ["40", "55", "57"].contains(code.prefix(2)): .busy(address.shown)
    case "25006": .readOnly(address.shown)
    case "42501":
      .refused(address.shown, reason: "\(error.message): the owner of the tables can grant access")
    // A row of a session that was deleted.
    case "23503": .lost(address.shown)
    // A row, table, column or function isn't as the journal left it.
    case let code where code.hasPrefix("23") || ["42P01", "42703", "42883"].contains(code):
      .refused(
        address.shown,
        reason: "somebody has changed the tables of its sessions: restore a backup, "
          + "or name another database")
    default: .refused(address.shown, reason: error.message)
    }
  }
}
