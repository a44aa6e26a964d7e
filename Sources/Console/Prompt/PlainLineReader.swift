import Foundation
import StateStore
import Platform

/// Reads lines without editing, from a pipe, a file or a dumb terminal.
final class PlainLineReader: Sendable {
  /// What the user entered.
  enum Input: Sendable, Equatable {
    /// A line without its newline, whatever its bytes (see `String.init(systemBytes:)`).
    case line(String)

    /// Ctrl-C, which discards the line.
    case interrupted

    /// The end of the input.
    case endOfInput
  }

  private let input: InputSource
  private let showsPrompt: Bool
  private let queue = DispatchQueue(label: "plain-line-reader")

  /// Reads from a file descriptor, which stays open, and writes prompts to standard output if they are to be shown.
  init(descriptor: Int32 = STDIN_FILENO, showsPrompt: Bool) throws(SystemCallError) {
    input = InputSource(descriptor: descriptor, wakePipe: try WakePipe())
    self.showsPrompt = showsPrompt
  }

  /// Waits for a line; the caller's actor is free meanwhile.
  ///
  /// - Throws: `PlainInputError`.
  func readLine(prompt: String) async throws -> Input {
    input.wakePipe.drain()
    if showsPrompt { print(prompt, terminator: "") }
    // The user has to see earlier output before typing.
    CurrentProcess.flush()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [input] in
        continuation.resume(with: Result { try Self.readLine(from: input) })
      }
    }
  }

  /// Makes a waiting `readLine` return `.interrupted`; on any thread, and in a signal handler.
  func interrupt() {
    input.wakePipe.wake(UInt8(SIGINT))
  }

  private static func readLine(from input: InputSource) throws(PlainInputError) -> Input {
    var bytes: [UInt8] = []
    while true {
      switch input.next() {
      case .byte(UInt8(ascii: "\n")): return .line(String(systemBytes: bytes))
      case .byte(let byte): bytes.append(byte)
      case .wake: return .interrupted
      case .end where bytes.isEmpty: return .endOfInput
      case .end: return .line(String(systemBytes: bytes))
      case .failure(let number): throw .inputUnreadable(errorNumber: number)
      }
    }
  }
}

/// Input that can be waited for together with a wake pipe.
///
/// It never reads ahead: the bytes after a line are for the next reader, for example a script's `io.read`.
struct InputSource {
  let descriptor: Int32
  let wakePipe: WakePipe

  /// Waits for the next event; a byte in the wake pipe comes before one of the input.
  func next() -> InputEvent {
    while true {
      var waited = [
        pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waited, nfds_t(waited.count), -1) > 0 else {
        if errno == EINTR { continue }
        return .failure(errorNumber: errno)
      }
      if waited[0].revents != 0, let reason = wakePipe.take() { return .wake(reason) }
      if waited[1].revents != 0, let event = readByte() { return event }
    }
  }

  /// Reads a byte; nil if there was none after all.
  private func readByte() -> InputEvent? {
    var byte: UInt8 = 0
    switch read(descriptor, &byte, 1) {
    case 1: return .byte(byte)
    case 0: return .end
    default:
      switch errno {
      case EINTR, EAGAIN: return nil
      case EIO: return .end  // the terminal has hung up
      default: return .failure(errorNumber: errno)
      }
    }
  }
}

/// What an `InputSource` has received.
enum InputEvent: Equatable {
  case byte(UInt8)

  /// A byte from the wake pipe.
  case wake(UInt8)

  /// The input has ended, or its terminal is gone.
  case end
  case failure(errorNumber: Int32)
}

/// The input can't be read.
struct PlainInputError: Error, Equatable, CustomStringConvertible {
  let description: String

  static func inputUnreadable(errorNumber: Int32) -> Self {
    Self(description: "cannot read standard input: \(String(cString: strerror(errorNumber)))")
  }
}
