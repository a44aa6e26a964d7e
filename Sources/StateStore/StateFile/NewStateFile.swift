import Foundation
import GRDB
import Platform

/// Creates state files: whole, with space beside them for SQLite's own files, or not at all.
///
/// A file is created under another name in the same folder and then gets its own name, unless another process was
/// faster. So no process sees a half-made file, and processes that start together wait for the one that creates it.
struct NewStateFile {
  let path: String

  let schema: Schema
  let program: Program

  /// The time for which processes that create the same file wait for each other, in seconds.
  let timeout: TimeInterval

  /// The part of the file's name that marks it while it is being created.
  private static let infix = ".new-"

  /// The age in seconds from which an unfinished file belongs to a process that was killed.
  private static let abandonmentTime = 60.0

  /// Creates the file and its folders, if the file is missing or empty.
  ///
  /// - Throws: `JournalError`; then nothing was created, except perhaps folders.
  func makeIfMissing() throws {
    guard isMissing || isEmpty else { return }
    try StateFile.createFolders(of: path, for: path)
    do {
      try StateFile.whileFolderIsLocked(of: path, timeout: timeout, make)
    } catch let error as JournalError where error.kind == .unreadable && isMissing {
      // A folder without read permission can't be locked; then the first process wins.
      try make()
    }
  }

  private var isMissing: Bool { FileIdentity(path: path) == nil }

  /// Whether there is a regular file without content, for example one that was to become a state file.
  private var isEmpty: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  private func make() throws {
    let isReplacing = isEmpty
    // Another process may have just created it.
    guard isMissing || isReplacing else { return }
    removeAbandoned()
    let new = path + Self.infix + UUID().uuidString
    defer { for suffix in [""] + StateFile.companions { unlink(new + suffix) } }
    try StateFile.create(new, for: path)
    do {
      try fill(new)
    } catch let error as DatabaseError {
      throw JournalError.unwritable(path, reason: "it can't be created: \(Self.reason(of: error))")
    }
    guard place(new, isReplacing: isReplacing) else {
      throw JournalError.unwritable(path, reason: "it can't be created: \(SystemFailure.reason)")
    }
    StateFile.synchronizeFolder(of: path)
  }

  /// Gives the new file its name, unless another process was faster.
  ///
  /// - Returns: Whether there is a file of that name now; if not, `errno` says why.
  private func place(_ new: String, isReplacing: Bool) -> Bool {
    // An empty file has nothing to lose, so it may be replaced; any other file stays.
    if isReplacing { return rename(new, path) == 0 }
    if link(new, path) == 0 || errno == EEXIST { return true }
    // Some file systems have no hard links.
    return isMissing && rename(new, path) == 0
  }

  /// Creates a file of our format on disk, with one commit, so there was space for SQLite's files beside it.
  private func fill(_ new: String) throws {
    let queue = try StateDatabase.connect(
      new, waiting: BusyWaiting(timeout: 0), schema, program)
    try queue.write { database in
      try StateTables(database).replace(by: schema.initial, schema)
      try CommitMark.leave(in: database, path: new)
    }
    try queue.close()
  }

  private static func reason(of error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_IOERR: "there is no room for it, or a limit of the size of files is too low"
    default: error.message ?? "SQLite can't write it"
    }
  }

  /// Removes files left by processes that were killed while they created this one.
  private func removeAbandoned() {
    let prefix = FilePath.name(of: path) + Self.infix
    let folder = FilePath.folder(of: path)
    // If the folder can't be read, its contents stay.
    guard let stream = folder.withSystemBytes({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(systemBytes: bytes.prefix { $0 != 0 })
      }
      var status = stat()
      guard name.hasPrefix(prefix), stat("\(folder)/\(name)", &status) == 0 else { continue }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      if Date().timeIntervalSince1970 - Double(time.tv_sec) > Self.abandonmentTime {
        unlink("\(folder)/\(name)")
      }
    }
  }
}
