import Foundation
import GRDB

/// What every commit of ours leaves in a state file, so that a log can be told from one that belongs to another file.
///
/// SQLite knows a log by its name alone. Where a backup was put in the place of a file in use, the log of that one still lies
/// beside it, and would be taken in: page by page, into a file that never had the others. The marks tell. A log has whole
/// pages, and each of our commits writes the page with its mark; a log belongs to a file whose last mark is that before the
/// log's first commit, or that of one of its commits.
///
/// The mark is in rows of the table `identifiers`, all of them on one page.
struct CommitMark: Equatable, Sendable {
  /// A random number that no other commit has.
  let commit: Int64
  /// That of the commit before; 0 where that left none.
  let previous: Int64
  /// SQLite's number of the schema, which another layout of the same contents changes, such as by VACUUM.
  let schema: Int64
  /// The number of the file to which it was written.
  let file: Int64
  /// The number of the log to which it was written first; 0 without one.
  let log: Int64

  private static let kinds = (
    commit: "commit", previous: "commit.previous", schema: "commit.schema", file: "commit.file",
    log: "commit.log"
  )

  /// What the kinds of all rows of a mark begin with.
  static let prefix = "commit"

  /// The mark on a page of the table `identifiers`; nil where there is none, as on any other page.
  init?(_ page: BTreePage) {
    guard page.kind == .indexLeaf else { return nil }
    var rows: [String: Int64] = [:]
    for row in page.rows {
      if case (.text(let kind)?, .number(let next)?) = (row.first, row.dropFirst().first) {
        rows[kind] = next
      }
    }
    self.init(rows: rows)
  }

  /// The mark that rows make; nil where they make none.
  private init?(rows: [String: Int64]) {
    let kinds = Self.kinds
    guard let commit = rows[kinds.commit], let previous = rows[kinds.previous],
      let schema = rows[kinds.schema], let file = rows[kinds.file], let log = rows[kinds.log]
    else { return nil }
    (self.commit, self.previous, self.schema) = (commit, previous, schema)
    (self.file, self.log) = (file, log)
  }

  private init(previous: Int64, schema: Int64, path: String) {
    commit = .random(in: 1 ... .max)
    self.previous = previous
    self.schema = schema
    file = FileIdentity(path: path)?.number ?? 0
    log = FileIdentity(path: path + StateFile.log)?.number ?? 0
  }

  /// The mark that a connection finds in its file; nil where there is none.
  init?(_ database: Database) throws {
    let statement = try database.cachedStatement(
      sql: "SELECT kind, next FROM identifiers WHERE kind GLOB '\(Self.prefix)*'")
    var rows: [String: Int64] = [:]
    let cursor = try Row.fetchCursor(statement)
    while let row = try cursor.next() {
      // Somebody else may have written anything.
      if let kind = String.fromDatabaseValue(row[0]), let next = Int64.fromDatabaseValue(row[1]) {
        rows[kind] = next
      }
    }
    self.init(rows: rows)
  }

  /// Leaves the mark of the commit that a transaction is about to make.
  static func leave(in database: Database, path: String) throws {
    let mark = CommitMark(
      previous: try CommitMark(database)?.commit ?? 0,
      schema: try Int64.fetchOne(database, sql: "PRAGMA schema_version") ?? 0, path: path)
    try database.cachedStatement(
      sql:
        "INSERT OR REPLACE INTO identifiers (kind, next) VALUES (?, ?), (?, ?), (?, ?), (?, ?), (?, ?)"
    ).execute(arguments: [
      kinds.commit, mark.commit, kinds.previous, mark.previous, kinds.schema, mark.schema,
      kinds.file, mark.file, kinds.log, mark.log,
    ])
  }
}
