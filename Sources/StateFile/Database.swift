import CSQLite
import PrimereplFoundation
import StateStore

/// A connection to a SQLite database.
// Safe: whoever opens it hands it to one journal, which locks it during each use.
final class Database: @unchecked Sendable {
  private let library: SQLiteLibrary
  private let connection: OpaquePointer
  /// The number of seconds to wait while other connections have the database locked; 0 for an error at once.
  var waitingTime = 0.0
  /// The prepared statements by their texts.
  private var statements: [String: OpaquePointer] = [:]

  /// The average pause between two attempts to lock the database, in seconds.
  private static let pause = 0.001

  /// Opens a database by its URI, and creates it if it is missing and not only read.
  ///
  /// - Throws: `DatabaseError`; `DynamicLibrary.Problem` if SQLite can't be loaded.
  init(_ address: String, isReadOnly: Bool = false) throws {
    let library = try SQLiteLibrary.loaded()
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var connection: OpaquePointer?
    let code = library.sqlite3_open_v2(
      address, &connection, access | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, nil)
    guard code == SQLITE_OK, let connection else {
      let error = DatabaseError(code, connection, library)
      _ = library.sqlite3_close_v2(connection)
      throw error
    }
    (self.library, self.connection) = (library, connection)
    _ = library.sqlite3_extended_result_codes(connection, 1)
    _ = library.sqlite3_busy_handler(
      connection,
      { database, attempts in
        guard let database else { return 0 }
        // Safe: only the connection calls this, which is closed before the object is released.
        return Unmanaged<Database>.fromOpaque(database).takeUnretainedValue()
          .pause(after: Int(attempts)) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    for statement in statements.values { _ = library.sqlite3_finalize(statement) }
    _ = library.sqlite3_close_v2(connection)
  }

  /// Pauses before another attempt to lock the database; returns whether there should be one.
  ///
  /// SQLite's own waiting pauses ever longer, and so misses the moments between the commits of processes that keep writing.
  private func pause(after attempts: Int) -> Bool {
    guard Double(attempts) * Self.pause < waitingTime else { return false }
    // Random, so that waiting processes don't keep disturbing each other.
    usleep(.random(in: 0...UInt32(2_000_000 * Self.pause)))
    return true
  }

  /// Sets an option such as `SQLITE_DBCONFIG_DEFENSIVE`.
  func set(_ option: Int32, _ isOn: Bool) throws(DatabaseError) {
    try check(csqlite_set(library, connection, option, isOn ? 1 : 0))
  }

  /// Runs statements without parameters, and ignores their rows.
  func run(script: String) throws(DatabaseError) {
    try check(library.sqlite3_exec(connection, script, nil, nil, nil))
  }

  /// Runs a statement; returns the number of rows that it has inserted, updated or deleted.
  @discardableResult
  func run(_ sql: String, _ values: DatabaseValue...) throws -> Int {
    try forEachRow(of: sql, values) { _ in }
    return Int(library.sqlite3_changes(connection))
  }

  func rows(_ sql: String, _ values: DatabaseValue...) throws -> [[DatabaseValue]] {
    var rows: [[DatabaseValue]] = []
    try forEachRow(of: sql, values) { rows.append($0) }
    return rows
  }

  /// The first value of the first row of a query; nil without rows.
  func value(_ sql: String, _ values: DatabaseValue...) throws -> DatabaseValue? {
    var first: DatabaseValue?
    try forEachRow(of: sql, values) { first = first ?? $0.first }
    return first
  }

  /// Calls a closure with the values of each row of a query; it mustn't run the same query.
  func forEachRow(
    of sql: String, _ values: [DatabaseValue], _ body: ([DatabaseValue]) throws -> Void
  ) throws {
    let statement = try statement(sql)
    defer {
      _ = library.sqlite3_reset(statement)
      _ = library.sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try check(bind(value, to: statement, at: Int32(index + 1)))
    }
    while true {
      let code = library.sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw error(code) }
        return
      }
      let columns = 0..<library.sqlite3_column_count(statement)
      try body(columns.map { value(of: statement, at: $0) })
    }
  }

  private func value(of statement: OpaquePointer, at column: Int32) -> DatabaseValue {
    switch library.sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(Int(library.sqlite3_column_int64(statement, column)))
    case SQLITE_FLOAT: return .real(library.sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      // The text comes first, as asking for it can change its length.
      let text = library.sqlite3_column_text(statement, column)
      let length = Int(library.sqlite3_column_bytes(statement, column))
      return .text(String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self))
    // A state file has no bytes.
    default: return .null
    }
  }

  private func bind(_ value: DatabaseValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null: return library.sqlite3_bind_null(statement, index)
    case .integer(let value): return library.sqlite3_bind_int64(statement, index, Int64(value))
    case .real(let value): return library.sqlite3_bind_double(statement, index, value)
    case .text(var text):
      return text.withUTF8 { bytes in
        csqlite_bind_text(library, statement, index, bytes.baseAddress, UInt64(bytes.count))
      }
    }
  }

  /// Reads in one transaction, during which nothing changes.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try transaction("BEGIN", body)
  }

  /// Writes in one transaction, which has no effect if the closure throws.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try transaction("BEGIN IMMEDIATE", body)
  }

  private func transaction<Result>(
    _ begin: String, _ body: (Database) throws -> Result
  ) throws -> Result {
    try run(begin)
    do {
      let result = try body(self)
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  private func rollBack() {
    // SQLite itself has taken some failed transactions back. If this fails, closing the connection does it.
    if library.sqlite3_get_autocommit(connection) == 0 {
      _ = library.sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
    }
  }

  private func statement(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(library.sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
    guard let statement else { throw error(SQLITE_MISUSE) }
    statements[sql] = statement
    return statement
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> DatabaseError { DatabaseError(code, connection, library) }
}

/// A value of a column or parameter.
enum DatabaseValue: Equatable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)

  var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// An error that SQLite reports.
struct DatabaseError: Error {
  let extendedCode: Int32
  let message: String

  /// The last error of a connection, or of opening one.
  fileprivate init(_ code: Int32, _ connection: OpaquePointer?, _ library: SQLiteLibrary) {
    extendedCode = connection.map { library.sqlite3_extended_errcode($0) } ?? code
    let text = connection.flatMap { library.sqlite3_errmsg($0) } ?? library.sqlite3_errstr(code)
    message = text.map { String(cString: $0) } ?? ""
  }

  /// SQLite's code without its extension.
  var code: Int32 { extendedCode & 0xFF }

  /// SQLite's message, as part of another one.
  var words: String { message.shortenedForMessage }

  /// Whether the operation needs locks that others hold for now.
  var isOfLocks: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code) }
}
