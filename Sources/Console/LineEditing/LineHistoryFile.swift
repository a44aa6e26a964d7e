import Foundation
import StateStore
import Synchronization
import Platform

/// The lines typed at earlier prompts, one on each line of a file.
///
/// Several prompts can use the file at once: lines are appended under the file's lock, and the file is rewritten,
/// under the same lock, only to drop the oldest lines.
final class LineHistoryFile: Sendable {
  /// The most lines that are kept.
  static let capacity = 1000

  private let path: String
  private let isUsable = Mutex(true)

  /// Names the file, which need not exist.
  init(path: String) {
    self.path = path
  }

  /// Reads the file, creates it if it is missing, and drops the oldest lines if there are too many.
  ///
  /// - Throws: `LineHistoryError`; nothing is written from then on.
  func load() throws(LineHistoryError) -> [String] {
    try withLockedFile { descriptor throws(SystemCallError) in
      let lines = try FileDescriptor.readAll(descriptor).split(separator: UInt8(ascii: "\n"))
        .map { String(systemBytes: $0) }
      let newest = Array(lines.suffix(Self.capacity))
      if newest.count < lines.count {
        // Overwrites the old lines before the rest is cut off, so that a full disk or a crash can't lose them all.
        guard fcntl(descriptor, F_SETFL, 0) == 0 else { throw SystemCallError("fcntl") }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemCallError("lseek") }
        try Self.write(newest, to: descriptor)
        guard ftruncate(descriptor, lseek(descriptor, 0, SEEK_CUR)) == 0 else {
          throw SystemCallError("ftruncate")
        }
      }
      return newest
    }
  }

  /// Appends lines to the file.
  ///
  /// - Throws: `LineHistoryError` the first time; nothing is written from then on.
  func append(_ lines: [String]) throws(LineHistoryError) {
    guard !lines.isEmpty, isUsable.withLock({ $0 }) else { return }
    try withLockedFile { descriptor throws(SystemCallError) in
      try Self.write(lines, to: descriptor)
    }
  }

  private static func write(_ lines: [String], to descriptor: Int32) throws(SystemCallError) {
    try FileDescriptor.write(
      lines.flatMap { $0.systemBytes + [UInt8(ascii: "\n")] }, to: descriptor)
  }

  /// Opens the file, creating it and its folder if need be, and holds its lock meanwhile.
  private func withLockedFile<Result>(
    _ body: (Int32) throws(SystemCallError) -> Result
  ) throws(LineHistoryError) -> Result {
    do throws(SystemCallError) {
      try Self.createFolder(FilePath.folder(of: path))
      // O_NONBLOCK: opening a pipe must not wait.
      let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
      let descriptor = path.withSystemBytes { open($0, flags, 0o600) }
      guard descriptor >= 0 else { throw SystemCallError("open") }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SystemCallError("fstat") }
      guard status.st_mode & S_IFMT == S_IFREG || path == "/dev/null" else {
        throw SystemCallError("open", reason: "not a regular file")
      }
      guard flock(descriptor, LOCK_EX) == 0 else { throw SystemCallError("flock") }
      return try body(descriptor)
    } catch {
      isUsable.withLock { $0 = false }
      throw LineHistoryError(path: path, reason: error.reason)
    }
  }

  /// Creates a folder and its parents, readable only by their owner.
  private static func createFolder(_ folder: String) throws(SystemCallError) {
    guard folder.withSystemBytes({ access($0, F_OK) }) != 0 else { return }
    if errno == ENOENT { try createFolder(FilePath.folder(of: folder)) }
    // Another prompt may have created it meanwhile.
    guard folder.withSystemBytes({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw SystemCallError("mkdir")
    }
  }
}

/// The line history can't be used; it is kept in memory only.
struct LineHistoryError: Error, Equatable, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String {
    "cannot use the line history \(path): \(reason); new lines won't be saved. "
      + "\(Console.current.variable("HISTORY")) names another file."
  }
}
