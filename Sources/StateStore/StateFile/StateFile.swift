import Foundation
import Synchronization

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
      throw JournalError.unwritable(file, reason: "it can't be created: \(SystemFailure.reason)")
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
        file, reason: "\(folder) can't be created: \(SystemFailure.reason)")
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

/// The beginning of a SQLite file, which is read without SQLite: that would make files beside it.
///
/// The numbers are where the file format of SQLite has them, the most significant byte first.
package struct StateFileHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  /// How many bytes it has.
  static let size = 100

  private let bytes: [UInt8]

  /// Nil for the beginning of something else.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    self.bytes = bytes
  }

  /// Reads the header of a file, which this process doesn't have open; nil for an empty file.
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

  /// Whether a file is a SQLite database of any program; also where that can't be told, as it can't be read.
  package static func isDatabase(_ path: String) -> Bool {
    do {
      return try StateFileHeader(path: path)?.bytes.starts(with: magic) ?? false
    } catch {
      return true
    }
  }

  /// Refuses what isn't a file of ours, or is one of a newer format.
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

  /// How long the file is by its own account, in bytes.
  var fileSize: Int? {
    guard let pages = number(at: 28), let pageSize else { return nil }
    return pages * pageSize
  }

  /// How many bytes each page has.
  var pageSize: Int? {
    guard bytes.count >= 18 else { return nil }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    // As two bytes can't say 65,536.
    return size == 1 ? 65_536 : size
  }

  /// SQLite's number of the schema.
  var schema: Int64? { number(at: 40).map(Int64.init) }

  private func number(at offset: Int) -> Int? {
    guard bytes.count >= offset + 4 else { return nil }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Which file is at a path: after it was replaced, that is another one.
package struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    device = UInt64(bitPattern: Int64(status.st_dev))
    inode = UInt64(status.st_ino)
  }

  /// A number by which the file is known again, as long as it isn't copied.
  var number: Int64 { Int64(bitPattern: inode &* 0x9E37_79B9_7F4A_7C15 ^ device) }
}

/// A file as it is now: another one, or changed, is not equal.
struct FileVersion: Equatable {
  let identity: FileIdentity
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil where there is no file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
    // The time of the last change of anything, which nobody can set back, as `cp -p` does with that of the contents.
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
/// When a process closes a file, it loses the locks that it has on it, also those of other descriptors: so POSIX has it. A
/// state file that is open must therefore not be opened, read and closed by other means than SQLite's. Whoever wants to do
/// that asks here first, and meanwhile no other is opened.
package struct OpenFiles {
  private static let shared = Mutex(OpenFiles())

  /// How often each is open.
  private var counts: [FileIdentity: Int] = [:]

  package func contains(_ file: FileIdentity) -> Bool { counts[file] != nil }

  /// Counts a file as open for as long as what is returned is there.
  mutating func insert(_ file: FileIdentity) -> OpenFile {
    counts[file, default: 0] += 1
    return OpenFile(file)
  }

  /// Whether this process has the file at a path open, and so must not open it by other means.
  package static func contains(_ path: String) -> Bool {
    guard let file = FileIdentity(path: path) else { return false }
    return shared.withLock { $0.contains(file) }
  }

  /// Does something with the open files while no other thread of this process opens one.
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

/// A file that counts as open.
final class OpenFile: Sendable {
  let identity: FileIdentity

  fileprivate init(_ identity: FileIdentity) {
    self.identity = identity
  }

  deinit { OpenFiles.remove(identity) }
}
