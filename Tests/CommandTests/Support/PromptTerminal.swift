import Subprocess
import TerminalSupport
import TestSupport

/// The sequences that a terminal sends for keys that aren't characters.
enum KeyCode {
  static let up = "\u{1B}[A"
  static let left = "\u{1B}[D"

  /// Ctrl with a letter or one of `@[\]^_`.
  static func control(_ character: Character) -> String {
    String(Character(Unicode.Scalar((character.asciiValue ?? 0) & 0x1F)))
  }
}

extension PseudoTerminal {
  /// The environment of a terminal with colors, in which there are hints and suggestions.
  static let colors: [String: String?] = ["NO_COLOR": nil, "TERM": "xterm-256color"]

  /// Opens a prompt, and waits until it is there.
  static func prompt(
    _ arguments: [String] = ["--ephemeral", "-q"], environment: [String: String?] = [:],
    home: TemporaryFolder? = nil, columns: UInt16 = 80, rows: UInt16 = 24,
    _ body: (PseudoTerminal) async throws -> Void
  ) async throws {
    try await run(arguments, environment: environment, home: home, columns: columns, rows: rows) {
      terminal in
      try await terminal.expectScreen("the prompt") { $0.text.hasSuffix(">") }
      try await terminal.expect("> ")
      try await body(terminal)
    }
  }

  /// Waits until the last rows with text are certain ones.
  func expectEnd(_ rows: String...) async throws {
    let text = rows.joined(separator: "\n")
    try await expectScreen("«\(text)»") { ("\n" + $0.text).hasSuffix("\n" + text) }
  }

  /// Types a text, and waits until the screen has changed and its last rows with text are certain ones.
  func type(_ text: String, _ rows: String...) async throws {
    let before = screen
    try await send(text)
    let end = rows.joined(separator: "\n")
    try await expectScreen("«\(end)»") { $0 != before && ("\n" + $0.text).hasSuffix("\n" + end) }
  }

  /// Types a line at the prompt, and waits for what it shows and for the next prompt.
  func enter(_ line: String, _ shown: String..., prompt: String = "> ") async throws {
    try await send(line + "\n")
    try await expect("\n" + (shown + [prompt]).joined(separator: "\n"))
  }

  /// Types a text, and waits until the terminal shows other ones, one after the other.
  func send(_ text: String, showing first: String, _ others: String...) async throws {
    try await send(text)
    for shown in [first] + others { try await expect(shown) }
  }

  /// Types a text, and waits until a row of the screen has another one.
  func send(_ text: String, showingRow row: String) async throws {
    try await send(text)
    try await expectRow(row)
  }

  /// Types a text, waits until the command has ended, and returns its exit status.
  func expectExit(after text: String) async throws -> TerminationStatus {
    try await send(text)
    return try await expectExit()
  }
}
