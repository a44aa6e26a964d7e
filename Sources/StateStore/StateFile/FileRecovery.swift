import Foundation
import GRDB
import Platform

/// Recovers what can be read from a file that SQLite finds damaged, and puts a new file in its place.
struct FileRecovery {
  let path: String
  let rows: JournalRows
  let program: Program

  private struct Found {
    let read: JournalRows.Contents
    let identifiers: [String: Int64]

    var contents: JournalContents { read.contents }
  }

  /// Replaces the damaged file with an intact one; the damaged one stays beside it, with its log.
  ///
  /// - Parameter damage: What is wrong with the file.
  /// - Returns: What was kept.
  /// - Throws: `JournalError.damaged` if nothing can be kept, or the damaged file can't be kept beside the new one;
  ///   then nothing was changed.
  func repair(_ damage: String) throws -> SQLiteJournal.Recovery {
    let found: Found
    do {
      found = try readAsFarAsPossible()
    } catch let error as DatabaseError {
      throw JournalError.damaged(
        path,
        reason: "\(damage); nothing in it can be read (\(error.words)). "
          + "Nothing was changed; \(SQLiteJournal.advice)")
    }
    let repaired = try write(found)
    let copy = try keepOriginal()
    for companion in StateFile.companions { unlink(path + companion) }
    guard rename(repaired, path) == 0 else {
      throw JournalError.unwritable(path, reason: SystemFailure.reason)
    }
    return SQLiteJournal.Recovery(
      path: path, found: damage, lastEntry: found.contents.head, copy: copy)
  }

  // MARK: - Reading

  /// The contents of the file; neither it nor anything beside it is changed.
  ///
  /// - Throws: `JournalError.damaged` if it can't be read as a whole, or any other `JournalError`.
  func contents() throws -> JournalContents {
    do {
      let found = try read(withLog: LogCheck(path: path).verdict() != .foreign)
      guard let damage = found.read.damage else { return found.contents }
      throw JournalError.damaged(
        path, reason: "\(damage.reason). It is repaired once it can be written")
    } catch let error as DatabaseError {
      throw JournalError(error, path: path, isWriting: false)
    }
  }

  /// Reads the file, without its log if nothing can be read with it.
  private func readAsFarAsPossible() throws -> Found {
    do {
      return try read(withLog: true)
    } catch let error as DatabaseError {
      guard StateFile.hasContent(path + StateFile.log) else { throw error }
      return try read(withLog: false)
    }
  }

  /// Reads from a copy, because SQLite changes what it reads: it copies the log into the file.
  private func read(withLog: Bool) throws -> Found {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(program.name)-\(UUID().uuidString)")
    let copy = folder.appendingPathComponent("copy").path
    defer {
      for suffix in [""] + StateFile.companions { unlink(copy + suffix) }
      rmdir(folder.path)
    }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      let copied = [""] + (withLog ? StateFile.logs : [])
      for suffix in copied where FileIdentity(path: path + suffix) != nil {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        // Otherwise the copy of a read-only file would be read-only, too.
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: copy + suffix)
      }
      try fill(copy)
    } catch {
      throw JournalError.unreadable(
        path, reason: "it can't be copied to \(copy) to be read: \(error.localizedDescription)")
    }
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      // Otherwise SQLite reads nothing at all if the text of a single view can't be read.
      try database.execute(sql: "PRAGMA writable_schema = ON")
    }
    let queue = try DatabaseQueue(path: copy, configuration: configuration)
    let found = try queue.inDatabase { database in
      Found(
        read: try rows.contents(database, path: path),
        identifiers: try rows.identifiers(database))
    }
    try queue.close()
    return found
  }

  /// Extends a file to the length in its header, because SQLite reads nothing at all from a shorter one.
  private func fill(_ copy: String) throws {
    guard let size = try StateFileHeader(path: copy)?.fileSize else { return }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: copy))
    if try file.seekToEnd() < size { try file.truncate(atOffset: UInt64(size)) }
    try file.close()
  }

  // MARK: - Writing

  /// Writes what was found to a new file in the folder of the damaged one, and returns its path.
  private func write(_ found: Found) throws -> String {
    let repaired = "\(path).repaired-\(UUID().uuidString)"
    do {
      try StateFile.create(repaired, for: path)
      let queue = try StateDatabase.connect(
        repaired, waiting: BusyWaiting(timeout: 0), rows.schema, program)
      try queue.write { database in
        if let checkpoint = found.contents.checkpoint {
          try rows.replaceCheckpoint(
            head: checkpoint.head, content: rows.encode(checkpoint.history), in: database)
        }
        try rows.insert(
          found.contents.entries.map(rows.encode), after: found.contents.checkpoint?.head ?? 0,
          in: database)
        for (kind, next) in found.identifiers {
          try database.execute(
            sql: "INSERT INTO identifiers (kind, next) VALUES (?, ?)", arguments: [kind, next])
        }
        try CommitMark.leave(in: database, path: repaired)
        try StateTables(database).replace(
          by: Store(rows.schema, found.contents, of: program.name).states, rows.schema)
      }
      try queue.close()
      return repaired
    } catch {
      for suffix in [""] + StateFile.companions { unlink(repaired + suffix) }
      throw error
    }
  }

  /// Gives the damaged file, and its log, a second name.
  private func keepOriginal() throws -> String {
    let copy = StateFile.unusedPath(beside: path, for: "damaged")
    for suffix in [""] + StateFile.logs where FileIdentity(path: path + suffix) != nil {
      guard link(path + suffix, copy + suffix) == 0 else {
        throw JournalError.damaged(
          path,
          reason: "it isn't repaired, as it can't be kept beside that as \(copy + suffix): "
            + SystemFailure.reason)
      }
    }
    return copy
  }
}

/// An entry of a journal that can't be read.
struct EntryDamage: Equatable, Sendable {
  let number: Int
  let reason: String
}
