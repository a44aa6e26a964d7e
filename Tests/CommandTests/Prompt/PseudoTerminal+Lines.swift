import TerminalSupport

extension PseudoTerminal {
  /// Types a line at the prompt, and waits for what it shows and for the next prompt.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - shown: The lines that it shows.
  ///   - prompt: The prompt that comes after it.
  /// - Throws: `TimeLimitExceeded`.
  func enter(_ line: String, _ shown: String..., prompt: String = "> ") async throws {
    try await send(line + "\n")
    try await expect("\n" + (shown + [prompt]).joined(separator: "\n"))
  }
}
