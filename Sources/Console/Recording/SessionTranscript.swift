import Lua
import Platform
import Scenarios
import Scripting

/// The commands of a session, saved as a script.
///
/// ```lua
/// -- The commands of a session at the prompt.
/// counter.count = 7
/// print(counter.is_prime)
/// -- Failed: 8 is not prime
/// -- favorites.add(8)
/// ```
@MainActor
final class SessionTranscript {
  private let app: ScriptedApp
  private let state: LuaState
  private var commands: [Command] = []
  private let secrets: SessionSecrets

  private struct Command {
    let text: String
    /// The message of the error that it ended with; nil if it ran to its end.
    let failure: String?
  }

  /// The line that every saved script begins with.
  static let firstLine = "-- The commands of a session at the prompt."

  init(of app: ScriptedApp, in state: LuaState, without secrets: SessionSecrets) {
    self.app = app
    self.state = state
    self.secrets = secrets
  }

  /// Adds a command that has run, with the message of the error that it ended with; dot commands aren't added.
  func note(_ command: String, failure: String? = nil) {
    guard DotCommandLine(Array(command.utf8)) == nil, !command.allSatisfy(\.isWhitespace) else {
      return
    }
    commands.append(Command(text: command, failure: failure))
  }

  /// Writes the script to a file, which isn't there yet or has an earlier one; returns the number of its commands.
  @discardableResult
  func save(to path: String) throws -> Int {
    let file = try SessionOutput(path, firstLine: Self.firstLine, content: "saved session")
    let (text, count) = script()
    try file.write(text, with: app)
    return count
  }

  /// The script, and the number of commands in it.
  func script() -> (text: String, count: Int) {
    let parts = commands.map(part)
    let together = Self.text(of: parts.map(\.text))
    // All commands together can be too much for one function, or have two labels of one name.
    let text =
      isChunk(together)
      ? together : Self.text(of: parts.map { $0.runs ? "do\n\($0.text)\nend" : $0.text })
    return (text, parts.count(where: \.runs))
  }

  private static func text(of parts: [String]) -> String {
    ([firstLine] + parts).joined(separator: "\n") + "\n"
  }

  // MARK: - Commands

  /// The lines for a command, and whether they run it.
  private func part(_ command: Command) -> (text: String, runs: Bool) {
    if command.text.mentionsPassword || secrets.areContained(in: command.text) {
      return ("-- A command with a password was left out.", false)
    }
    if let failure = command.failure {
      let message = secrets.areContained(in: failure) ? "an error" : failure
      return (Self.comment("Failed: \(message)\n\(command.text)"), false)
    }
    guard command.text.printableLines.isExactly(command.text) else {
      return ("-- A command with control characters was left out.", false)
    }
    return (statement(command.text), true)
  }

  /// A command as a statement: an expression is printed, as the prompt does.
  private func statement(_ command: String) -> String {
    if isChunk(command) {
      // A return ends a command, but would end the script.
      if command.hasReturn {
        let function = "(function(...)\n\(command)\nend)(...)"
        return isChunk("\(command)\nlocal _") ? ";\(function)" : "print(\(function))"
      }
      // Otherwise the command before would call what is in the parentheses.
      return command.first { !$0.isWhitespace } == "(" ? ";" + command : command
    }
    let (expression, isSilent) = command.withoutSemicolons
    guard isChunk("return \(expression)\n") else { return Self.comment(command) }
    let start = isSilent ? "local _ = " : "print("
    let end = isSilent ? "" : ")"
    // A comment ends with its line.
    return start + expression + (expression.contains("--") ? "\n" : "") + end
  }

  /// Whether a text is a whole chunk.
  private func isChunk(_ text: String) -> Bool {
    do {
      // Loading a script would skip a first line that begins with "#".
      _ = try state.load(" \(text)".systemBytes, name: .text("session"))
      return true
    } catch {
      return false
    }
  }

  /// A text as comments, each line for itself; Lua ends lines at carriage returns, too.
  private static func comment(_ text: String) -> String {
    text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
      .map { "-- " + String($0).printableLines }.joined(separator: "\n")
  }
}

extension String {
  /// Whether a chunk returns, outside the functions in it.
  fileprivate var hasReturn: Bool {
    // Whether each open block is a function's; `for` and `while` open theirs with `do`.
    var blocks: [Bool] = []
    for token in LuaTokens([UInt8(ascii: " ")] + utf8) where token.kind == .word {
      switch token.text {
      case "function": blocks.append(true)
      case "if", "do", "repeat": blocks.append(false)
      case "end", "until": _ = blocks.popLast()
      case "return" where !blocks.contains(true): return true
      default: break
      }
    }
    return false
  }

  /// An expression without the semicolons after it, and whether it had any.
  fileprivate var withoutSemicolons: (expression: String, had: Bool) {
    var rest = self[...]
    while let last = rest.last, last == ";" || last.isWhitespace { rest.removeLast() }
    let end = self[rest.endIndex...]
    return end.contains(";") ? (String(rest), true) : (self, false)
  }
}
