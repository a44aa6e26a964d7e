import GRDB

/// What is in a state file.
enum StateFileFormat {
  /// The format that this version writes.
  static let version = 2

  /// Makes a file one of this format, with the views of a schema.
  static func apply(
    to queue: DatabaseQueue, path: String, _ schema: Schema, _ program: Program
  ) throws {
    try queue.writeWithoutTransaction { database in
      // By itself and first, so that a file in which there is anything is known for ours.
      if try Int.fetchOne(database, sql: "PRAGMA application_id") != Int(program.fileIdentifier) {
        try database.execute(sql: "PRAGMA application_id = \(program.fileIdentifier)")
      }
      try checkVersion(of: database, path: path)
    }
    if try queue.inDatabase(isOlder) {
      do {
        try migrator.migrate(queue)
      } catch {
        // Another process was faster.
        guard try !queue.inDatabase(isOlder) else { throw error }
      }
    }
    let views = StateViews(schema)
    if try !queue.inDatabase(views.areIn) {
      try queue.write { database in
        // Another process may have made them just now.
        if try !views.areIn(database) { try views.make(in: database) }
      }
    }
    try queue.writeWithoutTransaction { database in
      guard try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" else { return }
      try database.execute(sql: "PRAGMA journal_mode = WAL")
    }
  }

  /// Whether a file was begun and never made: nothing was ever written to it.
  ///
  /// Earlier versions left such files where the disk was full.
  static func isHalfMade(_ database: Database) throws -> Bool {
    guard try format(of: database) == 0 else { return false }
    return try !database.tableExists("entries") && !database.tableExists("checkpoint")
  }

  /// A table that a file has lost; nil where it has all of them, or is yet to be made.
  static func missingTable(in database: Database) throws -> String? {
    guard try format(of: database) == version else { return nil }
    return try ["entries", "checkpoint", "identifiers", "fields", "lists", "records"].first {
      try !database.tableExists($0)
    }
  }

  private static func isOlder(_ database: Database) throws -> Bool {
    try format(of: database) < version
  }

  private static func format(of database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Refuses a file of a newer format.
  static func checkVersion(of database: Database, path: String) throws {
    try check(format(of: database), path: path)
  }

  /// Refuses a newer format.
  static func check(_ format: Int, path: String) throws {
    guard format <= version else { throw JournalError.newer(path, format: format) }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(sql: tables)
      try database.execute(sql: "PRAGMA user_version = 1")
    }
    migrator.registerMigration("2") { database in
      try database.execute(sql: namesOfFeatures)
      try database.execute(sql: "PRAGMA user_version = 2")
    }
    return migrator
  }
}
