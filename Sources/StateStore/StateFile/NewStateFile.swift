import Foundation
import GRDB

/// Makes state files: whole, with room beside them for what SQLite needs to write to them, or not at all.
///
/// A file is made under another name in the same folder, and then gets its own, unless another process was faster. So
/// nobody ever sees one that is half made, and all that start together wait for the one that makes it.
struct NewStateFile {
  /// The file's path.
  let path: String

  let schema: Schema
  let program: Program

  /// How long those who make the same file wait for each other, in seconds.
  let timeout: TimeInterval

  /// What the name of a file has in it as long as it is made.
  private static let infix = ".new-"

  /// A file that was begun so many seconds ago is one whose process was killed.
  private static let abandonmentTime = 60.0

  /// Makes the file, and the folders that it is in, where there is none, or an empty one.
  ///
  /// - Throws: `JournalError`; then nothing was made, but perhaps folders.
  func makeIfMissing() throws {
    guard isMissing || isEmpty else { return }
    try StateFile.createFolders(of: path, for: path)
    do {
      try StateFile.whileFolderIsLocked(of: path, timeout: timeout, make)
    } catch let error as JournalError where error.kind == .unreadable && isMissing {
      // A folder that may only be written can't be locked, but then the first wins.
      try make()
    }
  }

  private var isMissing: Bool { FileIdentity(path: path) == nil }

  /// Whether there is a regular file without content, such as one that was to become a state file.
  private var isEmpty: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  private func make() throws {
    let isReplacing = isEmpty
    // Another process may have made it just now.
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
  /// - Returns: Whether there is a file of that name now; `errno` says why not.
  private func place(_ new: String, isReplacing: Bool) -> Bool {
    // What is in an empty file can't be lost, so that may be replaced; any other one stays.
    if isReplacing { return rename(new, path) == 0 }
    if link(new, path) == 0 || errno == EEXIST { return true }
    // Some file systems have no links.
    return isMissing && rename(new, path) == 0
  }

  /// Makes a file of our format that is on disk, with one commit, for which there was room beside it.
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

  /// Removes what processes left that were killed while they made this file.
  private func removeAbandoned() {
    let prefix = FilePath.name(of: path) + Self.infix
    let folder = FilePath.folder(of: path)
    // Where the folder can't be read, what is in it stays.
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
