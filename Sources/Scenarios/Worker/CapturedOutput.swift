import Lua
import PrimereplFoundation
import StateStore

/// The standard output and error of a worker process and of the processes that it starts.
///
/// The runner makes both one file that is opened for appending, so that it can still read what was written by a
/// process that crashed.
final class CapturedOutput {
  /// The maximum number of bytes reported per scenario.
  static let limit = 256 * 1024

  init() throws(WorkerError) {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notStartedByRunner
    }
  }

  /// The text since the last call.
  func take() -> String {
    fflush(nil)
    let text = Self.text(of: STDOUT_FILENO)
    if !text.isEmpty { ftruncate(STDOUT_FILENO, 0) }
    return text
  }

  /// The number of bytes since the last call of `take`.
  static var size: Int {
    fflush(nil)
    var status = stat()
    return fstat(STDOUT_FILENO, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The bytes after some of those since the last call of `take`.
  static func bytes(after start: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, size - start))
    let count = pread(STDOUT_FILENO, &bytes, bytes.count, start)
    return Array(bytes.prefix(max(0, count)))
  }

  /// The contents of a captured file; at most its beginning.
  static func text(of descriptor: Int32) -> String {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return "" }
    let size = Int(status.st_size)
    var bytes = [UInt8](repeating: 0, count: min(size, limit))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let text = String(escapingInvalid: bytes.prefix(max(0, count)))
    return size > limit ? text + "\n... \(size - limit) more bytes" : text
  }
}
