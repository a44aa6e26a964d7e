import Foundation
import Platform
import StateStore

/// The contents of a state file, for a new one.
struct SavedSession {
  var contents: JournalContents
  var identity: String
  var identifiers: [String: Int]

  /// Writes the session to a new file.
  ///
  /// - Parameters:
  ///   - path: The new file's path.
  ///   - isReplacing: Whether it replaces the file at that path.
  ///   - format: The format.
  /// - Throws: `JournalError`, also if there is a file that it must not replace; then nothing was changed.
  func write(to path: String, isReplacing: Bool, _ format: StateFileFormat) throws {
    let new = "\(path).new-\(UUID().uuidString)"
    do {
      try fill(new, format)
      if isReplacing {
        try FileSystem.rename(new, to: path)
      } else {
        try FileSystem.link(new, to: path)
        try FileSystem.remove(new)
      }
    } catch {
      _ = new.withSystemBytes { unlink($0) }
      switch error {
      case let error as SystemCallError:
        throw JournalError.unwritable(path, reason: "it can't be created: \(error.reason)")
      case let error as DatabaseError:
        throw JournalError(error, path: path, isWriting: true)
      default: throw error
      }
    }
  }

  private func fill(_ path: String, _ format: StateFileFormat) throws {
    let rows = JournalRows(format)
    let states = try Store(format.schema, contents, of: format.program.name).states
    let database = try StateDatabase.open(path, format, busyTimeout: 0)
    try database.write { database in
      if let checkpoint = contents.checkpoint { try rows.replace(by: checkpoint, in: database) }
      try rows.insert(contents.entries, after: contents.checkpoint?.head ?? 0, in: database)
      try rows.setIdentifiers(identifiers, in: database)
      try rows.setIdentity(identity, in: database)
      try StateTables(database).replace(by: states, format.schema)
    }
  }
}

/// Takes over from a damaged file what can be read, and keeps the damaged one.
struct FileRecovery {
  let path: String
  let format: StateFileFormat
  let busyTimeout: TimeInterval

  private var rows: JournalRows { JournalRows(format) }

  /// Replaces a damaged file with one of the entries before the first unreadable one.
  ///
  /// - Parameters:
  ///   - damage: The damage.
  ///   - known: The last entry that must not be lost; nil if there is none.
  /// - Returns: A message for the user; nil if another process has repaired the file meanwhile.
  /// - Throws: `JournalError.replaced` if the known entry would be lost, `JournalError.damaged` if nothing is certain
  ///   or the damaged file can't be kept; then nothing was changed.
  func repair(_ damage: Damage, keeping known: JournalRows.Position?) throws -> String? {
    let identity = FileIdentity(path: path)
    do {
      let database = try damagedFile()
      // Only one process repairs the file, which stays as it is.
      try database.run("BEGIN IMMEDIATE")
      defer { database.rollBack() }
      guard FileIdentity(path: path) == identity else { return nil }
      try format.checkSchema(database, path: path)
      let found = try read(database, keeping: known)
      let copy = try keepOriginal()
      try found.write(to: path, isReplacing: true, format)
      return
        "\(path): damaged: \(damage.reason). Everything up to entry \(found.contents.head) was kept; "
        + "the original is kept as \(copy)."
    } catch {
      let isUnreadable = Damage(error) != nil || (error as? JournalError)?.kind == .damaged
      if isUnreadable, known != nil { throw JournalError.replaced(path) }
      guard let problem = Damage(error) else { throw error }
      throw JournalError.damaged(
        path,
        reason: "\(damage.reason); nothing in it can be read (\(problem.reason)). "
          + "Nothing was changed; \(JournalError.advice)")
    }
  }

  private func damagedFile() throws -> Database {
    try .ofStateFile(
      path.databaseAddress, isRecovering: true, waiting: BusyWaiting(timeout: busyTimeout))
  }

  private func read(
    _ database: Database, keeping known: JournalRows.Position?
  ) throws -> SavedSession {
    let contents = try rows.contents(database, path: path).contents
    if let known {
      guard known.head <= contents.head, try rows.isSame(as: known, database) else {
        throw JournalError.replaced(path)
      }
    }
    let hasIdentity = try database.hasTable("meta")
    return SavedSession(
      contents: contents,
      identity: hasIdentity ? try rows.identity(database) : UUID().uuidString,
      identifiers: try rows.identifiers(database))
  }

  /// Gives the damaged file a second name, and returns it.
  func keepOriginal() throws(JournalError) -> String {
    let copy = Self.unusedPath(beside: path, for: "damaged")
    do throws(SystemCallError) {
      try FileSystem.link(path, to: copy)
      return copy
    } catch {
      throw .damaged(
        path, reason: "it isn't repaired, as it can't be kept as \(copy): \(error.reason)")
    }
  }

  /// An unused path beside a file; its name contains the purpose and the time.
  static func unusedPath(beside path: String, for purpose: String) -> String {
    let time = Date().formatted(.iso8601.timeSeparator(.omitted))
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { number in
      "\(path).\(purpose)-\(time)" + (number == 1 ? "" : "-\(number)")
    }
    // The sequence is infinite, so there is a first.
    return names.first { FileIdentity(path: $0) == nil } ?? "\(path).\(purpose)"
  }
}
