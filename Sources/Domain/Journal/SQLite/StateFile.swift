import Foundation

/// What is done with state files as files: their folders, access rights and copies.
enum StateFile {
  /// Whether a file was there, or had to be made.
  enum Origin {
    case wasThere, wasMade
  }

  /// What SQLite keeps beside a file in use and needs after a crash: a log of what was committed, or of what to take back.
  static let logs = ["-wal", "-journal"]

  /// All that SQLite keeps beside a file in use: the logs, and the index of one.
  static let companions = logs + ["-shm"]

  /// Makes an empty file that nobody else may read, with the folders it is in, unless it is there.
  ///
  /// SQLite would make it readable for others; what it makes beside it has the access rights of the file.
  static func createIfMissing(_ path: String) throws -> Origin {
    guard FileIdentity(path: path) == nil else { return .wasThere }
    try createFolders(of: path, for: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // Another process made it just now, or it is a symbolic link to nowhere.
      if errno == EEXIST, FileIdentity(path: path) != nil { return .wasThere }
      throw JournalError.unwritable(path, reason: "it can't be made: \(SystemFailure.reason)")
    }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else {
      throw JournalError.unwritable(path, reason: "its access rights: \(SystemFailure.reason)")
    }
    return .wasMade
  }

  private static func createFolders(of path: String, for file: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard folder != "/", FileIdentity(path: folder) == nil else { return }
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
  ///   - isOpen: Whether this process has a file open already, and so it is one of ours.
  /// - Throws: `JournalError`.
  static func check(_ path: String, isOpen: (FileIdentity) -> Bool) throws {
    if let identity = FileIdentity(path: path), isOpen(identity) { return }
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw JournalError.unreadable(path, reason: SystemFailure.reason)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw JournalError.foreign(path, reason: "it isn't a regular file")
    }
    try StateFileHeader(path: path)?.check(path: path)
  }

  /// Does something while no other process does so in the same folder; waits so many seconds for that.
  static func whileFolderIsLocked<Result>(
    of path: String, timeout: TimeInterval, _ body: () throws -> Result
  ) throws -> Result {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
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
    let copy = unusedCopyPath(of: path)
    guard try createIfMissing(copy) == .wasMade else { return try createCopy(of: path) }
    return copy
  }

  /// A path beside a file that nothing has, also for what lies beside the copy.
  static func unusedCopyPath(of path: String) -> String {
    let time = Date().formatted(.iso8601.timeSeparator(.omitted))
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { number in
      "\(path).damaged-\(time)" + (number == 1 ? "" : "-\(number)")
    }
    // The sequence doesn't end, so there is a first.
    return names.first { name in
      ([""] + companions).allSatisfy { FileIdentity(path: name + $0) == nil }
    } ?? path + ".damaged"
  }

  /// The path of a file itself: an absolute one without symbolic links, also where the file isn't there yet.
  static func resolved(_ path: String) -> String { resolved(path, links: 0) }

  private static func resolved(_ path: String, links: Int) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    // As many links as Linux follows.
    if count > 0, links < 40 {
      let target = String(decoding: target[..<count], as: UTF8.self)
      return resolved(target.hasPrefix("/") ? target : "\(folder)/\(target)", links: links + 1)
    }
    guard folder != path, folder != "/" else { return url.path }
    return "\(resolved(folder, links: links))/\(url.lastPathComponent)"
  }
}
