import Foundation
import Synchronization
import Platform

/// Operations on state files as files: their folders, access rights and copies.
package enum StateFile {
  /// The suffix of SQLite's log beside a file in use: what was committed and isn't in the file yet.
  static let log = "-wal"

  /// The suffixes of what SQLite needs after a crash: that log, or one of changes to roll back.
  static let logs = [log, "-journal"]

  /// The suffixes of all that SQLite keeps beside a file in use: the logs, and the index of one.
  package static let companions = logs + ["-shm"]

  /// Creates an empty file that no other user can read, if there is none.
  ///
  /// SQLite would make it readable for others; the files that SQLite creates beside it get the file's access rights.
  ///
  /// - Parameters:
  ///   - path: Where to create it.
  ///   - file: The file that it serves, for errors.
  /// - Throws: `JournalError.unwritable`, also if there is a file.
  static func create(_ path: String, for file: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw JournalError.unwritable(file, reason: "it can't be created: \(SystemFailure.reason)")
    }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else {
      let reason = SystemFailure.reason
      unlink(path)
      throw JournalError.unwritable(file, reason: "its access rights: \(reason)")
    }
  }

  /// Creates the missing folders of a path.
  static func createFolders(of path: String, for file: String) throws {
    let folder = FilePath.folder(of: path)
    guard folder != "/", folder != ".", FileIdentity(path: folder) == nil else { return }
    try createFolders(of: folder, for: file)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw JournalError.unwritable(
        file, reason: "\(folder) can't be created: \(SystemFailure.reason)")
    }
  }

  /// Removes other users' access rights to an existing file, and gives the files beside it the same rights as the
  /// file.
  ///
  /// The access rights of files that belong to other users stay as they are.
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

  /// Refuses a file that isn't a state file, or is one of a newer version, without touching it.
  ///
  /// - Parameters:
  ///   - path: The path of an existing file.
  ///   - program: The program that the file must belong to.
  ///   - isOpen: Whether this process already has a file open, which makes it one of ours.
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

  /// Calls a closure while no other process does so in the same folder; waits at most `timeout` seconds for that.
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

  /// Makes created or renamed files in a file's folder outlive a power failure, if the file system can do so.
  static func synchronizeFolder(of path: String) {
    let folder = FilePath.folder(of: path)
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Whether there is a file that isn't empty.
  static func hasContent(_ path: String) -> Bool {
    size(of: path) ?? 0 > 0
  }

  /// Whether a file consists of whole pages of a size.
  static func consistsOfPages(_ path: String, size page: Int?) -> Bool {
    guard let page, page > 0, let size = size(of: path) else { return false }
    return size.isMultiple(of: page)
  }

  private static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Creates an empty file beside another, for a copy of it; its name contains the time.
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

  /// An unused path beside a file, also for companions; its name contains the purpose and the time.
  static func unusedPath(beside path: String, for purpose: String) -> String {
    let time = Date().formatted(.iso8601.timeSeparator(.omitted))
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { number in
      "\(path).\(purpose)-\(time)" + (number == 1 ? "" : "-\(number)")
    }
    // The sequence is infinite, so there is a first.
    return names.first { name in
      ([""] + companions).allSatisfy { FileIdentity(path: name + $0) == nil }
    } ?? "\(path).\(purpose)"
  }

  /// The absolute path of a file without symbolic links, even if the file doesn't exist yet.
  package static func resolved(_ path: String) -> String { resolved(path, links: 0) }

  private static func resolved(_ path: String, links: Int) -> String {
    var status = stat()
    if stat(path, &status) == 0, let real = realpath(path) { return real }
    let folder = FilePath.folder(of: path)
    // The same limit as in Linux.
    if links < 40, let target = readlink(path) {
      return resolved(
        target.utf8.first == UInt8(ascii: "/") ? target : FilePath.path(of: target, in: folder),
        links: links + 1)
    }
    // A missing folder is, in the end, in one that exists: the root, or the working directory.
    guard folder != "/", folder != path, folder != "." || realpath(".") != nil else { return path }
    return FilePath.path(of: FilePath.name(of: path), in: resolved(folder, links: links))
  }
}

/// The header of a SQLite file, read without SQLite, which would create files beside it.
///
/// The offsets follow SQLite's file format; numbers are big-endian.
package struct StateFileHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  /// The size of the header in bytes.
  static let size = 100

  private let bytes: [UInt8]

  /// Nil if the bytes aren't the beginning of a SQLite file.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    self.bytes = bytes
  }

  /// Reads the header of a file that this process doesn't have open; nil if the file is empty.
  init?(path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw JournalError.unreadable(path, reason: SystemFailure.reason)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let count = read(descriptor, &bytes, Self.size)
    guard count >= 0 else { throw JournalError.unreadable(path, reason: SystemFailure.reason) }
    guard count > 0 else { return nil }
    self.bytes = Array(bytes[..<count])
  }

  /// Whether a file is a SQLite database of any program; true if it can't be read.
  package static func isDatabase(_ path: String) -> Bool {
    do {
      return try StateFileHeader(path: path)?.bytes.starts(with: magic) ?? false
    } catch {
      return true
    }
  }

  /// Refuses a file that isn't one of ours, or has a newer format.
  func check(path: String, _ program: Program) throws {
    guard bytes.starts(with: Self.magic), let application = number(at: 68) else {
      throw JournalError.foreign(
        path, program: program.name, reason: "it isn't a SQLite database")
    }
    guard application == Int(program.fileIdentifier) else {
      throw JournalError.foreign(
        path, program: program.name, reason: "it is the database of another program")
    }
    if let format = number(at: 60) { try StateFileFormat.check(format, path: path) }
  }

  /// The file's length in bytes according to the header.
  var fileSize: Int? {
    guard let pages = number(at: 28), let pageSize else { return nil }
    return pages * pageSize
  }

  /// The size of each page in bytes.
  var pageSize: Int? {
    guard bytes.count >= 18 else { return nil }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    // Two bytes can't represent 65,536.
    return size == 1 ? 65_536 : size
  }

  /// SQLite's schema version.
  var schema: Int64? { number(at: 40).map(Int64.init) }

  private func number(at offset: Int) -> Int? {
    guard bytes.count >= offset + 4 else { return nil }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Identifies the file at a path: a replacement has a different identity.
package struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil if there is no file.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    device = UInt64(bitPattern: Int64(status.st_dev))
    inode = UInt64(status.st_ino)
  }

  /// A number that identifies the file as long as it isn't copied.
  var number: Int64 { Int64(bitPattern: inode &* 0x9E37_79B9_7F4A_7C15 ^ device) }
}

/// The version of a file: after a change or a replacement, it isn't equal.
struct FileVersion: Equatable {
  let identity: FileIdentity
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if there is no file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
    // The time of the last change of any kind: it can't be set back, while `cp -p` sets back the time of the
    // contents.
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }
}

/// The state files that this process has open.
///
/// When a process closes a file, POSIX releases all its locks on that file, including those of other descriptors. So
/// an open state file must not be opened, read and closed by other means than SQLite's. Code that wants to do that
/// asks here first, and meanwhile no other file is opened.
package struct OpenFiles {
  private static let shared = Mutex(OpenFiles())

  /// The number of times that each file is open.
  private var counts: [FileIdentity: Int] = [:]

  package func contains(_ file: FileIdentity) -> Bool { counts[file] != nil }

  /// Counts a file as open for as long as the returned object exists.
  mutating func insert(_ file: FileIdentity) -> OpenFile {
    counts[file, default: 0] += 1
    return OpenFile(file)
  }

  /// Whether this process has the file at a path open, and so must not open it by other means than SQLite's.
  package static func contains(_ path: String) -> Bool {
    guard let file = FileIdentity(path: path) else { return false }
    return shared.withLock { $0.contains(file) }
  }

  /// Calls a closure with the open files while no other thread of this process opens one.
  package static func whileNoOtherIsOpened<Result: Sendable>(
    _ body: (inout OpenFiles) throws -> Result
  ) throws -> Result {
    try shared.withLock { try body(&$0) }
  }

  fileprivate static func remove(_ file: FileIdentity) {
    shared.withLock { files in
      guard let count = files.counts[file] else { return }
      files.counts[file] = count == 1 ? nil : count - 1
    }
  }
}

/// A file that counts as open for as long as this object exists.
final class OpenFile: Sendable {
  let identity: FileIdentity

  fileprivate init(_ identity: FileIdentity) {
    self.identity = identity
  }

  deinit { OpenFiles.remove(identity) }
}
