/// A source of typed lines: the editor on a terminal, or plain lines from anything else.
protocol LineReader: Sendable {
  /// Waits for a line; the caller's actor is free meanwhile.
  ///
  /// - Parameter prompt: What to show before the line; it may contain ANSI colour sequences.
  /// - Returns: The line, or why there is none.
  /// - Throws: `LineEditorError.inputUnreadable` if the input can't be read.
  func readLine(prompt: String) async throws -> LineInput

  /// Makes the `readLine` that is waiting, if there is one, return `.interrupted`.
  ///
  /// It may be called on any thread, and in a signal handler.
  func interrupt()
}
