import CSQLite
import Foundation
import GRDB
import Synchronization

/// An open state file.
final class StateDatabase: Sendable {
  private let queue: DatabaseQueue
  private let path: String
  private let waiting: BusyWaiting
  private let place: Mutex<Place>
  /// The open file; a different one may be at the path by now.
  ///
  /// It is declared after the queue, so that the file is closed before it stops counting as open.
  private let file: OpenFile

  /// What was at the path when it was last found intact.
  private struct Place {
    var version: FileVersion
    /// The log, while the file is open.
    var log: FileIdentity?
    /// The turnstile for writers; nil if there is no log.
    var turnstile: WriteTurnstile?
    /// Whether this connection has its turn for more than one transaction.
    var isInTurn = false
  }

  private init(
    _ queue: DatabaseQueue, path: String, waiting: BusyWaiting, file: OpenFile, version: FileVersion
  ) {
    self.queue = queue
    self.path = path
    self.waiting = waiting
    self.file = file
    place = Mutex(
      Place(
        version: version, log: FileIdentity(path: path + StateFile.log),
        turnstile: WriteTurnstile(path: path + StateFile.log)))
  }

  deinit {
    // SQLite would copy the log into a file that it doesn't belong to, and then remove whatever has its name.
    if !isInPlace { keepLog() }
  }

  var identity: FileIdentity { file.identity }

  /// Whether the file is still the one at its path, with its log beside it, and hasn't been overwritten.
  ///
  /// SQLite itself writes to the file when it copies the log into it.
  var isInPlace: Bool {
    place.withLock { place in
      guard let version = FileVersion(path: path), version.identity == identity,
        FileIdentity(path: path + StateFile.log) == place.log
      else { return false }
      guard version != place.version else { return true }
      guard hasWhatSQLiteWrote else { return false }
      place.version = version
      return true
    }
  }

  /// Whether the file contains what SQLite would have written to it; false if it can't be read.
  private var hasWhatSQLiteWrote: Bool {
    let check = LogCheck(path: path)
    var last: (known: CommitMark?, content: LogCheck.Content?)?
    do {
      for _ in 0..<LogCheck.attempts {
        switch try check.verdict() {
        case .belongs: return true
        case .foreign: return false
        case .empty, .unknown: break
        }
        // Everything is in the file, or others are writing. SQLite trusts its cache of the file as long as no process
        // has written through SQLite.
        let known = try queue.read { try CommitMark($0) }
        let content = check.content()
        if let content, content.mark == known {
          queue.inDatabase { $0.releaseMemory() }
          return true
        }
        // A commit may have come after the log was read; the next attempt sees it.
        if let last, last.known == known, last.content == content { return false }
        last = (known, content)
      }
      return true
    } catch {
      return false
    }
  }

  /// Makes SQLite leave the log as it is when it closes the file.
  private func keepLog() {
    queue.inDatabase { database in
      guard let connection = database.sqliteConnection else { return }
      _ = csqlite_keep_log(connection)
    }
  }

  /// Reads in one transaction, during which nothing changes.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try queue.read(body)
  }

  /// Writes in one transaction.
  ///
  /// - Parameters:
  ///   - time: The number of seconds to wait for other writers before it begins; nil for the default.
  ///   - body: Writes.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or a `DatabaseError`; then nothing is written.
  func write<Result>(
    waiting time: TimeInterval? = nil, _ body: (Database) throws -> Result
  ) throws -> Result {
    let deadline = ContinuousClock.now + .seconds(time ?? waiting.timeout)
    let turnstile = enterTurnstile(waiting: time)
    defer { turnstile?.leave() }
    return try waiting.waiting(until: deadline) {
      try queue.write { database in
        // It has its turn: the next writer may wait for the end of this transaction.
        turnstile?.leave()
        let result = try body(database)
        try CommitMark.leave(in: database, path: path)
        return result
      }
    }
  }

  /// Waits for its turn to write, but only for half of the time, so that a turn that never ends doesn't block other
  /// writers.
  ///
  /// - Returns: The turnstile to leave; nil if it has no turn.
  private func enterTurnstile(waiting time: TimeInterval?) -> WriteTurnstile? {
    let turnstile = place.withLock { $0.isInTurn ? nil : $0.turnstile }
    let end = ContinuousClock.now + .seconds((time ?? waiting.timeout) / 2)
    return turnstile?.enter(until: end) == true ? turnstile : nil
  }

  /// Calls a closure while other writers wait, if they belong to this program.
  ///
  /// - Parameters:
  ///   - time: The number of seconds of which half are spent waiting for its turn; nil for the default.
  ///   - body: What to do.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  func inTurn<Result>(waiting time: TimeInterval?, _ body: () throws -> Result) throws -> Result {
    guard let turnstile = enterTurnstile(waiting: time) else { return try body() }
    place.withLock { $0.isInTurn = true }
    defer {
      place.withLock { $0.isInTurn = false }
      turnstile.leave()
    }
    return try body()
  }

  /// Whether the file is open elsewhere.
  ///
  /// As SQLite documents, only a connection that has the file to itself can leave WAL mode.
  func isOpenElsewhere() throws -> Bool {
    let isAlone = try waiting.waiting(until: .now) {
      do {
        return try set("journal_mode", to: "DELETE") == "delete"
      } catch let error as DatabaseError where error.isOfLocks {
        return false
      }
    }
    guard isAlone else { return true }
    try waiting.retrying { _ = try set("journal_mode", to: "WAL") }
    // The file has a new log now.
    _ = try queue.read { try CommitMark($0) }
    place.withLock { place in
      place.log = FileIdentity(path: path + StateFile.log)
      place.turnstile = WriteTurnstile(path: path + StateFile.log)
    }
    return false
  }

  /// Sets a pragma, and returns its new value.
  @discardableResult
  private func set(_ pragma: String, to value: String) throws -> String? {
    try queue.writeWithoutTransaction { database in
      try String.fetchOne(database, sql: "PRAGMA \(pragma) = \(value)")
    }
  }

  /// Makes a copy of the file beside it, and returns the copy's path.
  func copy() throws -> String {
    let path = try StateFile.createCopy(of: path)
    let destination = try DatabaseQueue(path: path.databaseName)
    try queue.backup(to: destination)
    try destination.close()
    return path
  }
}

// MARK: - Opening

extension StateDatabase {
  /// An open file, and what had to be done to open it.
  struct Opened {
    let database: StateDatabase
    let recovery: SQLiteJournal.Recovery?
    let setAsideLog: SQLiteJournal.SetAsideLog?
  }

  /// Opens a file, which is created if it is missing, and repaired if it is damaged.
  ///
  /// If `isThorough`, indexes are checked as well, which takes several times as long.
  ///
  /// - Throws: `JournalError`, or a `DatabaseError`.
  static func open(
    _ path: String, busyTimeout: TimeInterval, rows: JournalRows, program: Program,
    isThorough: Bool = false
  ) throws -> Opened {
    let waiting = BusyWaiting(timeout: busyTimeout)
    return try waiting.retrying {
      try OpenFiles.whileNoOtherIsOpened { openFiles in
        try open(path, waiting: waiting, rows, program, isThorough: isThorough, &openFiles)
      }
    }
  }

  private static func open(
    _ path: String, waiting: BusyWaiting, _ rows: JournalRows, _ program: Program,
    isThorough: Bool, _ openFiles: inout OpenFiles
  ) throws -> Opened {
    try NewStateFile(
      path: path, schema: rows.schema, program: program, timeout: waiting.timeout
    ).makeIfMissing()
    try StateFile.check(path, program, isOpen: openFiles.contains)
    let setAsideLog = try LogCheck(path: path).setAsideForeignLog(timeout: waiting.timeout)
    let repair = try repairIfDamaged(
      path, waiting: waiting, rows: rows, program, isThorough: isThorough)
    try StateFile.restrictAccess(to: path)
    let identity = FileIdentity(path: path)
    let queue = try connect(path, waiting: waiting, rows.schema, program)
    // SQLite opens the log on the first read.
    _ = try queue.read { try CommitMark($0) }
    guard let version = FileVersion(path: path), version.identity == identity else {
      // It was just removed or replaced.
      throw JournalError.busy(path)
    }
    let database = StateDatabase(
      queue, path: path, waiting: waiting, file: openFiles.insert(version.identity),
      version: version)
    return Opened(
      database: database, recovery: repair.recovery, setAsideLog: repair.setAsideLog ?? setAsideLog)
  }

  private struct Repair {
    var recovery: SQLiteJournal.Recovery?
    var setAsideLog: SQLiteJournal.SetAsideLog?
  }

  private static func repairIfDamaged(
    _ path: String, waiting: BusyWaiting, rows: JournalRows, _ program: Program, isThorough: Bool
  ) throws -> Repair {
    guard try settledDamage(of: path, waiting: waiting, isThorough: isThorough) != nil else {
      return Repair()
    }
    return try StateFile.whileFolderIsLocked(of: path, timeout: waiting.timeout) {
      // Another process may have just repaired it.
      guard let damage = try damage(of: path, waiting: waiting, isThorough: isThorough) else {
        return Repair()
      }
      let check = LogCheck(path: path)
      if try check.verdict() == .unknown, check.isInOrderWithoutLog() {
        return Repair(setAsideLog: try check.setAside())
      }
      return Repair(
        recovery: try FileRecovery(path: path, rows: rows, program: program).repair(damage))
    }
  }

  /// What is wrong with a file, after waiting for a process that may be copying it to its place.
  private static func settledDamage(
    of path: String, waiting: BusyWaiting, isThorough: Bool
  ) throws -> String? {
    let end = ContinuousClock.now + .seconds(waiting.timeout)
    while true {
      let version = FileVersion(path: path)
      guard let damage = try damage(of: path, waiting: waiting, isThorough: isThorough) else {
        return nil
      }
      usleep(150_000)
      if FileVersion(path: path) == version || .now >= end { return damage }
    }
  }

  /// What is wrong with a file, or nil.
  ///
  /// It is opened only for reading, so that the log beside it stays as it is, too.
  private static func damage(
    of path: String, waiting: BusyWaiting, isThorough: Bool
  ) throws -> String? {
    var configuration = configuration(waiting)
    configuration.readonly = true
    do {
      let queue = try DatabaseQueue(path: path.databaseName, configuration: configuration)
      let found = try queue.inDatabase { try damage(of: path, $0, isThorough: isThorough) }
      try queue.close()
      return found
    } catch let error as DatabaseError
      where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
    {
      // A process was killed while it created the file; opening it for writing rolls that back.
      return nil
    } catch let error as DatabaseError where error.isOfDamage {
      return error.words
    }
  }

  /// What is wrong with a file, as far as a connection finds out; nil if nothing is.
  ///
  /// - Throws: `JournalError.newer`, or a `DatabaseError`.
  static func damage(
    of path: String, _ database: Database, isThorough: Bool = false
  ) throws -> String? {
    try StateFileFormat.checkVersion(of: database, path: path)
    // SQLite doesn't notice that part of the last page is missing, and reads zeros.
    guard
      try StateFile.consistsOfPages(path, size: Int.fetchOne(database, sql: "PRAGMA page_size"))
    else { return "its end is missing" }
    let check = isThorough ? "integrity_check" : "quick_check"
    let result = try String.fetchOne(database, sql: "PRAGMA \(check)(1)")
    guard result == "ok" else {
      return result.map(ExternalText.quoted) ?? "SQLite can't check it"
    }
    guard let table = try StateFileFormat.missingTable(in: database) else { return nil }
    return "its table \(table) isn't there"
  }

  /// Opens a file that is intact or empty.
  static func connect(
    _ path: String, waiting: BusyWaiting, _ schema: Schema, _ program: Program
  ) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path.databaseName, configuration: configuration(waiting))
    try StateFileFormat.apply(to: queue, path: path, schema, program)
    return queue
  }

  private static func configuration(_ waiting: BusyWaiting) -> Configuration {
    var configuration = Configuration()
    configuration.label = "state file"
    configuration.busyMode = .callback { waiting.goesOn(after: $0) }
    configuration.prepareDatabase { database in
      // Commits outlive a power failure.
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    return configuration
  }
}
