import Dispatch
public import PrimereplFoundation
import PrimereplPlatform
public import StateStore
import Synchronization

/// A journal in a SQLite file, which outlives the process and the machine, and to which several processes can write.
///
/// Every write is one transaction, which is on disk when it returns. The file shows the current state in views for people,
/// too (see `Documentation/state-file.md`).
///
/// A failed call changes nothing, and a later one reopens the file. The journal is safe to use from several threads;
/// they wait for each other.
public final class SQLiteJournal: SharedJournal {
  /// The absolute path of the file.
  public let path: String

  private let busyTimeout: TimeInterval
  private let storage: Mutex<Storage>
  /// Signaled to end a wait for entries.
  private let isWoken = DispatchSemaphore(value: 0)

  /// The time between two looks at the file for what others have written.
  private static let lookInterval = Duration.milliseconds(200)

  /// After one write has waited in vain, others don't wait for this long.
  private static let busyInterval = Duration.seconds(30)

  private struct Storage {
    var format: StateFileFormat
    /// Whether a file that is there gets views of the features, too: not before its session is loaded.
    var showsValues = false
    /// Nil until the file is opened, and after an error, because the file may be a different one then.
    var database: StateDatabase?
    /// The file that was removed, whose entries may still be needed to write it again.
    var removed: StateDatabase?
    /// The last write that this journal has met; with one, the file isn't made again as that of an empty session.
    var point: JournalPoint?
    /// The next identifiers after those that this journal has reserved.
    var identifiers: [String: Int] = [:]
    /// When a write last waited in vain.
    var lastBusy: ContinuousClock.Instant?
    /// The number of seconds that the next write waits; nil for the default.
    var currentWaitingTime: TimeInterval? {
      lastBusy.map { .now - $0 < SQLiteJournal.busyInterval } ?? false ? 0 : nil
    }
    var notices: [String] = []
    var writeFailure: JournalError?
  }

  /// Opens a file, and creates it if it is missing.
  ///
  /// A file that can't be written or created for now is opened, too: see `writeFailure`.
  ///
  /// - Parameters:
  ///   - schema: The features whose values the views of a file show that is new, or of an earlier format.
  ///   - program: The program that the file belongs to.
  ///   - path: The file's path. Missing folders are created.
  ///   - busyTimeout: The number of seconds to wait for other processes that write.
  /// - Throws: `JournalError`; then the file is unchanged.
  public init(
    of schema: StoreSchema, program: Program, path: String, busyTimeout: TimeInterval = 5
  ) throws {
    storage = Mutex(Storage(format: StateFileFormat(schema, program)))
    self.busyTimeout = busyTimeout
    self.path = FileSystem.resolved(path)
    do {
      try access { _, _ in }
      if !FileSystem.canAccess(self.path, W_OK) {
        throw JournalError.unwritable(self.path, reason: SystemCallError("access").reason)
      }
    } catch let error as JournalError where error.kind == .unwritable {
      storage.withLock { $0.writeFailure = error }
    }
  }

  /// Why the file couldn't be written or created when it was opened; nil if it could.
  ///
  /// Every write tries again.
  public var writeFailure: JournalError? { storage.withLock(\.writeFailure) }

  /// Messages for the user about a file of an earlier format, or one that was written again, each returned once.
  public func takeNotices() -> [String] {
    storage.withLock { storage in
      defer { storage.notices = [] }
      return storage.notices
    }
  }

  /// The session.
  ///
  /// - Complexity: O(size of the state and its history).
  public func load() throws -> SavedSession {
    do {
      return try access { storage, database in
        let session = try database.read { database in
          let tables = SessionTables(database)
          return SavedSession(
            point: try tables.point(), state: try StateTables(database).state(),
            entries: try tables.lastEntries(), extent: try tables.extent())
        }
        storage.point = session.point
        return session
      }
    } catch let error as JournalError where error.kind == .unwritable && !hasContent {
      return SavedSession(
        point: .beginning(of: storage.withLock(\.format.newIdentity)), state: SavedState(),
        entries: [], extent: HistoryExtent())
    }
  }

  /// The earlier entries; also those of a file that was removed since, as long as it isn't written again.
  public func entries(_ numbers: ClosedRange<Int>, at point: JournalPoint) throws -> [SavedEntry] {
    func read(_ database: StateDatabase) throws -> [SavedEntry] {
      try database.read {
        try SessionTables($0).entries(
          from: numbers.lowerBound, upTo: numbers.upperBound, sequence: point.sequence)
      }
    }
    if let removed = storage.withLock(\.removed) { return try read(removed) }
    return try access { try read($1) }
  }

  /// Whether there is a file that isn't empty; true if that can't be determined.
  private var hasContent: Bool {
    do throws(SystemCallError) {
      return try FileSystem.status(of: path).st_size > 0
    } catch {
      return !error.isMissingFile
    }
  }

  /// Saves a write, or gets what others have written.
  ///
  /// - Complexity: O(entries + edits of lists), and O(records) for an edit in the middle of a list.
  public func exchange(_ write: SessionWrite?, after point: JournalPoint) throws -> JournalReply {
    guard let write else {
      return try access { storage, database in
        try database.read { try reply(to: nil, after: point, SessionTables($0), &storage) }
      }
    }
    return try self.write { storage, database in
      try reply(to: write, after: point, SessionTables(database), &storage)
    }
  }

  private func reply(
    to write: SessionWrite?, after point: JournalPoint, _ tables: SessionTables,
    _ storage: inout Storage
  ) throws -> JournalReply {
    let last = try tables.point()
    storage.point = last
    guard last.session == point.session else { throw JournalError.replaced(path) }
    if last == point {
      guard let write else { return .saved(last) }
      let new = JournalPoint(
        session: last.session, sequence: last.sequence + 1, write: write.id)
      try tables.save(write, at: new)
      storage.point = new
      return .saved(new)
    }
    if let write, let sequence = try tables.sequence(of: write.id) {
      return .saved(JournalPoint(session: point.session, sequence: sequence, write: write.id))
    }
    guard try tables.has(point) else {
      // After that many, the write may only be forgotten.
      return .outdated(
        isRestored: last.sequence - point.sequence < SessionTables.rememberedWrites)
    }
    return .news(
      SessionNews(
        point: last, entries: try tables.entries(since: point.sequence),
        extent: try tables.extent()))
  }

  /// Writes a whole session to a new file, where its file was removed.
  public func restore(_ write: SessionWrite, at point: JournalPoint) throws {
    storage.withLock { $0.point = nil }
    try self.write { storage, database in
      let tables = SessionTables(database)
      let format = storage.format
      // Another process may have been faster.
      guard try tables.point() == .beginning(of: format.newIdentity) else { return }
      try tables.save(write, at: point)
      try tables.setIdentifiers(storage.identifiers)
      (storage.point, storage.removed) = (point, nil)
      storage.notices.append("\(path): the file was removed. The session is written again.")
    }
  }

  /// Reserves identifiers, each only once across all processes.
  public func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    precondition(count >= 1, "Identifiers are reserved for something.")
    return try write { storage, database in
      let next = try SessionTables(database).reserveIdentifiers(count, of: kind.name)
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
  /// The path of the file.
  public var location: String { path }

  /// False: it is a file.
  public var isRemote: Bool { false }

  /// Makes views that show the values of features, unless the file has them.
  public func show(_ schema: StoreSchema) {
    storage.withLock {
      $0.format.schema = schema
      $0.showsValues = true
    }
    do {
      try access { try StateViews($0.format.schema).makeIfNeeded(in: $1) }
    } catch {
      // The next call reports the error.
    }
  }

  /// Waits until another process has written, which is looked for now and then, or until ``wake()`` is called.
  public func waitForEntries(atMost time: Duration) -> Bool {
    let end = ContinuousClock.now + time
    while true {
      let pause = min(Self.lookInterval, end - .now)
      guard pause > .zero, isWoken.wait(timeout: .now() + pause / .seconds(1)) == .timedOut else {
        return false
      }
      if mayHaveNews { return true }
    }
  }

  /// Whether the last write isn't the one that this journal has met; true if that can't be determined.
  private var mayHaveNews: Bool {
    do {
      return try access { storage, database in
        try database.read { try SessionTables($0).point() } != storage.point
      }
    } catch {
      // The next exchange reports the error.
      return true
    }
  }

  /// Ends the current wait for entries, or the next one.
  public func wake() { isWoken.signal() }

  /// Closes the file until it is used again.
  public func close() {
    storage.withLock { $0.database = nil }
  }
}

// MARK: - Access

extension SQLiteJournal {
  private func write<Result: Sendable>(
    _ body: (inout Storage, Database) throws -> Result
  ) throws -> Result {
    try access(isWriting: true) { storage, database in
      var after = storage
      let time = storage.currentWaitingTime
      do {
        let result = try database.write(waiting: time) { try body(&after, $0) }
        storage = after
        return result
      } catch let error as DatabaseError where error.isOfLocks {
        if time == nil { storage.lastBusy = .now }
        throw error
      }
    }
  }

  /// Opens the file if necessary, and turns errors of SQLite into those of a journal.
  private func access<Result: Sendable>(
    isWriting: Bool = false, _ body: (inout Storage, StateDatabase) throws -> Result
  ) throws -> Result {
    try storage.withLock { storage in
      do {
        return try body(&storage, try database(&storage))
      } catch let error as DatabaseError where CorruptionError(error) == nil {
        let reason = JournalError(error, path: path, isWriting: isWriting)
        if reason.kind != .busy { storage.database = nil }
        throw reason
      } catch let error as DynamicLibrary.Problem {
        throw JournalError.unreadable(
          path,
          reason: "the library SQLite can't be loaded (\(error.reason)): install it with "
            + "\"apt install libsqlite3-0\" (Debian, Ubuntu)")
      } catch {
        guard let damage = CorruptionError(error) else { throw error }
        storage.database = nil
        throw JournalError.damaged(
          path, reason: "\(damage.reason). Nothing was changed; \(JournalError.advice)")
      }
    }
  }

  /// The open file; it is reopened after an error, and if another one is at its path.
  ///
  /// One that was emptied is lost, too: made again, it would be an empty session.
  private func database(_ storage: inout Storage) throws -> StateDatabase {
    let hasContent = hasContent
    if let database = storage.database, database.isInPlace, hasContent { return database }
    if storage.point != nil, !hasContent {
      storage.removed = storage.removed ?? storage.database
      storage.database = nil
      throw JournalError.lost(path)
    }
    storage.database = nil
    let (database, notice) = try StateDatabase.open(path, storage.format, busyTimeout: busyTimeout)
    storage.database = database
    if let notice { storage.notices.append(notice) }
    if storage.showsValues {
      try StateViews(storage.format.schema).makeIfNeeded(in: database)
    }
    return database
  }
}
