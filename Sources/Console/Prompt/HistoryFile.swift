import StateStore
import Foundation
import Synchronization

/// The lines typed at earlier prompts, in a file with one line each.
///
/// Several prompts may use the file at once: lines are appended under the file's lock, and the file is
/// rewritten, under the same lock, only to drop the oldest ones.
final class HistoryFile: Sendable {
  /// The most lines that are kept.
  static let capacity = 1000

  /// Where it is.
  let path: String

  private let isUsable = Mutex(true)

  /// Names the file, which need not exist.
  init(path: String) {
    self.path = path
  }

  /// Reads the file, creates it if it is missing, and drops its oldest lines if there are too many.
  ///
  /// - Throws: `LineEditorError.historyUnreadable` or `historyNotAFile`; nothing is written from then
  ///   on.
  func load() throws(LineEditorError) -> [String] {
    do throws(FileError) {
      return try withLockedFile { descriptor throws(FileError) in try keepNewest(in: descriptor) }
    } catch {
      isUsable.withLock { $0 = false }
      switch error {
      case .notAFile: throw .historyNotAFile(path: path)
      case .system(let number): throw .historyUnreadable(path: path, errorNumber: number)
      }
    }
  }

  /// Appends lines to the file.
  ///
  /// - Throws: `LineEditorError.historyUnwritable` the first time; nothing is written from then on.
  func append(_ lines: [String]) throws(LineEditorError) {
    guard !lines.isEmpty, isUsable.withLock({ $0 }) else { return }
    do throws(FileError) {
      try withLockedFile { descriptor throws(FileError) in try write(lines, to: descriptor) }
    } catch {
      isUsable.withLock { $0 = false }
      switch error {
      case .notAFile: throw .historyNotAFile(path: path)
      case .system(let number): throw .historyUnwritable(path: path, errorNumber: number)
      }
    }
  }

  /// Gives the newest lines, and takes the others out of the file.
  private func keepNewest(in descriptor: Int32) throws(FileError) -> [String] {
    let lines = try readAll(descriptor).split(separator: UInt8(ascii: "\n"))
      .map { String(systemBytes: $0) }
    let newest = Array(lines.suffix(Self.capacity))
    if newest.count < lines.count {
      // Written over the old lines, not appended, before the rest is cut off: so a full disk or a
      // crash can't lose them all.
      guard fcntl(descriptor, F_SETFL, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
        throw .system(errno)
      }
      try write(newest, to: descriptor)
      guard ftruncate(descriptor, lseek(descriptor, 0, SEEK_CUR)) == 0 else { throw .system(errno) }
    }
    return newest
  }

  private func readAll(_ descriptor: Int32) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      switch read(descriptor, &chunk, chunk.count) {
      case 0: return bytes
      case let count where count > 0: bytes += chunk.prefix(count)
      default: if errno != EINTR { throw .system(errno) }
      }
    }
  }

  private func write(_ lines: [String], to descriptor: Int32) throws(FileError) {
    var rest = lines.flatMap { $0.systemBytes + [UInt8(ascii: "\n")] }[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw .system(errno) }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Opens the file, creating it and its folder if need be, and holds its lock meanwhile.
  private func withLockedFile<Result>(
    _ body: (Int32) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try createFolder(FilePath.folder(of: path))
    // O_NONBLOCK: a pipe of that name must not be waited for.
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let descriptor = path.withSystemBytes { open($0, flags, 0o600) }
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG || path == "/dev/null" else { throw .notAFile }
    guard flock(descriptor, LOCK_EX) == 0 else { throw .system(errno) }
    return try body(descriptor)
  }

  /// Creates a folder for its owner alone, and those that it is to be in.
  private func createFolder(_ folder: String) throws(FileError) {
    guard folder.withSystemBytes({ access($0, F_OK) }) != 0 else { return }
    if errno == ENOENT { try createFolder(FilePath.folder(of: folder)) }
    // Another prompt may have made it meanwhile.
    guard folder.withSystemBytes({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw .system(errno)
    }
  }
}

/// Why the file couldn't be used, before it is known what for.
private enum FileError: Error {
  case notAFile
  case system(Int32)
}
