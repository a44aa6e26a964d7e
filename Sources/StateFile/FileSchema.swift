import CSQLite
import StateStore

/// Defense against files of strangers, whose schema can contain code: triggers, views, generated columns and virtual
/// tables run it when rows are read or written.
extension Database {
  /// Opens a state file by a connection that runs no code of the file's.
  ///
  /// - Parameters:
  ///   - address: The file's URI.
  ///   - isReadOnly: Whether it is only read.
  ///   - waiting: Waits while others have the file locked; nil to fail at once.
  /// - Returns: The connection.
  /// - Throws: `DatabaseError`.
  static func ofStateFile(
    _ address: String, isReadOnly: Bool = false, waiting: BusyWaiting? = nil
  ) throws(DatabaseError) -> Database {
    let database = try Database(address, isReadOnly: isReadOnly, waiting: waiting)
    try database.set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try database.set(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    try database.set(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    try database.set(SQLITE_DBCONFIG_DEFENSIVE, true)
    return database
  }
}

/// The tables and indexes that state files of all versions of the format have.
struct FileSchema {
  /// Their statements in one form: a migration and SQLite's `ALTER TABLE` put spaces elsewhere.
  private let statements: Set<String>

  /// - Parameter sql: The statements.
  init(_ sql: [String]) {
    statements = Set(sql.flatMap { $0.split(separator: ";") }.map(Self.plainForm))
  }

  /// The first object of a file that no version makes, so that it isn't a state file; nil if there is none.
  ///
  /// Views are allowed, as nothing here reads them: those of other features, and those that people add.
  func strangeObject(in database: Database) throws -> String? {
    let objects = try database.rows(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE type <> 'view' OR sql IS NULL OR sql NOT LIKE 'CREATE VIEW %'
      """)
    for object in objects {
      let name = object[1].text ?? ""
      if let sql = object[2].text {
        if statements.contains(Self.plainForm(sql)) { continue }
      } else if name.hasPrefix("sqlite_autoindex_") {
        // Of a primary key.
        continue
      }
      // SQLite's own, made by ANALYZE: nothing else can create names that begin so.
      if name.hasPrefix("sqlite_stat") { continue }
      let type = object[0].text ?? "object"
      return "its \(type.shortenedForMessage) \(name.shortenedForMessage)"
    }
    return nil
  }

  /// A statement without comments, and with spaces only where they separate words.
  private static func plainForm(_ sql: some StringProtocol) -> String {
    let lines = sql.split(separator: "\n").map { line in
      String(line.firstRange(of: "--").map { line[..<$0.lowerBound] } ?? line[...])
    }
    let words = lines.joined(separator: " ").split { " \t\r".contains($0) }
    return ["(", ")", ","].reduce(words.joined(separator: " ")) { sql, mark in
      sql.replacing(" \(mark)", with: mark).replacing("\(mark) ", with: mark)
    }
  }
}
