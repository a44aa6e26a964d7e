import Foundation
import GRDB

/// A state file that is open.
final class StateDatabase: Sendable {
  private let queue: DatabaseQueue
  private let path: String
  private let busyTimeout: TimeInterval
  /// The file that is open; another one may be at the path by now.
  ///
  /// It stands after the queue: the file is closed before it counts as closed.
  private let file: OpenFile

  private init(
    _ queue: DatabaseQueue, path: String, busyTimeout: TimeInterval, file: OpenFile
  ) {
    self.queue = queue
    self.path = path
    self.busyTimeout = busyTimeout
    self.file = file
  }

  /// Which file it is.
  var identity: FileIdentity { file.identity }

  /// Whether the file is still the one at its path.
  var isInPlace: Bool { FileIdentity(path: path) == identity }

  /// Reads in one transaction: nothing changes meanwhile.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try queue.read(body)
  }

  /// Writes in one transaction.
  ///
  /// - Parameters:
  ///   - waits: Whether to wait for others that write, before it begins.
  ///   - body: Writes.
  /// - Returns: What `body` gives.
  /// - Throws: What `body` throws, or a `DatabaseError`; then nothing is written.
  func write<Result>(waits: Bool = true, _ body: (Database) throws -> Result) throws -> Result {
    try waits ? queue.write(body) : withoutWaiting { try queue.write(body) }
  }

  /// Whether others have the file open.
  ///
  /// The mode in which a log is written ahead can only be left by who has the file alone, as SQLite documents it.
  func isOpenElsewhere() throws -> Bool {
    let isAlone = try withoutWaiting {
      do {
        return try set("journal_mode", to: "DELETE") == "delete"
      } catch DatabaseError.SQLITE_BUSY {
        return false
      }
    }
    if isAlone { try set("journal_mode", to: "WAL") }
    return !isAlone
  }

  /// Does something that is busy at once where others write; only one thread does something with the file at a time.
  private func withoutWaiting<Value>(_ body: () throws -> Value) throws -> Value {
    try set("busy_timeout", to: "0")
    let result = Result { try body() }
    try set("busy_timeout", to: "\(Int(busyTimeout * 1000))")
    return try result.get()
  }

  /// Sets what SQLite calls a pragma, and gives what it is then.
  @discardableResult
  private func set(_ pragma: String, to value: String) throws -> String? {
    try queue.writeWithoutTransaction { database in
      try String.fetchOne(database, sql: "PRAGMA \(pragma) = \(value)")
    }
  }

  /// Makes a copy of the file as it is, beside it.
  ///
  /// - Returns: The copy's path.
  func copy() throws -> String {
    let path = try StateFile.createCopy(of: path)
    let destination = try DatabaseQueue(path: path)
    try queue.backup(to: destination)
    try destination.close()
    return path
  }
}

// MARK: - Opening

extension StateDatabase {
  /// A file that is open, and what had to be repaired for that.
  struct Opened {
    let database: StateDatabase
    let recovery: SQLiteJournal.Recovery?
  }

  /// Opens a file, which is made where there is none, and repaired where it is damaged.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - busyTimeout: How many seconds to wait for others that write.
  ///   - rows: Who reads and writes entries.
  /// - Returns: The open file.
  /// - Throws: `JournalError`, or a `DatabaseError`.
  static func open(
    _ path: String, busyTimeout: TimeInterval, rows: JournalRows
  ) throws -> Opened {
    try OpenFiles.whileNoOtherIsOpened { openFiles in
      var recovery: SQLiteJournal.Recovery?
      if try StateFile.createIfMissing(path) == .wasThere {
        try StateFile.check(path, isOpen: openFiles.contains)
        recovery = try repairIfDamaged(path, busyTimeout: busyTimeout, rows: rows)
      }
      try StateFile.restrictAccess(to: path)
      let queue = try connect(path, busyTimeout: busyTimeout)
      guard let identity = FileIdentity(path: path) else {
        throw JournalError.unreadable(path, reason: "it was removed just now")
      }
      let database = StateDatabase(
        queue, path: path, busyTimeout: busyTimeout, file: openFiles.insert(identity))
      return Opened(database: database, recovery: recovery)
    }
  }

  private static func repairIfDamaged(
    _ path: String, busyTimeout: TimeInterval, rows: JournalRows
  ) throws -> SQLiteJournal.Recovery? {
    guard try damage(of: path, busyTimeout: busyTimeout) != nil else { return nil }
    return try StateFile.whileFolderIsLocked(of: path, timeout: busyTimeout) {
      // Another process may have repaired it just now.
      guard let damage = try damage(of: path, busyTimeout: busyTimeout) else { return nil }
      return try Salvage(path: path, rows: rows).repair(damage)
    }
  }

  /// What is wrong with a file, or nil.
  ///
  /// It is opened for reading only, so that the log beside it stays as it is, too.
  private static func damage(of path: String, busyTimeout: TimeInterval) throws -> String? {
    var configuration = configuration(busyTimeout: busyTimeout)
    configuration.readonly = true
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let damage: String? = try queue.inDatabase { database in
        try StateFileFormat.checkVersion(of: database, path: path)
        // SQLite doesn't miss a part of the last page, and reads zeros.
        guard
          try StateFile.consistsOfPages(path, size: Int.fetchOne(database, sql: "PRAGMA page_size"))
        else { return "its end is missing" }
        let result = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        return result == "ok" ? nil : result ?? "SQLite can't check it"
      }
      try queue.close()
      return damage
    } catch let error as DatabaseError
      where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
    {
      // A process was killed while it made the file: who opens it for writing takes that back.
      return nil
    } catch let error as DatabaseError where error.isOfDamage {
      return error.message ?? "SQLite can't read it"
    }
  }

  /// Opens a file that is in order, or empty.
  static func connect(_ path: String, busyTimeout: TimeInterval) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(
      path: path, configuration: configuration(busyTimeout: busyTimeout))
    try StateFileFormat.apply(to: queue, path: path)
    return queue
  }

  private static func configuration(busyTimeout: TimeInterval) -> Configuration {
    var configuration = Configuration()
    configuration.label = "state file"
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { database in
      // What was committed outlives a power failure.
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    return configuration
  }
}
