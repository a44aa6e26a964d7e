import Foundation
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
    let checksum: Int?
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
    try database.value("SELECT identity FROM meta")?.text ?? ""
  }

  private func checksum(of number: Int, _ database: Database) throws -> Int? {
    try database.value("SELECT checksum FROM entries WHERE number = ?", .integer(number))?.integer
  }

  /// The number of the last entry.
  func head(_ database: Database) throws -> Int {
    let last = try database.value("SELECT max(number) FROM entries")?.integer
    // The entries up to the checkpoint's head are gone.
    return try max(last ?? 0, checkpointHead(database))
  }

  /// The number of the entry that the checkpoint stands for; 0 if there is no checkpoint.
  func checkpointHead(_ database: Database) throws -> Int {
    guard let value = try database.value("SELECT head FROM checkpoint") else { return 0 }
    guard let head = value.integer, JournalCoding.numbers.contains(head) else {
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
      let row = try database.rows("SELECT head, content, \(checksum) FROM checkpoint").first
    else { return nil }
    guard let head = row[0].integer, JournalCoding.numbers.contains(head),
      let content = row[1].text,
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
    var reader = EntryReader(coding, after: head)
    do {
      try database.forEachRow(
        of: """
          SELECT number, writer, time, count, kind, content, \(checksum) FROM entries
          WHERE number > ? ORDER BY number
          """, [.integer(head)]
      ) { row in
        // Those after a damaged one mean nothing.
        if reader.damage == nil { try reader.add(row) }
      }
    } catch let error as DatabaseError {
      guard let damage = Damage(error) else { throw error }
      try reader.end(with: damage.reason)
    }
    return try reader.finish()
  }

  /// The column of checksums, which a damaged file of format 2 lacks.
  private func checksumColumn(of table: String, _ database: Database) throws -> String {
    let has = try database.value(
      "SELECT 1 FROM pragma_table_info(?) WHERE name = 'checksum'", .text(table))
    return has == nil ? "NULL" : "checksum"
  }

  // MARK: - Writing

  func insert(_ entries: [JournalEntry], after head: Int, in database: Database) throws {
    for (number, entry) in zip((head + 1)..., entries) {
      let (writer, time) = (entry.writer.uuidString, entry.time.timeIntervalSince1970)
      let content = try coding.encode(entry.event)
      let checksum = RowChecksum.of([
        "\(number)", writer, "\(time.bitPattern)", "\(entry.count)", entry.event.kind, content,
      ])
      try database.run(
        """
        INSERT INTO entries (number, writer, time, count, kind, content, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(number), .text(writer), .real(time), .integer(entry.count),
        .text(entry.event.kind), .text(content), .integer(checksum))
    }
  }

  /// Replaces the entries up to the checkpoint's head by its history.
  func replace(by checkpoint: JournalCheckpoint, in database: Database) throws {
    let content = try coding.encode(checkpoint.history)
    try database.run("DELETE FROM entries WHERE number <= ?", .integer(checkpoint.head))
    try database.run(
      "INSERT OR REPLACE INTO checkpoint (only, head, content, checksum) VALUES (1, ?, ?, ?)",
      .integer(checkpoint.head), .text(content),
      .integer(RowChecksum.of(["\(checkpoint.head)", content])))
  }

  /// Makes the journal a copy of another one.
  func setIdentity(_ identity: String, in database: Database) throws {
    try database.run("UPDATE meta SET identity = ?", .text(identity))
  }

  // MARK: - Identifiers

  /// Reserves identifiers, and returns the first that is still free.
  func takeIdentifiers(_ count: Int, of kind: String, in database: Database) throws -> Int {
    let next = try database.value(
      """
      INSERT INTO identifiers (kind, next) VALUES (?, 1 + ?)
      ON CONFLICT (kind) DO UPDATE SET next = excluded.next - 1
        + CASE WHEN typeof(next) = 'integer' AND next BETWEEN 1 AND 1 << 62 THEN next ELSE 1 END
      RETURNING next
      """, .text(kind), .integer(count)
    )?.integer
    guard let next else {
      preconditionFailure("SQLite returns the row that it inserted or updated.")
    }
    return next
  }

  /// The next free identifiers, as far as they can be read.
  func identifiers(_ database: Database) throws -> [String: Int] {
    var identifiers: [String: Int] = [:]
    // Without the table, identifiers continue after those of the existing records.
    guard try database.hasTable("identifiers") else { return identifiers }
    do {
      try database.forEachRow(of: "SELECT kind, next FROM identifiers", []) { row in
        if let kind = row[0].text, let next = row[1].integer { identifiers[kind] = next }
      }
    } catch let error as DatabaseError where Damage(error) != nil {
      return identifiers
    }
    return identifiers
  }

  func setIdentifiers(_ identifiers: [String: Int], in database: Database) throws {
    for (kind, next) in identifiers {
      try database.run(
        "INSERT OR REPLACE INTO identifiers (kind, next) VALUES (?, ?)", .text(kind), .integer(next)
      )
    }
  }
}

/// FNV-1a by Fowler, Noll and Vo, over the columns of a row.
///
/// Each step is reversible, so a change of a single byte always changes the checksum.
enum RowChecksum {
  static func of(_ columns: [String]) -> Int {
    var hash: UInt = 0xCBF2_9CE4_8422_2325
    for var column in columns {
      column.withUTF8 { for byte in $0 { hash = (hash ^ UInt(byte)) &* 0x100_0000_01B3 } }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return Int(truncatingIfNeeded: hash)
  }

  /// Whether a row has the right checksum, or none, as the rows of format 2.
  static func isRight(_ checksum: DatabaseValue, for columns: [String]) -> Bool {
    checksum == .null || checksum.integer == of(columns)
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
  mutating func add(_ row: [DatabaseValue]) throws {
    guard row[0].integer == next else { return try end(with: "it isn't there") }
    guard let text = row[1].text, let writer = writer(text),
      let time = row[2].real, abs(time) < Self.greatestTime,
      let count = row[3].integer, (1...JournalEntry.greatestCount).contains(count),
      let kind = row[4].text, let content = row[5].text,
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
