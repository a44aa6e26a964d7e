import PrimereplFoundation
import StateStore

/// The standard output and error of a worker process and of the processes that it starts.
///
/// The runner makes both one file that is opened for appending, so that it can still read what was written by a
/// process that crashed.
enum CapturedOutput {
  /// The maximum number of bytes reported per scenario.
  private static let limit = 256 * 1024

  /// Checks that standard output is such a file.
  static func check() throws(WorkerError) {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notStartedByRunner
    }
  }

  /// The text since the last call.
  static func take() -> String {
    fflush(nil)
    let text = text(of: STDOUT_FILENO)
    if !text.isEmpty { ftruncate(STDOUT_FILENO, 0) }
    return text
  }

  /// The number of bytes since the last call of `take`.
  static var size: Int {
    fflush(nil)
    return size(of: STDOUT_FILENO)
  }

  /// The bytes after some of those since the last call of `take`.
  static func bytes(after start: Int) -> [UInt8] {
    bytes(of: STDOUT_FILENO, from: start, count: size - start)
  }

  /// The contents of a captured file; at most its beginning.
  static func text(of descriptor: Int32) -> String {
    let total = size(of: descriptor)
    let bytes = bytes(of: descriptor, from: 0, count: min(total, limit))
    return ReportText.beginning(bytes, of: total)
  }

  private static func size(of descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func bytes(of descriptor: Int32, from start: Int, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    let length = pread(descriptor, &bytes, bytes.count, off_t(start))
    return Array(bytes.prefix(max(0, length)))
  }
}
