import CSQLite
public import Foundation
import Platform
public import StateStore
import Synchronization

/// A journal in a SQLite file, which outlives the process and the machine, and to which several processes can write.
///
/// Every write is one transaction, which is on disk when it returns. Besides the entries, the file shows the current
/// state in views for people (see `Documentation/state-file.md`).
///
/// A failed call changes nothing, and a later one reopens the file. The journal is safe to use from several threads;
/// they wait for each other.
public final class SQLiteJournal: Journal {
  /// The name of the program that the file belongs to.
  public var programName: String { format.program.name }

  private let format: StateFileFormat
  private let rows: JournalRows
  private let busyTimeout: TimeInterval
  private let storage: Mutex<Storage>

  /// After one write has waited in vain, others don't wait for this long.
  private static let busyInterval = Duration.seconds(30)

  private struct Storage {
    /// The absolute path of the file.
    var path: String
    /// Nil until the file is opened, and after an error, because the file may be a different one then.
    var database: StateDatabase?
    /// The last entry that this journal has loaded or written, by which it recognizes its file.
    var known: JournalRows.Position?
    /// Damage of the file that has cost it the known entry.
    var damage: Damage?
    /// The next identifiers after those that this journal has reserved.
    var identifiers: [String: Int] = [:]
    /// The number of seconds that writes wait for others, unless one has recently waited in vain; nil for the
    /// default.
    var waitingTime: TimeInterval?
    /// When a write last waited in vain.
    var lastBusy: ContinuousClock.Instant?
    /// The number of seconds that the next write waits; nil for the default.
    var currentWaitingTime: TimeInterval? {
      lastBusy.map { .now - $0 < SQLiteJournal.busyInterval } ?? false ? 0 : waitingTime
    }
    var notices: [String] = []
    var writeFailure: JournalError?
  }

  /// Opens a file, and creates it if it is missing.
  ///
  /// A damaged file is repaired as far as possible: see `takeNotices`. A file that can't be written or created for now
  /// is opened, too: see `writeFailure`.
  ///
  /// - Parameters:
  ///   - schema: The features whose actions the journal stores.
  ///   - program: The program that the file belongs to.
  ///   - path: The file's path. Missing folders are created.
  ///   - busyTimeout: The number of seconds to wait for other processes that write.
  /// - Throws: `JournalError`; then the file is unchanged.
  /// - Complexity: O(size of the file), because it is checked; some 50 ms for a session of 100,000 records.
  public init(
    of schema: StoreSchema, program: Program, path: String, busyTimeout: TimeInterval = 5
  ) throws {
    format = StateFileFormat(schema, program)
    rows = JournalRows(format)
    self.busyTimeout = busyTimeout
    storage = Mutex(Storage(path: FileSystem.resolved(path)))
    do {
      try access { _, _ in }
      if !FileSystem.canAccess(self.path, W_OK) {
        throw JournalError.unwritable(self.path, reason: SystemCallError("access").reason)
      }
    } catch let error as JournalError where error.kind == .unwritable {
      storage.withLock { $0.writeFailure = error }
    }
  }

  /// The absolute path of the file; a session whose file was replaced by another gets a new one.
  public var path: String { storage.withLock(\.path) }

  /// Why the file couldn't be written or created when it was opened; nil if it could.
  ///
  /// Every write tries again.
  public var writeFailure: JournalError? { storage.withLock(\.writeFailure) }

  /// Messages for the user about damage that was repaired and about a new place of the file, each returned once.
  public func takeNotices() -> [String] {
    storage.withLock { storage in
      defer { storage.notices = [] }
      return storage.notices
    }
  }

  /// The journal's contents.
  ///
  /// If an entry can't be read, the file is replaced by one of the entries before it: see `takeNotices`.
  public func load() throws -> JournalContents {
    do {
      let contents = try access { storage, database in
        let (found, position) = try database.read { database in
          try check(storage, database)
          let found = try rows.contents(database, path: storage.path)
          if let damage = found.entries.damage { throw damage }
          return (found.contents, try rows.position(database))
        }
        storage.known = position
        return found
      }
      try fillTables(with: contents)
      return contents
    } catch let error as JournalError where error.kind == .unwritable && !hasContent {
      return JournalContents(checkpoint: nil, entries: [])
    }
  }

  /// Replaces a session by its last states, which the app's declarations convert, and keeps the file beside it: see
  /// `takeNotices`.
  public func migrate() throws {
    let notice = try access { storage, database in
      let notice = try SessionMigration(path: storage.path, format: format).migrate(database)
      if notice != nil { (storage.database, storage.known) = (nil, nil) }
      return notice
    }
    guard let notice else { return }
    storage.withLock { $0.notices.append(notice) }
  }

  /// Whether there is a file that isn't empty; true if that can't be determined.
  private var hasContent: Bool {
    do throws(SystemCallError) {
      return try FileSystem.status(of: path).st_size > 0
    } catch {
      return !error.isMissingFile
    }
  }

  /// Fills the tables for people and replaces their views, if a program with other features has written them.
  private func fillTables(with contents: JournalContents) throws {
    let schema = format.schema
    let isUpToDate = try access {
      try $1.read { try StateTables($0).have(schema) && format.views.areIn($0) }
    }
    guard !isUpToDate else { return }
    do {
      try write { _, database in
        guard try rows.head(database) == contents.head else { return }
        try StateTables(database).replace(
          by: Store(schema, contents, of: programName).states, schema)
        try format.views.make(in: database)
      }
    } catch let error as JournalError
      where [.busy, .unwritable, .otherVersion].contains(error.kind)
    {
      // They are filled when the file is next opened; replaying the entries reports one that can't be applied.
    }
  }

  /// Appends entries: all of them, or none.
  ///
  /// - Complexity: O(entries + edits of lists), and O(records) for an edit in the middle of a list.
  public func append(_ batch: JournalBatch, expecting head: Int) throws -> Int {
    try write { storage, database in
      let last = try rows.head(database)
      guard last == head else { throw JournalError.conflict(head: last) }
      try rows.insert(batch.entries, after: head, in: database)
      do {
        try StateTables(database).apply(batch.changes)
      } catch is StateTables.Mismatch {
        // Another program has written to the tables for people: the entries say what they must contain.
        try StateTables(database).replace(
          by: Store(
            format.schema, rows.contents(database, path: storage.path).contents, of: programName
          ).states, format.schema)
      }
      storage.known = try rows.position(database)
      return head + batch.entries.count
    }
  }

  /// The entries after entry number `head`.
  public func changes(since head: Int) throws -> [JournalEntry] {
    try access { storage, database in
      let (entries, position) = try database.read { database in
        try check(storage, database)
        guard try (rows.checkpointHead(database)...rows.head(database)).contains(head)
        else { throw JournalError.gone(since: head) }
        let found = try rows.entries(after: head, in: database)
        if let damage = found.damage { throw damage }
        return (found.entries, try rows.position(database))
      }
      storage.known = position
      return entries
    }
  }

  /// Replaces the entries up to the checkpoint's head with the resulting history.
  ///
  /// - Complexity: O(size of the history and its state).
  public func checkpoint(_ checkpoint: JournalCheckpoint) throws {
    try write { storage, database in
      try replace(by: checkpoint, &storage, database)
    }
  }

  /// Replaces the entries by a history that they don't lead to, and the contents of the tables for people by its state.
  public func rewrite(_ checkpoint: JournalCheckpoint) throws {
    let contents = JournalContents(checkpoint: checkpoint, entries: [])
    let states = try Store(format.schema, contents, of: programName).states
    try write { storage, database in
      try replace(by: checkpoint, &storage, database)
      try StateTables(database).replace(by: states, format.schema)
      try format.views.make(in: database)
    }
  }

  private func replace(
    by checkpoint: JournalCheckpoint, _ storage: inout Storage, _ database: Database
  ) throws {
    let last = try rows.head(database)
    guard checkpoint.head <= last, try checkpoint.head >= rows.checkpointHead(database)
    else { throw JournalError.conflict(head: last) }
    try rows.replace(by: checkpoint, in: database)
    storage.known = try rows.position(database)
  }

  /// Writes a whole session again: to the same path if the file was removed or damaged, otherwise beside the file that
  /// replaced it.
  public func restart(from checkpoint: JournalCheckpoint) throws {
    try storage.withLock { storage in
      storage.database = nil
      let session = SavedSession(
        contents: JournalContents(checkpoint: checkpoint, entries: []),
        identity: storage.known?.identity ?? UUID().uuidString, identifiers: storage.identifiers)
      let path = storage.path
      if let damage = storage.damage {
        let recovery = FileRecovery(path: path, format: format, busyTimeout: busyTimeout)
        let copy = try recovery.keepOriginal()
        try session.write(to: path, isReplacing: true, format)
        storage.damage = nil
        storage.notices.append(
          "\(path): damaged: \(damage.reason). The session is written again; the original is kept as \(copy)."
        )
      } else if FileIdentity(path: path) == nil {
        do {
          try session.write(to: path, isReplacing: false, format)
        } catch  where FileIdentity(path: path) != nil {
          // Another process was faster: its file may have everything that is known here.
          return
        }
        storage.notices.append("\(path): the file was removed. The session is written again.")
      } else {
        let new = FileRecovery.unusedPath(beside: path, for: "kept")
        try session.write(to: new, isReplacing: false, format)
        storage.path = new
        storage.notices.append(
          "\(path): another file has taken its place, and stays as it is. The session continues in \(new)."
        )
      }
      storage.known = JournalRows.Position(
        identity: session.identity, head: checkpoint.head, checksum: nil)
    }
  }

  /// Reserves identifiers, each only once across all processes.
  public func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    precondition(count >= 1, "Identifiers are reserved for something.")
    return try write { storage, database in
      let next = try rows.takeIdentifiers(count, of: kind.name, in: database)
      storage.identifiers[kind.name] = next
      return (next - count)...(next - 1)
    }
  }

  /// Whether other processes, or other journals in this one, have the file open; true if that can't be determined.
  public var isOpenElsewhere: Bool {
    do {
      return try access { $1.isOpenElsewhere }
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
  public func close() {
    storage.withLock { $0.database = nil }
  }
}

// MARK: - Access

extension SQLiteJournal {
  /// Writes in one transaction to the file that has the known entry.
  private func write<Result: Sendable>(
    _ body: (inout Storage, Database) throws -> Result
  ) throws -> Result {
    try access(isWriting: true) { storage, database in
      var after = storage
      let time = storage.currentWaitingTime
      do {
        let result = try database.write(waiting: time) { database in
          try check(after, database)
          return try body(&after, database)
        }
        storage = after
        return result
      } catch let error as DatabaseError where error.isOfLocks {
        if time == nil { storage.lastBusy = .now }
        throw error
      }
    }
  }

  /// Checks that a file has the known entry.
  private func check(_ storage: Storage, _ database: Database) throws {
    guard let known = storage.known, try !rows.contains(known, database) else { return }
    throw JournalError.replaced(storage.path)
  }

  /// Calls a closure with the open file; if it finds damage, the file is repaired, and it is called again.
  private func access<Result: Sendable>(
    isWriting: Bool = false, _ body: (inout Storage, StateDatabase) throws -> Result
  ) throws -> Result {
    try storage.withLock { storage in
      do {
        do {
          return try body(&storage, try database(&storage))
        } catch {
          guard let damage = Damage(error) else { throw error }
          try repair(damage, &storage)
        }
        return try body(&storage, try database(&storage))
      } catch let error as DatabaseError {
        let reason = JournalError(error, path: storage.path, isWriting: isWriting)
        if reason.kind != .busy { storage.database = nil }
        throw reason
      } catch let damage as Damage {
        throw JournalError.damaged(
          storage.path, reason: "\(damage.reason). Nothing was changed; \(JournalError.advice)")
      }
    }
  }

  private func repair(_ damage: Damage, _ storage: inout Storage) throws {
    storage.database = nil
    do {
      let recovery = FileRecovery(path: storage.path, format: format, busyTimeout: busyTimeout)
      if let notice = try recovery.repair(damage, keeping: storage.known) {
        storage.notices.append(notice)
      }
    } catch let error as JournalError where error.kind == .replaced {
      storage.damage = damage
      throw error
    } catch let error as DatabaseError where error.code == SQLITE_READONLY {
      throw JournalError.damaged(
        storage.path, reason: "\(damage.reason). It is repaired once it can be written")
    }
  }

  /// The open file; it is reopened after an error, and if another one is at its path.
  private func database(_ storage: inout Storage) throws -> StateDatabase {
    if let database = storage.database, database.isInPlace { return database }
    storage.database = nil
    if storage.known != nil, FileIdentity(path: storage.path) == nil {
      throw JournalError.replaced(storage.path)
    }
    do {
      let database = try StateDatabase.open(storage.path, format, busyTimeout: busyTimeout)
      storage.database = database
      return database
    } catch let error as JournalError where error.kind == .foreign && storage.known != nil {
      throw JournalError.replaced(storage.path)
    }
  }
}
