import CSQLite
import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// The format of a program's state files, and the conversion of files of earlier formats.
struct StateFileFormat: Sendable {
  /// The version that this program writes.
  static let version = 5

  /// The oldest version whose state is taken over.
  private static let oldestVersion = 2

  var schema: StoreSchema
  let program: Program
  let newIdentity = UUID()

  init(_ schema: StoreSchema, _ program: Program) {
    (self.schema, self.program) = (schema, program)
  }

  /// Refuses a file of another program or of a newer version, and leaves it and everything beside it unchanged.
  ///
  /// SQLite neither locks a file that it is told is immutable nor creates files beside it.
  func check(_ path: String) throws {
    do {
      try check(
        Database.ofStateFile(path.databaseAddress + "?immutable=1", isReadOnly: true), path: path)
    } catch let error as DatabaseError where error.code == SQLITE_NOTADB {
      throw foreign(path, "it isn't a SQLite database")
    } catch let error as DatabaseError where error.code == SQLITE_CORRUPT {
      // Damaged, or just being written: reading it with locks tells.
    }
  }

  private func check(_ database: Database, path: String) throws {
    guard
      try database.value("PRAGMA application_id")?.integer == Int(program.fileIdentifier)
    else { throw foreign(path, "it is the database of another program") }
    try checkVersion(of: database, path: path)
  }

  private func checkVersion(of database: Database, path: String) throws {
    let version = try Self.version(of: database)
    guard version <= Self.version else { throw JournalError.newer(path, format: version) }
    guard version >= Self.oldestVersion || version == 0 else {
      throw foreign(path, "it has format \(version), which was never released")
    }
  }

  private func foreign(_ path: String, _ reason: String) -> JournalError {
    .foreign(path, program: program.name, reason: reason)
  }

  /// Gives a file this format, if it is empty or has an earlier one.
  ///
  /// - Returns: A message for the user if it had an earlier format.
  func apply(to database: Database, path: String) throws -> String? {
    // Versions up to 2 used a write-ahead log.
    if try database.value("PRAGMA journal_mode")?.text == "wal" {
      try database.run("PRAGMA journal_mode = DELETE")
    }
    let version = try database.read(Self.version)
    guard version != Self.version else { return nil }
    guard version > 0 else {
      try database.write { database in
        // Another process may just have made it.
        guard try Self.version(of: database) == 0 else { return }
        try makeTables(in: database)
      }
      try checkVersion(of: database, path: path)
      return nil
    }
    return try takeOver(database, path: path)
  }

  private func makeTables(in database: Database) throws {
    try database.run("PRAGMA application_id = \(program.fileIdentifier)")
    try database.run(script: Self.tables + Self.stateTables)
    try SessionTables(database).make(identity: newIdentity)
    try StateViews(schema).make(in: database)
    try database.run("PRAGMA user_version = \(Self.version)")
  }

  /// Takes over the state of a file of an earlier format, which is kept beside it, and begins a new history.
  private func takeOver(_ database: Database, path: String) throws -> String? {
    let copy = try Self.makeFile(beside: path)
    var isDone = false
    // Unless it is done, or if another process was faster.
    defer { if !isDone { _ = copy.withSystemBytes { unlink($0) } } }
    try database.run("VACUUM INTO ?", .text(copy.databaseAddress))
    isDone = try database.write { database in
      guard try Self.version(of: database) != Self.version else { return false }
      for table in ["entries", "checkpoint", "meta", "grdb_migrations"] {
        try database.run(script: "DROP TABLE IF EXISTS \(table)")
      }
      try database.run(script: Self.tables)
      try SessionTables(database).make(identity: newIdentity)
      try StateViews(schema).make(in: database)
      try StateTables(database).apply(schema.versions)
      try database.run("PRAGMA user_version = \(Self.version)")
      return true
    }
    guard isDone else { return nil }
    return
      "\(path): it had an earlier format, without what actions changed: its state was taken over, and its history "
      + "begins here. The earlier file is kept as \(copy)."
  }

  /// Creates an empty file beside another one, for a copy of that, which no other user can read.
  private static func makeFile(beside path: String) throws(JournalError) -> String {
    let time = Date().formatted(.iso8601.timeSeparator(.omitted))
    var number = 1
    while true {
      let name = "\(path).earlier-\(time)" + (number == 1 ? "" : "-\(number)")
      do throws(SystemCallError) {
        close(try FileSystem.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600))
        return name
      } catch {
        guard error.errorNumber == EEXIST else {
          throw .unwritable(path, reason: "a copy of it can't be made: \(error.reason)")
        }
        number += 1
      }
    }
  }

  private static func version(of database: Database) throws -> Int {
    try database.value("PRAGMA user_version")?.integer ?? 0
  }

  /// A table that a file has lost; nil if it has all of them.
  static func missingTable(in database: Database) throws -> String? {
    let found = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .compactMap(\.[0].text)
    return tableNames.first { !found.contains($0) }
  }

  // MARK: - Tables

  static let tableNames = [
    "session", "writes", "history", "identifiers", "fields", "lists", "records",
  ]

  /// The session and its history.
  private static let tables = """
    CREATE TABLE session (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      identity TEXT NOT NULL,
      sequence INTEGER NOT NULL, -- the number of the last write
      position INTEGER NOT NULL, -- the number of the last action in effect
      migration INTEGER NOT NULL -- the number of the last action that converted the state, or 0
    );

    CREATE TABLE writes (
      sequence INTEGER PRIMARY KEY,
      id TEXT NOT NULL
    );

    CREATE TABLE history (
      number INTEGER PRIMARY KEY,
      sequence INTEGER NOT NULL, -- the number of the write that wrote it
      time REAL NOT NULL, -- seconds since 1970
      text TEXT NOT NULL,
      action TEXT NOT NULL,
      changes TEXT NOT NULL
    );
    """

  /// The current state, which formats from 2 on have.
  private static let stateTables = """
    CREATE TABLE identifiers (
      kind TEXT PRIMARY KEY,
      next INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE fields (
      path TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE lists (
      path TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE records (
      list TEXT NOT NULL,
      id INTEGER NOT NULL,
      ordinal REAL NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (list, id)
    ) WITHOUT ROWID;

    CREATE INDEX records_in_order ON records (list, ordinal);
    """
}

extension String {
  /// The path as a URI for SQLite, in which every byte except letters, digits and `-._~/` is escaped.
  var databaseAddress: String { "file:" + systemBytes.percentEncoded(keeping: "-._~/") }
}
