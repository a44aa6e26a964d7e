import Foundation
import GRDB
import StateStore

/// Reads and writes the contents of a journal in the tables of its file.
///
/// All functions must be called within a transaction.
struct JournalRows: Sendable {
  /// The last entry of a journal: as long as the file has it, or a checkpoint that replaced it, the file is a
  /// continuation of that journal.
  struct Position: Equatable {
    /// The journal's identity.
    let identity: String
    /// The number of the entry.
    let head: Int
    /// The entry's checksum; nil for an entry of format 2, and for one that a checkpoint replaced.
    let checksum: Int64?
  }

  /// The contents of a journal up to the first entry that can't be read.
  struct Contents {
    let checkpoint: JournalCheckpoint?
    let entries: EntryReader.Entries

    var contents: JournalContents {
      JournalContents(checkpoint: checkpoint, entries: entries.entries)
    }
  }

  private let coding: JournalCoding

  init(_ format: StateFileFormat) {
    coding = JournalCoding(format.schema, of: format.program.name)
  }

  // MARK: - Reading

  /// The last entry.
  func position(_ database: Database) throws -> Position {
    let head = try head(database)
    return Position(
      identity: try identity(database), head: head, checksum: try checksum(of: head, database))
  }

  /// Whether the journal is the one that had a position, or continues it.
  func contains(_ position: Position, _ database: Database) throws -> Bool {
    try position.head <= head(database) && isSame(as: position, database)
  }

  /// Whether the journal has the entry of a position; the journal must not end before it.
  func isSame(as position: Position, _ database: Database) throws -> Bool {
    guard try identity(database) == position.identity else { return false }
    // An entry that a checkpoint replaced can't be compared any more.
    return try position.head <= checkpointHead(database)
      || position.checksum == checksum(of: position.head, database)
  }

  /// The journal's identity.
  func identity(_ database: Database) throws -> String {
    let statement = try database.cachedStatement(sql: "SELECT identity FROM meta")
    return try String.fetchOne(statement) ?? ""
  }

  private func checksum(of number: Int, _ database: Database) throws -> Int64? {
    let statement = try database.cachedStatement(
      sql: "SELECT checksum FROM entries WHERE number = ?")
    return try DatabaseValue.fetchOne(statement, arguments: [number])
      .flatMap(Int64.fromDatabaseValue)
  }

  /// The number of the last entry.
  func head(_ database: Database) throws -> Int {
    let last = try database.cachedStatement(sql: "SELECT max(number) FROM entries")
    // The entries up to the checkpoint's head are gone.
    return try max(Int.fetchOne(last) ?? 0, checkpointHead(database))
  }

  /// The number of the entry that the checkpoint stands for; 0 if there is no checkpoint.
  func checkpointHead(_ database: Database) throws -> Int {
    let statement = try database.cachedStatement(sql: "SELECT head FROM checkpoint")
    guard let value = try DatabaseValue.fetchOne(statement) else { return 0 }
    guard let head = Int.fromDatabaseValue(value), JournalCoding.numbers.contains(head) else {
      throw Damage("its checkpoint doesn't name its entry")
    }
    return head
  }

  /// All contents that can be read.
  ///
  /// - Throws: `JournalError.damaged` if the checkpoint can't be read, without which the entries mean nothing;
  ///   `JournalError.otherVersion`.
  func contents(_ database: Database, path: String) throws -> Contents {
    let checkpoint: JournalCheckpoint?
    do {
      checkpoint = try self.checkpoint(database)
    } catch let damage as Damage {
      throw JournalError.damaged(
        path,
        reason:
          "its checkpoint can't be read (\(damage.reason)), and without it the entries mean nothing. "
          + "Nothing was changed; \(JournalError.advice)")
    }
    return Contents(
      checkpoint: checkpoint, entries: try entries(after: checkpoint?.head ?? 0, in: database))
  }

  private func checkpoint(_ database: Database) throws -> JournalCheckpoint? {
    let checksum = try checksumColumn(of: "checkpoint", database)
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT head, content, \(checksum) FROM checkpoint")
    else { return nil }
    guard let head = Int.fromDatabaseValue(row[0]), JournalCoding.numbers.contains(head),
      let content = String.fromDatabaseValue(row[1]),
      RowChecksum.isRight(row[2], for: ["\(head)", content])
    else { throw Damage("it isn't as it was written") }
    do {
      return JournalCheckpoint(
        head: head, history: try coding.history(from: content, number: head))
    } catch let error as DocumentError {
      throw Damage(error.message)
    }
  }

  /// The entries after one, up to the first that can't be read.
  ///
  /// - Throws: `JournalError.otherVersion` for an entry that another version of the program has written.
  func entries(after head: Int, in database: Database) throws -> EntryReader.Entries {
    let checksum = try checksumColumn(of: "entries", database)
    let statement = try database.cachedStatement(
      sql: """
        SELECT number, writer, time, count, kind, content, \(checksum) FROM entries
        WHERE number > ? ORDER BY number
        """)
    var reader = EntryReader(coding, after: head)
    do {
      let cursor = try Row.fetchCursor(statement, arguments: [head])
      while reader.damage == nil, let row = try cursor.next() { try reader.add(row) }
    } catch let error as DatabaseError {
      guard let damage = Damage(error) else { throw error }
      try reader.end(with: damage.reason)
    }
    return try reader.finish()
  }

  /// The column of checksums, which a damaged file of format 2 lacks.
  private func checksumColumn(of table: String, _ database: Database) throws -> String {
    try database.columns(in: table).contains { $0.name == "checksum" } ? "checksum" : "NULL"
  }

  // MARK: - Writing

  func insert(_ entries: [JournalEntry], after head: Int, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO entries (number, writer, time, count, kind, content, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    for (number, entry) in zip((head + 1)..., entries) {
      let (writer, time) = (entry.writer.uuidString, entry.time.timeIntervalSince1970)
      let content = try coding.encode(entry.event)
      let checksum = RowChecksum.of([
        "\(number)", writer, "\(time.bitPattern)", "\(entry.count)", entry.event.kind, content,
      ])
      try statement.execute(arguments: [
        number, writer, time, entry.count, entry.event.kind, content, checksum,
      ])
    }
  }

  /// Replaces the entries up to the checkpoint's head by its history.
  func replace(by checkpoint: JournalCheckpoint, in database: Database) throws {
    let content = try coding.encode(checkpoint.history)
    try database.execute(
      sql: "DELETE FROM entries WHERE number <= ?", arguments: [checkpoint.head])
    try database.execute(
      sql: "INSERT OR REPLACE INTO checkpoint (only, head, content, checksum) VALUES (1, ?, ?, ?)",
      arguments: [
        checkpoint.head, content, RowChecksum.of(["\(checkpoint.head)", content]),
      ])
  }

  /// Makes the journal a copy of another one.
  func setIdentity(_ identity: String, in database: Database) throws {
    try database.execute(sql: "UPDATE meta SET identity = ?", arguments: [identity])
  }

  // MARK: - Identifiers

  /// Reserves identifiers, and returns the first that is still free.
  func takeIdentifiers(_ count: Int, of kind: String, in database: Database) throws -> Int {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO identifiers (kind, next) VALUES (?, 1 + ?)
        ON CONFLICT (kind) DO UPDATE SET next = excluded.next - 1
          + CASE WHEN typeof(next) = 'integer' AND next BETWEEN 1 AND 1 << 62 THEN next ELSE 1 END
        RETURNING next
        """)
    guard let next = try Int.fetchOne(statement, arguments: [kind, count]) else {
      preconditionFailure("SQLite returns the row that it inserted or updated.")
    }
    return next
  }

  /// The next free identifiers, as far as they can be read.
  func identifiers(_ database: Database) throws -> [String: Int] {
    var identifiers: [String: Int] = [:]
    // Without the table, identifiers continue after those of the existing records.
    guard try database.tableExists("identifiers") else { return identifiers }
    do {
      let cursor = try Row.fetchCursor(database, sql: "SELECT kind, next FROM identifiers")
      while let row = try cursor.next() {
        guard let kind = String.fromDatabaseValue(row[0]), let next = Int.fromDatabaseValue(row[1])
        else { continue }
        identifiers[kind] = next
      }
    } catch let error as DatabaseError where Damage(error) != nil {
      return identifiers
    }
    return identifiers
  }

  func setIdentifiers(_ identifiers: [String: Int], in database: Database) throws {
    for (kind, next) in identifiers {
      try database.execute(
        sql: "INSERT OR REPLACE INTO identifiers (kind, next) VALUES (?, ?)",
        arguments: [kind, next])
    }
  }
}

/// FNV-1a by Fowler, Noll and Vo, over the columns of a row.
///
/// Each step is reversible, so a change of a single byte always changes the checksum.
enum RowChecksum {
  static func of(_ columns: [String]) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for var column in columns {
      column.withUTF8 { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return Int64(bitPattern: hash)
  }

  /// Whether a row has the right checksum, or none, as the rows of format 2.
  static func isRight(_ checksum: DatabaseValue, for columns: [String]) -> Bool {
    checksum.isNull || Int64.fromDatabaseValue(checksum) == of(columns)
  }
}

extension JournalEntry.Event {
  /// The kind of event, for people who read the table.
  fileprivate var kind: String {
    switch self {
    case .action: "action"
    case .travel: "travel"
    }
  }
}

/// Reads entries one after the other, and decodes many of them at a time.
struct EntryReader {
  /// Entries, and the damage that ended reading, if any.
  struct Entries {
    var entries: [JournalEntry] = []
    var damage: Damage?
  }

  private static let batchSize = 1_000
  /// A number of seconds that no clock shows: some 3,000 years.
  private static let greatestTime = 1e11

  private let coding: JournalCoding
  private var read = Entries()
  private var pending: [Pending] = []
  /// The number of the next entry.
  private var next: Int
  /// The writer of the entry before, which mostly wrote the next one too.
  private var writer: (text: String, id: UUID)?

  private struct Pending {
    let number: Int
    let writer: UUID
    let time: Date
    let count: Int
    let content: String
  }

  init(_ coding: JournalCoding, after head: Int) {
    self.coding = coding
    next = head + 1
  }

  /// The damage found so far.
  var damage: Damage? { read.damage }

  /// Adds the next row: number, writer, time, count, kind, content, checksum.
  mutating func add(_ row: Row) throws {
    guard Int.fromDatabaseValue(row[0]) == next else { return try end(with: "it isn't there") }
    guard let text = String.fromDatabaseValue(row[1]), let writer = writer(text),
      let time = Double.fromDatabaseValue(row[2]), abs(time) < Self.greatestTime,
      let count = Int.fromDatabaseValue(row[3]), (1...JournalEntry.greatestCount).contains(count),
      let kind = String.fromDatabaseValue(row[4]), let content = String.fromDatabaseValue(row[5]),
      RowChecksum.isRight(
        row[6], for: ["\(next)", text, "\(time.bitPattern)", "\(count)", kind, content])
    else { return try end(with: "it isn't as it was written") }
    pending.append(
      Pending(
        number: next, writer: writer, time: Date(timeIntervalSince1970: time), count: count,
        content: content))
    next += 1
    if pending.count == Self.batchSize { try decodePending() }
  }

  /// Notes that the next entry can't be read.
  mutating func end(with reason: String) throws {
    try decodePending()
    // An entry before it may be damaged as well.
    if read.damage == nil { note(damageOf: next, reason) }
  }

  /// Decodes the rest, and returns everything that was read.
  mutating func finish() throws -> Entries {
    try decodePending()
    return read
  }

  private mutating func note(damageOf number: Int, _ reason: String) {
    read.damage = Damage("entry \(number) can't be read: \(reason)")
  }

  private mutating func writer(_ text: String) -> UUID? {
    if let writer, writer.text == text { return writer.id }
    guard let id = UUID(uuidString: text) else { return nil }
    writer = (text, id)
    return id
  }

  private mutating func decodePending() throws {
    defer { pending.removeAll(keepingCapacity: true) }
    guard read.damage == nil, !pending.isEmpty else { return }
    if let events = coding.events(from: pending.map(\.content)) {
      for (entry, event) in zip(pending, events) { add(entry, event) }
      return
    }
    for entry in pending {
      do {
        add(entry, try coding.event(from: entry.content, number: entry.number))
      } catch let error as DocumentError {
        return note(damageOf: entry.number, error.message)
      }
    }
  }

  private mutating func add(_ entry: Pending, _ event: JournalEntry.Event) {
    read.entries.append(
      JournalEntry(event, count: entry.count, time: entry.time, writer: entry.writer))
  }
}
