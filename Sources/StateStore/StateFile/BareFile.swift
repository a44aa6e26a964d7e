import CSQLite
import Foundation
import GRDB
import Platform

/// A SQLite file without its log, from which single pages are read.
///
/// SQLite's own reading checks the file as a whole, and without its log the file isn't consistent while another
/// process copies pages from the log to it. SQLite still opens and closes the file, so this process keeps its locks
/// on it (see `OpenFiles`).
struct BareFile: ~Copyable {
  private let connection: OpaquePointer
  private let pageSize: Int
  /// SQLite's schema version.
  let schema: Int64

  /// Nil if the file isn't a SQLite file, or can't be read.
  init?(path: String) {
    var opened: OpaquePointer?
    let result = path.withSystemBytes { sqlite3_open_v2($0, &opened, SQLITE_OPEN_READONLY, nil) }
    guard result == SQLITE_OK, let opened,
      let bytes = Self.read(StateFileHeader.size, at: 0, of: opened),
      let header = StateFileHeader(bytes), let pageSize = header.pageSize,
      let schema = header.schema
    else {
      sqlite3_close(opened)
      return nil
    }
    connection = opened
    self.pageSize = pageSize
    self.schema = schema
  }

  deinit { sqlite3_close(connection) }

  /// A page, numbered from 1; nil if it can't be read.
  func page(_ number: Int) -> BTreePage? {
    guard (1...Int(UInt32.max)).contains(number),
      let bytes = Self.read(pageSize, at: (number - 1) * pageSize, of: connection)
    else { return nil }
    return BTreePage(bytes[...], isFirst: number == 1)
  }

  private static func read(_ count: Int, at offset: Int, of connection: OpaquePointer) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = csqlite_read_file(connection, &bytes, Int32(count), Int64(offset))
    return result == SQLITE_OK ? bytes : nil
  }
}

/// A page of one of the B-trees in a SQLite file: of a table with or without row ids.
///
/// The offsets follow SQLite's "Database File Format". Every position is checked, because the page may contain
/// anything: what can't be read is nil or left out.
struct BTreePage {
  enum Kind: Int {
    /// The numbers of the pages below it, which contain a table's rows.
    case tableInterior = 0x05
    /// Rows of a table.
    case tableLeaf = 0x0D
    /// Rows of a table without row ids, which SQLite treats as an index.
    case indexLeaf = 0x0A
  }

  /// A value of a column, as far as it is needed.
  enum Value: Equatable {
    case text(String)
    case number(Int64)
    case other
  }

  let kind: Kind

  private let bytes: ArraySlice<UInt8>
  /// The offset of the page's header: on the first page, after the header of the file.
  private let start: Int

  /// Longer texts aren't read.
  private static let longestText = 64

  /// Nil if the bytes aren't such a page.
  init?(_ bytes: ArraySlice<UInt8>, isFirst: Bool = false) {
    self.bytes = bytes
    start = isFirst ? StateFileHeader.size : 0
    guard let kind = bytes.dropFirst(start).first.flatMap({ Kind(rawValue: Int($0)) }) else {
      return nil
    }
    self.kind = kind
  }

  /// The numbers of the pages directly below this one.
  var children: [Int] {
    guard kind == .tableInterior else { return [] }
    return (cells + [start + 8]).compactMap { number(ofBytes: 4, at: $0) }.map(Int.init)
  }

  /// The first columns of the rows, as far as they are on this page.
  var rows: [[Value]] {
    switch kind {
    case .tableLeaf: cells.map { row(at: $0, isNumbered: true) }
    case .indexLeaf: cells.map { row(at: $0, isNumbered: false) }
    case .tableInterior: []
    }
  }

  /// The offsets of the page's cells.
  private var cells: [Int] {
    let header = kind == .tableInterior ? 12 : 8
    guard let count = number(ofBytes: 2, at: start + 3) else { return [] }
    // Each offset takes two bytes of the page.
    return (0..<min(Int(count & 0xFFFF), bytes.count / 2)).compactMap { cell in
      number(ofBytes: 2, at: start + header + 2 * cell).map { Int($0 & 0xFFFF) }
    }
  }

  private func row(at position: Int, isNumbered: Bool) -> [Value] {
    var position = position
    // The size of the row comes first, then its row id.
    guard varint(&position) != nil, !isNumbered || varint(&position) != nil else { return [] }
    let header = position
    guard let headerSize = varint(&position) else { return [] }
    var types: [Int] = []
    while position < header + headerSize {
      guard let type = varint(&position) else { return [] }
      types.append(type)
    }
    var values: [Value] = []
    for type in types {
      let size = Self.size(ofType: type)
      guard let value = value(ofType: type, size: size, at: position) else { break }
      values.append(value)
      position += size
    }
    return values
  }

  /// The size of a value in bytes.
  private static func size(ofType type: Int) -> Int {
    switch type {
    case 1...4: type
    case 5: 6
    case 6, 7: 8
    case 12...: (type - 12) / 2
    default: 0
    }
  }

  private func value(ofType type: Int, size: Int, at position: Int) -> Value? {
    switch type {
    case 1...6: return number(ofBytes: size, at: position).map(Value.number)
    case 8, 9: return .number(Int64(type - 8))
    case 13... where type % 2 == 1 && size < Self.longestText:
      return slice(position, count: size).map { .text(String(decoding: $0, as: UTF8.self)) }
    default: return .other
    }
  }

  /// A signed big-endian number.
  private func number(ofBytes count: Int, at position: Int) -> Int64? {
    guard let digits = slice(position, count: count), let first = digits.first else { return nil }
    let sign: Int64 = first & 0x80 == 0 ? 0 : -1
    return digits.reduce(sign) { $0 << 8 | Int64($1) }
  }

  /// Reads a variable-length number; those that need more than four bytes don't occur.
  private func varint(_ position: inout Int) -> Int? {
    var value = 0
    for _ in 0..<4 {
      guard let next = slice(position, count: 1)?.first.map(Int.init) else { return nil }
      position += 1
      value = value << 7 | next & 0x7F
      if next & 0x80 == 0 { return value }
    }
    return nil
  }

  private func slice(_ offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset + count <= bytes.count else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }
}

/// The mark that each of our commits leaves in a state file, to tell its log from that of another file.
///
/// SQLite knows a log only by its name. If a backup replaces a file in use, the log of that file still lies beside
/// it, and SQLite would copy its pages into a file that never had the others. The marks prevent that. A log has whole
/// pages, and each of our commits writes the page with its mark. A log belongs to a file whose last mark is the one
/// before the log's first commit, or that of one of its commits.
///
/// The mark is in rows of the table `identifiers`, all of them on one page.
struct CommitMark: Equatable, Sendable {
  /// A random number that no other commit has.
  let commit: Int64
  /// The number of the commit before; 0 if that left no mark.
  let previous: Int64
  /// SQLite's schema version; a different layout of the same contents, for example after VACUUM, changes it.
  let schema: Int64
  /// The number of the file that the mark was written to.
  let file: Int64
  /// The number of the log that the mark was first written to; 0 if there was none.
  let log: Int64

  private static let kinds = (
    commit: "commit", previous: "commit.previous", schema: "commit.schema", file: "commit.file",
    log: "commit.log"
  )

  /// The prefix of the kinds of a mark's rows.
  static let prefix = "commit"

  /// The mark on a page of the table `identifiers`; nil if there is none, as on any other page.
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

  /// The mark in some rows; nil if they don't contain one.
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

  /// The mark in a connection's file; nil if there is none.
  init?(_ database: Database) throws {
    let statement = try database.cachedStatement(
      sql: "SELECT kind, next FROM identifiers WHERE kind GLOB '\(Self.prefix)*'")
    var rows: [String: Int64] = [:]
    let cursor = try Row.fetchCursor(statement)
    while let row = try cursor.next() {
      // Another program may have written anything.
      if let kind = String.fromDatabaseValue(row[0]), let next = Int64.fromDatabaseValue(row[1]) {
        rows[kind] = next
      }
    }
    self.init(rows: rows)
  }

  /// Writes the mark of the commit that a transaction is about to make.
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
