import StateStore
import Foundation

/// Reads lines without editing, from a pipe, a file or a dumb terminal.
final class PlainLineReader: LineReader {
  private let input: InputSource
  private let showsPrompt: Bool
  private let queue = DispatchQueue(label: "plain-line-reader")

  /// Reads from a file descriptor, which stays open.
  ///
  /// - Parameters:
  ///   - descriptor: What to read, standard input unless told otherwise.
  ///   - showsPrompt: Whether prompts are written to standard output.
  /// - Throws: `LineEditorError.systemCallFailed`.
  init(descriptor: Int32 = STDIN_FILENO, showsPrompt: Bool) throws(LineEditorError) {
    input = InputSource(descriptor: descriptor, wakePipe: try WakePipe())
    self.showsPrompt = showsPrompt
  }

  func readLine(prompt: String) async throws -> LineInput {
    input.wakePipe.drain()
    if showsPrompt { print(prompt, terminator: "") }
    // What was printed so far has to be seen before something is typed.
    fflush(nil)
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [input] in
        continuation.resume(with: Result { try Self.readLine(from: input) })
      }
    }
  }

  func interrupt() {
    input.wakePipe.wake(UInt8(SIGINT))
  }

  private static func readLine(from input: InputSource) throws(LineEditorError) -> LineInput {
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
