public import Foundation
import GRDB
import Synchronization

/// A journal in a SQLite file, which outlives the process and the machine, and to which several processes can write.
///
/// Every write is one transaction, which is on disk when it returns. Besides the entries, the file shows the current
/// state in views for people (see `Documentation/state-file.md`).
///
/// A failed call changes nothing, and a later one reopens the file. The journal is safe to use from several threads;
/// they wait for each other.
public final class SQLiteJournal: Journal {
  /// The absolute path of the file.
  public let path: String

  /// The name of the program that the file belongs to.
  public var programName: String { program.name }

  private let busyTimeout: TimeInterval
  private let program: Program
  private let rows: JournalRows
  private let storage = Mutex(Storage())

  /// After one write has waited in vain, others don't wait for this long.
  private static let busyInterval = Duration.seconds(30)

  private struct Storage {
    /// Nil until the file is opened, and after an error, because the file may be a different one then.
    var database: StateDatabase?
    /// The file that was last opened.
    var identity: FileIdentity?
    /// Whether that file replaced another one and hasn't been loaded since: the known entries aren't its own.
    var isReplaced = false
    /// The number of the next removal of entries when the file was loaded; nil before.
    var nextRemoval: Int?
    /// The number of seconds that writes wait for others, unless one has recently waited in vain; nil for the
    /// default.
    var waitingTime: TimeInterval?
    /// When a write last waited in vain.
    var lastBusy: ContinuousClock.Instant?
    /// The number of seconds that the next write waits; nil for the default.
    var currentWaitingTime: TimeInterval? {
      lastBusy.map { .now - $0 < SQLiteJournal.busyInterval } ?? false ? 0 : waitingTime
    }
    var recovery: Recovery?
    var setAsideLog: SetAsideLog?
    var writeFailure: JournalError?
  }

  /// Opens a file, and creates it if it is missing.
  ///
  /// A damaged file is repaired as far as possible; `recovery` then says what was found. A file that can't be written
  /// or created for now is opened, too: see `writeFailure`.
  ///
  /// - Parameters:
  ///   - schema: The features whose actions the journal stores.
  ///   - program: The program that the file belongs to.
  ///   - path: The file's path. Missing folders are created.
  ///   - busyTimeout: The number of seconds to wait for other processes that write.
  /// - Throws: `JournalError`; then the file is unchanged.
  /// - Complexity: O(size of the file), because it is checked; some 20 ms for a session of 100,000 records.
  public init(
    of schema: Schema, program: Program, path: String, busyTimeout: TimeInterval = 5
  ) throws {
    rows = JournalRows(schema, program)
    self.program = program
    self.path = StateFile.resolved(path)
    self.busyTimeout = busyTimeout
    do {
      try access(.read) { _, _ in }
    } catch let error as JournalError where error.kind == .unwritable {
      storage.withLock { $0.writeFailure = error }
    }
  }

  /// The damage found when the file was opened or loaded, and what was kept; nil if there was none.
  public var recovery: Recovery? { storage.withLock(\.recovery) }

  /// The log of another file that lay beside this one when it was opened, and was set aside; nil if there was none.
  public var setAsideLog: SetAsideLog? { storage.withLock(\.setAsideLog) }

  /// Why the file couldn't be written or created when it was opened; nil if it could.
  ///
  /// Every write tries again.
  public var writeFailure: JournalError? { storage.withLock(\.writeFailure) }

  /// The journal's contents.
  ///
  /// If an entry can't be read, it and all later ones are removed, after the file was copied: see `recovery`.
  public func load() throws -> JournalContents {
    let found: JournalRows.Contents
    do {
      found = try access(.read) { storage, database in
        let (contents, nextRemoval) = try database.read { database in
          (try rows.contents(database, path: path), try rows.nextRemoval(database))
        }
        storage.isReplaced = false
        storage.nextRemoval = nextRemoval
        return contents
      }
    } catch let error as JournalError where error.kind == .unwritable {
      return try contentsOfUnwritable()
    }
    guard let damage = found.damage else {
      try fillTables(with: found.contents)
      return found.contents
    }
    try removeEntries(from: damage, keeping: found.contents)
    return found.contents
  }

  /// Fills the tables for people, if a program with other features has written them.
  private func fillTables(with contents: JournalContents) throws {
    let schema = rows.schema
    let isFilled = try access(.read) { _, database in
      try database.read { try StateTables($0).have(schema) }
    }
    guard !isFilled else { return }
    do {
      try write { _, database in
        guard try rows.head(database) == contents.head else { return }
        try StateTables(database).replace(
          by: Store(schema, contents, of: programName).states, schema)
      }
    } catch let error as JournalError
      where [.busy, .unwritable, .otherVersion].contains(error.kind)
    {
      // They are filled when the file is next opened; replaying the entries reports one that can't be applied.
    }
  }

  /// The contents of a file that SQLite doesn't open because it would have to write to it or to its folder.
  private func contentsOfUnwritable() throws -> JournalContents {
    guard StateFile.hasContent(path) else { return JournalContents(checkpoint: nil, entries: []) }
    return try FileRecovery(path: path, rows: rows, program: program).contents()
  }

  /// Appends entries: all of them, or none.
  ///
  /// - Complexity: O(entries + edits of lists), and O(records) for an edit in the middle of a list.
  public func append(_ batch: JournalBatch, expecting head: Int) throws -> Int {
    let encoded = try encoding { try batch.entries.map(rows.encode) }
    return try write { isReplaced, database in
      let last = try rows.head(database)
      guard last == head, !isReplaced else { throw JournalError.conflict(head: last) }
      try rows.insert(encoded, after: head, in: database)
      do {
        try StateTables(database).apply(batch.changes)
      } catch is StateTables.Mismatch {
        // Another program has written to the tables for people: the entries say what they must contain.
        try StateTables(database).replace(
          by: Store(
            rows.schema, rows.contents(database, path: path).contents, of: programName
          ).states, rows.schema)
      }
      return head + encoded.count
    }
  }

  /// The entries after entry number `head`.
  public func changes(since head: Int) throws -> [JournalEntry] {
    let found = try access(.read) { storage, database in
      let known = storage
      return try database.read { database in
        guard try !isReplaced(database, known),
          try (rows.checkpointHead(database)...rows.head(database)).contains(head)
        else { throw JournalError.gone(since: head) }
        return try rows.entries(after: head, in: database)
      }
    }
    if let damage = found.damage { throw JournalError.damaged(path, reason: damage.reason) }
    return found.entries
  }

  /// Replaces the entries up to the checkpoint's head with the resulting history.
  ///
  /// - Complexity: O(size of the history and its state).
  public func checkpoint(_ checkpoint: JournalCheckpoint) throws {
    let content = try encoding { try rows.encode(checkpoint.history) }
    try write { isReplaced, database in
      let last = try rows.head(database)
      guard !isReplaced, checkpoint.head <= last,
        checkpoint.head >= (try rows.checkpointHead(database))
      else { throw JournalError.conflict(head: last) }
      try rows.replaceCheckpoint(head: checkpoint.head, content: content, in: database)
    }
  }

  /// Reserves identifiers, each only once across all processes.
  public func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    precondition(count >= 1, "Identifiers are reserved for something.")
    return try write { _, database in
      let next = try rows.takeIdentifiers(count, of: kind, in: database)
      return (next - count)...(next - 1)
    }
  }

  /// Calls a closure while other processes that want to write wait.
  public func inTurn<Result>(_ body: () throws -> Result) throws -> Result {
    let (database, time) = try access(.write) { storage, database in
      (database, storage.currentWaitingTime)
    }
    return try database.inTurn(waiting: time, body)
  }

  /// Whether other processes, or other journals in this one, have the file open; true if that can't be determined.
  ///
  /// - Complexity: The same as a write.
  public var isOpenElsewhere: Bool {
    do {
      return try access(.write) { _, database in try database.isOpenElsewhere() }
    } catch {
      // The next write reports the error.
      return true
    }
  }
}

extension SQLiteJournal {
  /// Lets writes wait for others again, even if one has waited in vain in the last half minute.
  public func waitAgain() {
    storage.withLock { $0.lastBusy = nil }
  }

  /// Calls a closure whose writes wait at most a number of seconds for other writers.
  public func waiting<Result>(
    atMost seconds: TimeInterval, _ body: () throws -> Result
  ) rethrows -> Result {
    storage.withLock { $0.waitingTime = seconds }
    defer { storage.withLock { $0.waitingTime = nil } }
    return try body()
  }

  /// Closes the file until it is used again.
  ///
  /// SQLite then leaves nothing beside it, unless it is open elsewhere.
  public func close() {
    storage.withLock { $0.database = nil }
  }
}

// MARK: - Access

extension SQLiteJournal {
  /// What to do with a file that can't be repaired.
  static let advice =
    "put a copy of it in its place, or move it away to begin with an empty session"

  private enum Access {
    case read, write
  }

  /// Writes in one transaction; `isReplaced` says whether the file's entries don't continue the known ones.
  private func write<Result: Sendable>(
    _ body: (_ isReplaced: Bool, Database) throws -> Result
  ) throws -> Result {
    try access(.write) { storage, database in
      let known = storage
      let time = storage.currentWaitingTime
      do {
        return try database.write(waiting: time) { try body(isReplaced($0, known), $0) }
      } catch let error as DatabaseError where error.isOfLocks {
        if time == nil { storage.lastBusy = .now }
        throw JournalError.busy(path)
      }
    }
  }

  private func access<Result: Sendable>(
    _ access: Access, _ body: (inout Storage, StateDatabase) throws -> Result
  ) throws -> Result {
    try storage.withLock { storage in
      do {
        let database = try database(&storage)
        do {
          return try body(&storage, database)
        } catch let error as DatabaseError where error.isOfDamage {
          // Opening the file didn't find the damage, because it is in an index.
          let before = storage.recovery
          storage.database = nil
          let repaired = try self.database(&storage, isThorough: true)
          guard storage.recovery != before else { throw error }
          return try body(&storage, repaired)
        }
      } catch let error as DatabaseError {
        let reason = JournalError(error, path: path, isWriting: access == .write)
        if reason.kind != .busy { storage.database = nil }
        throw reason
      } catch let problem as RowProblem {
        throw JournalError.damaged(
          path, reason: "\(problem.reason). Nothing was changed; \(Self.advice)")
      }
    }
  }

  /// Whether the entries of a file are neither the known ones nor continue them.
  private func isReplaced(_ database: Database, _ known: Storage) throws -> Bool {
    guard !known.isReplaced else { return true }
    guard let nextRemoval = known.nextRemoval else { return false }
    return try rows.nextRemoval(database) != nextRemoval
  }

  /// The open file; it is reopened if it has failed, or was removed or replaced since.
  private func database(
    _ storage: inout Storage, isThorough: Bool = false
  ) throws -> StateDatabase {
    if let database = storage.database {
      if database.isInPlace { return database }
      // Once this file is closed, the other one may have the same identity.
      storage.isReplaced = true
    }
    storage.database = nil
    let opened = try StateDatabase.open(
      path, busyTimeout: busyTimeout, rows: rows, program: program, isThorough: isThorough)
    storage.database = opened.database
    if let identity = storage.identity, identity != opened.database.identity {
      storage.isReplaced = true
    }
    storage.identity = opened.database.identity
    if let recovery = opened.recovery { storage.recovery = recovery }
    if let log = opened.setAsideLog { storage.setAsideLog = log }
    return opened.database
  }

  /// Removes entries that can't be read, after making a copy of the file beside it.
  private func removeEntries(from damage: EntryDamage, keeping contents: JournalContents) throws {
    try access(.write) { storage, database in
      let head = try database.read(rows.head)
      let copy = try database.copy()
      try database.write { database in
        // The copy doesn't have what others have written since.
        guard try rows.head(database) == head else { throw JournalError.busy(path) }
        try rows.removeEntries(from: damage.number, in: database)
        try StateTables(database).replace(
          by: Store(rows.schema, contents, of: programName).states, rows.schema)
      }
      storage.nextRemoval = try database.read(rows.nextRemoval)
      storage.recovery = Recovery(
        path: path, found: damage.reason, lastEntry: contents.head, copy: copy)
    }
  }

  private func encoding<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as EncodingError {
      throw JournalError.unwritable(
        path, reason: "an action can't be encoded: \(DocumentError(encoding: error).message)")
    }
  }
}

extension SQLiteJournal {
  /// What was damaged in a file, and what was kept.
  public struct Recovery: Equatable, Sendable {
    /// The file.
    public let path: String
    /// The damage that was found.
    public let found: String
    /// The number of the last entry that was kept, with all before it.
    public let lastEntry: Int
    /// The path of a copy of the file as it was.
    public let copy: String

    /// What happened, in a few plain sentences.
    public var message: String {
      "\(path): damaged: \(found). Everything up to entry \(lastEntry) was kept; the original is kept as \(copy)."
    }
  }
}
