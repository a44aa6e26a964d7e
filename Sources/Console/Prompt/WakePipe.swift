import Foundation

/// A pipe that wakes a thread waiting for input, each time with one byte that says why.
///
/// Bytes are signal numbers, as a signal handler may do no more than write one; `look` says only that
/// something was left where the reader knows to find it.
final class WakePipe: Sendable {
  /// The byte that isn't a signal.
  static let look: UInt8 = 0

  /// The end that becomes readable.
  let readEnd: Int32

  /// The end that signal handlers write to.
  let writeEnd: Int32

  init() throws(LineEditorError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .systemCallFailed(name: "pipe", errorNumber: errno)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends {
      // Neither end may block (a full pipe wakes the reader anyway), nor reach child processes.
      guard fcntl(end, F_SETFL, O_NONBLOCK) == 0, fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else {
        throw .systemCallFailed(name: "fcntl", errorNumber: errno)
      }
    }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Wakes the reader; safe in a signal handler.
  func wake(_ reason: UInt8) {
    Self.write(reason, to: writeEnd)
  }

  /// Writes one byte; safe in a signal handler, whose thread keeps its `errno`.
  static func write(_ reason: UInt8, to writeEnd: Int32) {
    let interrupted = errno
    var byte = reason
    // Failing means a full pipe, whose reader will wake, or one that is gone.
    _ = Foundation.write(writeEnd, &byte, 1)
    errno = interrupted
  }

  /// Takes the next byte, or gives nil if there is none.
  func take() -> UInt8? {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 1 ? byte : nil
  }

  /// Forgets what nobody waited for.
  func drain() {
    while take() != nil {}
  }
}
