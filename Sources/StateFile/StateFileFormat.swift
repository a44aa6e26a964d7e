import CSQLite
import Foundation
import StateStore

/// The format of a program's state files.
struct StateFileFormat: Sendable {
  /// The version that this program writes.
  static let version = 4

  /// The oldest version that is migrated.
  private static let oldestVersion = 2

  let schema: StoreSchema
  let program: Program
  let views: StateViews

  init(_ schema: StoreSchema, _ program: Program) {
    self.schema = schema
    self.program = program
    views = StateViews(schema)
  }

  /// Refuses a file of another program or of a newer version, and leaves it and everything beside it unchanged.
  ///
  /// SQLite neither locks a file that it is told is immutable nor creates files beside it.
  ///
  /// - Throws: `JournalError`, or a `DatabaseError`.
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
    try checkSchema(database, path: path)
  }

  private func checkVersion(of database: Database, path: String) throws {
    let version = try Self.version(of: database)
    guard version <= Self.version else { throw JournalError.newer(path, format: version) }
    guard version >= Self.oldestVersion || version == 0 else {
      throw foreign(path, "it has format \(version), which was never released")
    }
  }

  /// Refuses a file with something that no version makes, such as a trigger: saving would run its code.
  ///
  /// - Throws: `JournalError`, or a `DatabaseError`.
  func checkSchema(_ database: Database, path: String) throws {
    if let object = try Self.fileSchema.strangeObject(in: database) {
      throw foreign(path, "\(object) wasn't made by \(program.name), and could run code")
    }
  }

  private func foreign(_ path: String, _ reason: String) -> JournalError {
    .foreign(path, program: program.name, reason: reason)
  }

  /// Gives a file this format, if it is empty or has an earlier one.
  ///
  /// - Throws: `JournalError`, or a `DatabaseError`.
  func apply(to database: Database, path: String) throws {
    // Versions up to 2 used a write-ahead log.
    if try database.value("PRAGMA journal_mode")?.text == "wal" {
      try database.run("PRAGMA journal_mode = DELETE")
    }
    let version = try database.read(Self.version)
    guard version != Self.version else { return }
    do {
      try database.write { try migrate($0, path: path) }
    } catch let error as DatabaseError
      where version == 3 && [SQLITE_READONLY, SQLITE_CANTOPEN].contains(error.code)
    {
      // It can be read as it is, and is migrated once it can be written.
    }
  }

  private func migrate(_ database: Database, path: String) throws {
    switch try Self.version(of: database) {
    case 0:
      try database.run("PRAGMA application_id = \(program.fileIdentifier)")
      try database.run(script: Self.tables)
      try StateTables(database).replace(by: schema.initial, schema)
      try views.make(in: database)
      try makeIdentity(in: database)
    case 2:
      try database.run(script: Self.checksums)
      try makeIdentity(in: database)
    case 3:
      // It differs only in the kinds of actions, all of which this version knows.
      break
    default:
      // Another process has just migrated it.
      return try checkVersion(of: database, path: path)
    }
    try database.run("PRAGMA user_version = \(Self.version)")
  }

  private func makeIdentity(in database: Database) throws {
    try database.run(script: Self.identity)
    try database.run(
      "INSERT INTO meta (only, identity) VALUES (1, ?)", .text(UUID().uuidString))
  }

  private static func version(of database: Database) throws -> Int {
    try database.value("PRAGMA user_version")?.integer ?? 0
  }

  /// A table that a file has lost; nil if it has all of them.
  static func missingTable(in database: Database) throws -> String? {
    try ["entries", "checkpoint", "identifiers", "meta", "fields", "lists", "records"].first {
      try !database.hasTable($0)
    }
  }

  // MARK: - Tables

  /// The journal, and the current states.
  private static let tables = """
    CREATE TABLE entries (
      number INTEGER PRIMARY KEY,
      writer TEXT NOT NULL,
      time REAL NOT NULL, -- seconds since 1970
      count INTEGER NOT NULL,
      kind TEXT NOT NULL,
      content TEXT NOT NULL,
      checksum INTEGER
    );

    CREATE TABLE checkpoint (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      head INTEGER NOT NULL,
      content TEXT NOT NULL,
      checksum INTEGER
    );

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

  /// What format 2 lacks; it has rows in `identifiers` that aren't used any more.
  private static let checksums = """
    ALTER TABLE entries ADD COLUMN checksum INTEGER;
    ALTER TABLE checkpoint ADD COLUMN checksum INTEGER;
    DELETE FROM identifiers WHERE kind IN ('removal', 'commit') OR kind LIKE 'commit.%';
    DROP TABLE IF EXISTS grdb_migrations;
    """

  /// The identity of the journal, which its copies share.
  private static let identity = """
    CREATE TABLE meta (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      identity TEXT NOT NULL
    );
    """

  /// Everything that files of this format and of earlier ones have.
  private static let fileSchema = FileSchema([
    tables, identity,
    // Without checksums in format 2.
    tables.replacing(",\n  checksum INTEGER", with: ""),
    "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
  ])
}

extension String {
  /// The path as a URI for SQLite, in which every byte except letters, digits and `-._~/` is escaped.
  var databaseAddress: String {
    let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    return systemBytes.reduce(into: "file:") { name, byte in
      if unreserved.contains(byte) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
      }
    }
  }
}
