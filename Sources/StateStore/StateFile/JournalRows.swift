import Foundation
import GRDB

/// Reads and writes the contents of a journal in the tables of its file.
///
/// All functions must be called within a transaction.
struct JournalRows: Sendable {
  /// An entry in its stored form.
  struct Encoded {
    let writer: String
    let time: Double
    let count: Int
    let kind: String
    let content: String
  }

  /// Entries, and the damage that ended reading, if any.
  struct Entries {
    var entries: [JournalEntry] = []
    var damage: EntryDamage?
  }

  /// The contents of a journal, and the damage that ended reading, if any.
  struct Contents {
    let contents: JournalContents
    let damage: EntryDamage?
  }

  /// The kind of identifier that counts removals of entries.
  private static let removal = "removal"

  let schema: Schema
  private let program: Program
  private let encoder = StateCoding.encoder
  private let decoder: JSONDecoder

  init(_ schema: Schema, _ program: Program) {
    self.schema = schema
    self.program = program
    decoder = StateCoding.decoder(for: schema)
  }

  // MARK: - Reading

  /// The number of the last entry.
  func head(_ database: Database) throws -> Int {
    let last = try database.cachedStatement(sql: "SELECT max(number) FROM entries")
    // The entries up to the checkpoint's head are gone.
    return try max(Int.fetchOne(last) ?? 0, checkpointHead(database))
  }

  /// The valid numbers of entries and actions: more than any session needs.
  private static let numbers = 0...(1 << 53)

  /// The number of the entry that the checkpoint stands for; 0 if there is no checkpoint.
  func checkpointHead(_ database: Database) throws -> Int {
    let statement = try database.cachedStatement(sql: "SELECT head FROM checkpoint")
    guard let value = try DatabaseValue.fetchOne(statement) else { return 0 }
    guard let head = Int.fromDatabaseValue(value), Self.numbers.contains(head) else {
      throw RowProblem(reason: "its checkpoint doesn't name its entry")
    }
    return head
  }

  /// All contents that can be read.
  ///
  /// - Throws: `JournalError.damaged` if the checkpoint can't be read, without which the entries mean nothing;
  ///   `JournalError.otherVersion`.
  func contents(_ database: Database, path: String) throws -> Contents {
    guard try !StateFileFormat.isHalfMade(database) else {
      return Contents(contents: JournalContents(checkpoint: nil, entries: []), damage: nil)
    }
    let checkpoint = try checkpoint(database, path: path)
    let found = try entries(after: checkpoint?.head ?? 0, in: database)
    return Contents(
      contents: JournalContents(checkpoint: checkpoint, entries: found.entries),
      damage: found.damage)
  }

  private func checkpoint(_ database: Database, path: String) throws -> JournalCheckpoint? {
    guard let row = try Row.fetchOne(database, sql: "SELECT head, content FROM checkpoint") else {
      return nil
    }
    func damaged(_ reason: String) -> JournalError {
      .damaged(
        path,
        reason:
          "its checkpoint can't be read (\(reason)), and without it the entries mean nothing. "
          + "Nothing was changed; \(SQLiteJournal.advice)")
    }
    guard let head = Int.fromDatabaseValue(row[0]), Self.numbers.contains(head) else {
      throw damaged("it doesn't name its entry")
    }
    guard let content = String.fromDatabaseValue(row[1]) else { throw damaged("it isn't text") }
    let json = Data(content.utf8)
    let history: HistorySnapshot
    do {
      history = try decoder.decode(HistorySnapshot.self, from: json)
    } catch let error as StoredFormError {
      throw JournalError.otherVersion(entry: head, of: program.name, reason: error.message)
    } catch {
      throw damaged(DocumentError(describing: error, in: json).message)
    }
    guard Self.numbers.contains(history.offset),
      (history.offset...history.offset + history.actions.count).contains(history.position)
    else { throw damaged("position: the history has no such action") }
    return JournalCheckpoint(head: head, history: history)
  }

  /// The entries after one, up to the first that can't be read.
  ///
  /// - Throws: `JournalError.otherVersion` for an entry that another version of the program has written.
  func entries(after head: Int, in database: Database) throws -> Entries {
    let statement = try database.cachedStatement(
      sql:
        "SELECT number, writer, time, count, content FROM entries WHERE number > ? ORDER BY number")
    var batch = EntryBatch(decoder: decoder, of: program, after: head)
    do {
      let cursor = try Row.fetchCursor(statement, arguments: [head])
      while batch.damage == nil, let row = try cursor.next() { try batch.add(row) }
    } catch let error as DatabaseError where error.isOfDamage {
      try batch.end(with: error.words)
    }
    return try batch.finish()
  }

  // MARK: - Writing

  func encode(_ entry: JournalEntry) throws -> Encoded {
    Encoded(
      writer: entry.writer.uuidString, time: entry.time.timeIntervalSince1970, count: entry.count,
      kind: entry.event.kind,
      content: String(decoding: try encoder.encode(entry.event), as: UTF8.self))
  }

  func encode(_ history: HistorySnapshot) throws -> String {
    String(decoding: try encoder.encode(history), as: UTF8.self)
  }

  func insert(_ entries: [Encoded], after head: Int, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql:
        "INSERT INTO entries (number, writer, time, count, kind, content) VALUES (?, ?, ?, ?, ?, ?)"
    )
    for (number, entry) in zip((head + 1)..., entries) {
      try statement.execute(arguments: [
        number, entry.writer, entry.time, entry.count, entry.kind, entry.content,
      ])
    }
  }

  /// Removes an entry and all after it.
  func removeEntries(from number: Int, in database: Database) throws {
    try database.execute(sql: "DELETE FROM entries WHERE number >= ?", arguments: [number])
    _ = try takeNumbers(1, of: Self.removal, in: database)
  }

  /// A number that changes when entries are removed: what is known of removed entries doesn't apply to the current
  /// ones.
  func nextRemoval(_ database: Database) throws -> Int {
    let statement = try database.cachedStatement(
      sql: "SELECT next FROM identifiers WHERE kind = ?")
    // A value that isn't a number counts as one that no removal has.
    let value = try DatabaseValue.fetchOne(statement, arguments: [Self.removal])
    return value.map { Int.fromDatabaseValue($0) ?? -1 } ?? 1
  }

  func replaceCheckpoint(head: Int, content: String, in database: Database) throws {
    try database.execute(sql: "DELETE FROM entries WHERE number <= ?", arguments: [head])
    try database.execute(
      sql: "INSERT OR REPLACE INTO checkpoint (only, head, content) VALUES (1, ?, ?)",
      arguments: [head, content])
  }

  // MARK: - Identifiers

  /// Reserves identifiers, and returns the first that is still free.
  func takeIdentifiers(_ count: Int, of kind: IdentifierKind, in database: Database) throws -> Int {
    try takeNumbers(count, of: kind.name, in: database)
  }

  private func takeNumbers(_ count: Int, of kind: String, in database: Database) throws -> Int {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO identifiers (kind, next) VALUES (?, 1 + ?)
        ON CONFLICT (kind) DO UPDATE SET next = excluded.next - 1
          + CASE WHEN typeof(next) = 'integer' AND next BETWEEN 1 AND 1 << 62 THEN next ELSE 1 END
        RETURNING next
        """)
    guard let next = try Int.fetchOne(statement, arguments: [kind, count]) else {
      preconditionFailure("What was inserted or updated is returned.")
    }
    return next
  }

  /// The next free identifiers, as far as they can be read, without the mark of the last commit.
  func identifiers(_ database: Database) throws -> [String: Int64] {
    var identifiers: [String: Int64] = [:]
    // Without the table, identifiers continue after those of the existing records.
    guard try database.tableExists("identifiers") else { return identifiers }
    let cursor = try Row.fetchCursor(database, sql: "SELECT kind, next FROM identifiers")
    do {
      while let row = try cursor.next() {
        guard let kind = String.fromDatabaseValue(row[0]), !kind.hasPrefix(CommitMark.prefix),
          let next = Int64.fromDatabaseValue(row[1])
        else { continue }
        identifiers[kind] = next
      }
    } catch let error as DatabaseError where error.isOfDamage {
      return identifiers
    }
    return identifiers
  }
}

/// What is wrong with a row that is damaged, or that another program has written.
struct RowProblem: Error {
  /// What is wrong, and where.
  let reason: String
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

/// Reads entries one after the other.
///
/// Their contents are decoded many at a time, as one array, which is several times as fast.
struct EntryBatch {
  private static let size = 1_000
  /// A number of seconds that no clock shows: some 3,000 years.
  private static let greatestTime = 1e11

  private let decoder: JSONDecoder
  private let program: Program
  private var read = JournalRows.Entries()
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

  init(decoder: JSONDecoder, of program: Program, after head: Int) {
    self.decoder = decoder
    self.program = program
    next = head + 1
  }

  /// The damage found so far.
  var damage: EntryDamage? { read.damage }

  /// Adds the next row: number, writer, time, count, content.
  mutating func add(_ row: Row) throws {
    guard Int.fromDatabaseValue(row[0]) == next else { return try end(with: "it isn't there") }
    guard let count = Int.fromDatabaseValue(row[3]),
      (1...JournalEntry.greatestCount).contains(count)
    else { return try end(with: "it doesn't say how often it was done") }
    guard let text = String.fromDatabaseValue(row[1]), let writer = writer(text) else {
      return try end(with: "it doesn't say who wrote it")
    }
    guard let time = Double.fromDatabaseValue(row[2]), abs(time) < Self.greatestTime else {
      return try end(with: "it doesn't say when it was done")
    }
    guard let content = String.fromDatabaseValue(row[4]) else {
      return try end(with: "what was done isn't text")
    }
    pending.append(
      Pending(
        number: next, writer: writer, time: Date(timeIntervalSince1970: time), count: count,
        content: content))
    next += 1
    if pending.count == Self.size { try decodePending() }
  }

  /// Notes that the next entry can't be read, and why.
  mutating func end(with reason: String) throws {
    try decodePending()
    // An entry before it may be damaged as well.
    guard read.damage == nil else { return }
    read.damage = EntryDamage(number: next, reason: "entry \(next) can't be read: \(reason)")
  }

  /// Decodes the rest, and returns all that was read.
  mutating func finish() throws -> JournalRows.Entries {
    try decodePending()
    return read
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
    let array = "[" + pending.lazy.map(\.content).joined(separator: ",") + "]"
    do {
      let events = try decoder.decode([JournalEntry.Event].self, from: Data(array.utf8))
      // Contents that aren't JSON by themselves may together look like a different number of events.
      guard events.count == pending.count else { return try decodeSingly() }
      for (entry, event) in zip(pending, events) { add(entry, event) }
    } catch {
      try decodeSingly()
    }
  }

  /// Decodes entries one by one, to find the one that can't be decoded.
  private mutating func decodeSingly() throws {
    for entry in pending {
      let json = Data(entry.content.utf8)
      do {
        add(entry, try decoder.decode(JournalEntry.Event.self, from: json))
      } catch let error as StoredFormError {
        throw JournalError.otherVersion(
          entry: entry.number, of: program.name, reason: error.message)
      } catch {
        let problem = DocumentError(describing: error, in: json)
        read.damage = EntryDamage(
          number: entry.number, reason: "entry \(entry.number) can't be read: \(problem.message)")
        return
      }
    }
  }

  private mutating func add(_ entry: Pending, _ event: JournalEntry.Event) {
    read.entries.append(
      JournalEntry(event, count: entry.count, time: entry.time, writer: entry.writer))
  }
}
