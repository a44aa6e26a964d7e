import StateStore
import Foundation

/// The streams that libedit reads and draws through, closed when the last owner is gone.
final class TerminalFiles {
  /// The stream that is read.
  let input: UnsafeMutablePointer<FILE>

  /// The stream that is written; it is buffered, so everything drawn goes through it.
  let output: UnsafeMutablePointer<FILE>

  /// Opens streams of their own on two file descriptors, which stay open.
  init(input: Int32, output: Int32) throws(LineEditorError) {
    self.input = try Self.open(input, mode: "r")
    do {
      self.output = try Self.open(output, mode: "w")
    } catch {
      fclose(self.input)
      throw error
    }
  }

  deinit {
    fclose(input)
    fclose(output)
  }

  /// Writes text now, which may have bytes that aren't UTF-8 (see `String.init(systemBytes:)`).
  func write(_ text: String) {
    let bytes = text.systemBytes
    // A terminal that is gone is noticed where it is read.
    fwrite(bytes, 1, bytes.count, output)
    fflush(output)
  }

  private static func open(
    _ descriptor: Int32, mode: String
  ) throws(LineEditorError) -> UnsafeMutablePointer<FILE> {
    let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { throw .systemCallFailed(name: "fcntl", errorNumber: errno) }
    guard let stream = fdopen(duplicate, mode) else {
      let number = errno
      close(duplicate)
      throw .systemCallFailed(name: "fdopen", errorNumber: number)
    }
    return stream
  }
}
