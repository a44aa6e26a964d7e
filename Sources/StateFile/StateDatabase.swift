import CSQLite
import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// An open state file.
///
/// It has a rollback journal, so that the file is complete by itself whenever nobody writes. With EXTRA synchronization,
/// commits outlive a power failure.
final class StateDatabase: Sendable {
  // Declared before the use, so that SQLite closes the file before the use ends.
  private let database: Database
  private let use: FileUse
  private let path: String
  private let busyTimeout: TimeInterval

  private init(_ database: Database, _ use: FileUse, path: String, busyTimeout: TimeInterval) {
    (self.database, self.use, self.path, self.busyTimeout) = (database, use, path, busyTimeout)
  }

  /// Whether the file is still the one at its path.
  var isInPlace: Bool { FileIdentity(path: path) == use.identity }

  /// Whether another process, or another journal of this one, has the file open; true if that can't be determined.
  var isOpenElsewhere: Bool { use.hasOthers }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try dropCache()
    return try database.read(body)
  }

  /// Makes SQLite read the file again: its cache goes by the file's change counter, which a file copied over this one
  /// may have as well.
  private func dropCache() throws {
    try database.run("PRAGMA shrink_memory")
  }

  /// Writes in one transaction; `time` is the wait for other processes in seconds, nil for the default.
  func write<Result>(
    waiting time: TimeInterval? = nil, _ body: (Database) throws -> Result
  ) throws -> Result {
    database.waitingTime = time ?? busyTimeout
    defer { database.waitingTime = busyTimeout }
    try dropCache()
    return try database.write(body)
  }
}

// MARK: - Opening

extension StateDatabase {
  /// Opens a file, which is created if it is missing.
  ///
  /// SQLite fills a new file in one transaction: a process that is killed meanwhile leaves an empty file, which is a
  /// new session.
  ///
  /// - Returns: The file, and a message for the user if it had an earlier format.
  static func open(
    _ path: String, _ format: StateFileFormat, busyTimeout: TimeInterval
  ) throws -> (StateDatabase, notice: String?) {
    let (use, isNew) = try use(of: path)
    do {
      let status = try FileSystem.status(of: path)
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw JournalError.foreign(
          path, program: format.program.name, reason: "it isn't a regular file")
      }
      if status.st_size > 0 { try format.check(path) }
      restrictAccess(to: path, status)
      return try connect(path, format, use, busyTimeout)
    } catch {
      if isNew { removeIfEmpty(path) }
      throw error
    }
  }

  private static func connect(
    _ path: String, _ format: StateFileFormat, _ use: FileUse, _ busyTimeout: TimeInterval
  ) throws -> (StateDatabase, notice: String?) {
    let database = try Database.ofStateFile(path.databaseAddress)
    database.waitingTime = busyTimeout
    try database.run("PRAGMA synchronous = EXTRA")
    let notice: String?
    do {
      notice = try format.apply(to: database, path: path)
    } catch let error as DatabaseError where CorruptionError(error) == nil {
      throw JournalError(error, path: path, isWriting: true)
    }
    if let table = try database.read(StateFileFormat.missingTable) {
      throw CorruptionError("its table \(table) isn't there")
    }
    return (StateDatabase(database, use, path: path, busyTimeout: busyTimeout), notice)
  }

  /// Begins to use a file, after creating an empty one that no other user can read if there is none.
  private static func use(of path: String) throws(JournalError) -> (FileUse, isNew: Bool) {
    do throws(SystemCallError) {
      try FileSystem.makeFolder(FilePath.folder(of: path), mode: 0o700)
      return (try FileUse(path: path, O_CREAT | O_EXCL), true)
    } catch {
      guard error.errorNumber == EEXIST else {
        throw .unwritable(path, reason: "it can't be created: \(error.reason)")
      }
    }
    do throws(SystemCallError) {
      return (try FileUse(path: path), false)
    } catch {
      throw .unreadable(path, reason: error.reason)
    }
  }

  /// Removes a new file that couldn't be filled.
  private static func removeIfEmpty(_ path: String) {
    do throws(SystemCallError) {
      if try FileSystem.status(of: path).st_size == 0 { try FileSystem.remove(path) }
    } catch {
      // An empty file is a new session as well.
    }
  }

  /// Removes other users' access rights to the user's own file.
  private static func restrictAccess(to path: String, _ status: stat) {
    guard status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { return }
    // On a file system that can only be read, the rights stay as they are.
    _ = path.withSystemBytes { chmod($0, status.st_mode & 0o700) }
  }
}

extension Database {
  /// Opens a state file by a connection that runs no code of the file's: it may be a stranger's.
  static func ofStateFile(_ address: String, isReadOnly: Bool = false) throws -> Database {
    let database = try Database(address, isReadOnly: isReadOnly)
    try database.set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try database.set(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    try database.set(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    try database.set(SQLITE_DBCONFIG_DEFENSIVE, true)
    return database
  }
}

// MARK: - Errors

/// Why the content of a file can't be used.
struct CorruptionError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// Another program has written to the table of records.
  static let otherRecords = CorruptionError("its table records isn't as it was written")

  /// Nil for an error that isn't damage of the file.
  init?(_ error: any Error) {
    switch error {
    case let error as CorruptionError: self = error
    case let error as DatabaseError where [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.code):
      self.init(error.words)
    default: return nil
    }
  }
}

extension JournalError {
  static let advice =
    "put a copy of it in its place, or move it away to begin with an empty session; "
    + "sqlite3's .recover shows what can be read"

  init(_ error: DatabaseError, path: String, isWriting: Bool) {
    switch error.code {
    case SQLITE_BUSY, SQLITE_LOCKED:
      self = .busy(path)
    case SQLITE_READONLY where error.extendedCode == csqlite_readonly_dbmoved:
      self = .lost(path)
    case SQLITE_FULL:
      self = .unwritable(path, reason: "the disk is full")
    case SQLITE_IOERR where isWriting:
      self = .unwritable(
        path, reason: "there is no room for it, or a limit of the size of files is too low")
    case SQLITE_READONLY:
      self = .unwritable(path, reason: error.words)
    case SQLITE_CANTOPEN where FileSystem.canAccess(path, R_OK):
      // SQLite can't create its journal beside the file.
      self = .unwritable(path, reason: error.words)
    case SQLITE_ERROR:
      // Our statements are valid if the tables exist.
      self = .damaged(path, reason: "\(error.words). Nothing was changed; \(Self.advice)")
    default:
      self =
        isWriting
        ? .unwritable(path, reason: error.words) : .unreadable(path, reason: error.words)
    }
  }
}
