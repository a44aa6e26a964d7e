import Dispatch
import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform
import StateStore

/// Reads lines of any bytes without editing, from a pipe, a file or a dumb terminal.
final class PlainLineReader: Sendable {
  private let descriptor: Int32
  private let wakePipe: WakePipe
  private let queue = DispatchQueue(label: "plain-line-reader")

  /// The descriptor stays open.
  init(descriptor: Int32 = STDIN_FILENO) throws(SystemCallError) {
    wakePipe = try WakePipe()
    self.descriptor = descriptor
  }

  /// Writes a prompt to standard output and waits for a line; the caller's actor is free meanwhile.
  func readLine(prompt: String) async throws -> LineEditor.Input {
    wakePipe.drain()
    print(prompt, terminator: "")
    // The user has to see earlier output before typing.
    CurrentProcess.flush()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.waitForLine() }) }
    }
  }

  /// Makes a waiting `readLine` return `.interrupted`; on any thread, and in a signal handler.
  func interrupt() {
    wakePipe.wake(UInt8(SIGINT))
  }

  /// Reads a line byte by byte: the bytes after it are for the next reader, for example a script's `io.read`.
  private func waitForLine() throws(CommandError) -> LineEditor.Input {
    var bytes: [UInt8] = []
    while true {
      var waited = [wakePipe.readEnd, descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&waited, nfds_t(waited.count), -1) > 0 else {
        if errno == EINTR { continue }
        throw Self.unreadable(SystemCallError("poll"))
      }
      if waited[0].revents != 0, wakePipe.take() != nil { return .interrupted }
      guard waited[1].revents != 0 else { continue }
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count == 1 {
        if byte == UInt8(ascii: "\n") { return .text(String(systemBytes: bytes)) }
        bytes.append(byte)
      } else if count == 0 || errno == EIO {
        // The input has ended, or its terminal has hung up.
        return bytes.isEmpty ? .endOfInput : .text(String(systemBytes: bytes))
      } else if errno != EINTR, errno != EAGAIN {
        throw Self.unreadable(SystemCallError("read"))
      }
    }
  }

  private static func unreadable(_ error: SystemCallError) -> CommandError {
    .scriptUnreadable("standard input", reason: error.reason)
  }
}
