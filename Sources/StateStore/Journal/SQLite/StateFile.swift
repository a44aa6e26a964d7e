import Foundation

/// What is done with state files as files: their folders, access rights and copies.
package enum StateFile {
  /// What SQLite keeps beside a file in use: a log of what was committed and isn't in the file yet.
  static let log = "-wal"

  /// What SQLite needs after a crash: that log, or one of what to take back.
  static let logs = [log, "-journal"]

  /// All that SQLite keeps beside a file in use: the logs, and the index of one.
  package static let companions = logs + ["-shm"]

  /// Makes an empty file that nobody else may read, where there is none.
  ///
  /// SQLite would make it readable for others; what it makes beside it has the access rights of the file.
  ///
  /// - Parameters:
  ///   - path: Where to make it.
  ///   - file: The file that it is for, for errors.
  /// - Throws: `JournalError.unwritable`, also where there is one.
  static func create(_ path: String, for file: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw JournalError.unwritable(file, reason: "it can't be made: \(SystemFailure.reason)")
    }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else {
      let reason = SystemFailure.reason
      unlink(path)
      throw JournalError.unwritable(file, reason: "its access rights: \(reason)")
    }
  }

  /// Makes the folders that a file is in, where they aren't there.
  static func createFolders(of path: String, for file: String) throws {
    let folder = FilePath.folder(of: path)
    guard folder != "/", folder != ".", FileIdentity(path: folder) == nil else { return }
    try createFolders(of: folder, for: file)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw JournalError.unwritable(
        file, reason: "\(folder) can't be made: \(SystemFailure.reason)")
    }
  }

  /// Takes the access rights of others from a file that is there, and gives what lies beside it the same as the file has.
  ///
  /// Those of a file that belongs to somebody else are theirs to set.
  static func restrictAccess(to path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let mode = status.st_mode & 0o700
    for file in [path] + companions.map({ path + $0 }) {
      var status = stat()
      guard stat(file, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o777 != mode
      else { continue }
      guard chmod(file, mode) == 0 || errno == EROFS else {
        throw JournalError.unwritable(file, reason: "its access rights: \(SystemFailure.reason)")
      }
    }
  }

  /// Refuses what isn't a state file, or is one of a newer version, without touching it.
  ///
  /// - Parameters:
  ///   - path: The path of a file that is there.
  ///   - program: Whose files are ours.
  ///   - isOpen: Whether this process has a file open already, and so it is one of ours.
  /// - Throws: `JournalError`.
  static func check(
    _ path: String, _ program: Program, isOpen: (FileIdentity) -> Bool
  ) throws {
    if let identity = FileIdentity(path: path), isOpen(identity) { return }
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw JournalError.unreadable(path, reason: SystemFailure.reason)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw JournalError.foreign(
        path, program: program.name, reason: "it isn't a regular file")
    }
    try StateFileHeader(path: path)?.check(path: path, program)
  }

  /// Does something while no other process does so in the same folder; waits so many seconds for that.
  static func whileFolderIsLocked<Result>(
    of path: String, timeout: TimeInterval, _ body: () throws -> Result
  ) throws -> Result {
    let folder = FilePath.folder(of: path)
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw JournalError.unreadable(path, reason: SystemFailure.reason) }
    // Closing it unlocks it.
    defer { close(descriptor) }
    let deadline = ContinuousClock.now + .seconds(timeout)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw JournalError.unreadable(path, reason: SystemFailure.reason)
      }
      guard ContinuousClock.now < deadline else { throw JournalError.busy(path) }
      usleep(10_000)
    }
    return try body()
  }

  /// Has what was made or renamed in the folder of a file outlive a power failure, where the file system can do so.
  static func synchronizeFolder(of path: String) {
    let folder = FilePath.folder(of: path)
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Whether there is a file with something in it.
  static func hasContent(_ path: String) -> Bool {
    size(of: path) ?? 0 > 0
  }

  /// Whether a file is as long as a number of pages of a size.
  static func consistsOfPages(_ path: String, size page: Int?) -> Bool {
    guard let page, page > 0, let size = size(of: path) else { return false }
    return size.isMultiple(of: page)
  }

  private static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Makes an empty file beside another for a copy of it; its name says when.
  static func createCopy(of path: String) throws -> String {
    let copy = unusedPath(beside: path, for: "damaged")
    do {
      try create(copy, for: path)
      return copy
    } catch  where FileIdentity(path: copy) != nil {
      // Another process was faster.
      return try createCopy(of: path)
    }
  }

  /// A path beside a file that nothing has, also for what lies beside it; its name says what it is for, and when.
  static func unusedPath(beside path: String, for purpose: String) -> String {
    let time = Date().formatted(.iso8601.timeSeparator(.omitted))
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { number in
      "\(path).\(purpose)-\(time)" + (number == 1 ? "" : "-\(number)")
    }
    // The sequence doesn't end, so there is a first.
    return names.first { name in
      ([""] + companions).allSatisfy { FileIdentity(path: name + $0) == nil }
    } ?? "\(path).\(purpose)"
  }

  /// The path of a file itself: an absolute one without symbolic links, also where the file isn't there yet.
  package static func resolved(_ path: String) -> String { resolved(path, links: 0) }

  private static func resolved(_ path: String, links: Int) -> String {
    var status = stat()
    if stat(path, &status) == 0, let real = realpath(path) { return real }
    let folder = FilePath.folder(of: path)
    // As many links as Linux follows.
    if links < 40, let target = readlink(path) {
      return resolved(
        target.utf8.first == UInt8(ascii: "/") ? target : FilePath.path(of: target, in: folder),
        links: links + 1)
    }
    // A folder that isn't there is in one that is, in the end: the root, or the working directory.
    guard folder != "/", folder != path, folder != "." || realpath(".") != nil else { return path }
    return FilePath.path(of: FilePath.name(of: path), in: resolved(folder, links: links))
  }
}
