import Lua
import PrimereplPlatform
import PrimereplTerminal
import Scripting
import StateStore

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
  private let secrets: InputSecrets

  private struct Command {
    enum Kind {
      case code
      /// An undo or redo, which has no text.
      case travel
      /// An action that took back earlier ones, which has no text.
      case takingBack
    }

    var kind = Kind.code
    var text = ""
    /// The message of the error that it ended with; nil if it ran to its end.
    var failure: String?
    var madeSecret = false
    /// The number of results that the prompt kept in `_1`, `_2` and so on.
    var resultCount = 0
    /// Whether it has variables that would hide others in the commands after it.
    var hasLocals = false
    /// Those of the prompt's own variables that it reads: `_`, `_1`, `_error`.
    var promptVariables: Set<String> = []
    /// The store's position before and after it.
    let start: Int
    let end: Int
    /// The number of the last action after it, in effect or undone.
    let last: Int
  }

  /// The line that every saved script begins with.
  static let firstLine = "-- The commands of a session at the prompt."

  init(of app: ScriptedApp, in state: LuaState, without secrets: InputSecrets) {
    self.app = app
    self.state = state
    self.secrets = secrets
  }

  /// Adds a command that has run; dot commands aren't added.
  ///
  /// `start` is the store's position before it; nil if it sent no actions. `isTaken` says whether a variable of a name
  /// would hide a module or a function of Lua, and so stayed local.
  func add(
    _ command: String, from start: Int? = nil, resultCount: Int = 0, failure: String? = nil,
    madeSecret: Bool = false, isTaken: (String) -> Bool = { _ in false }
  ) {
    guard DotCommandLine(Array(command.utf8)) == nil, !command.isBlank else {
      return
    }
    // What the prompt ran: its variables are those of the session.
    let kept = SessionLocals.keeping(command, isTaken: isTaken)
    commands.append(
      Command(
        text: failure == nil ? String(kept.source.drop(while: \.isWhitespace)) : command,
        failure: failure, madeSecret: madeSecret, resultCount: resultCount,
        hasLocals: !kept.lost.isEmpty,
        promptVariables: SourceTokens(Array(command.utf8)).promptVariables,
        start: start ?? app.store.position, end: app.store.position,
        last: app.store.reachable.upperBound))
  }

  /// Adds that a dot command has undone or redone actions.
  func addTravel(from start: Int) {
    guard app.store.position != start else { return }
    append(.travel, from: start)
  }

  /// Adds that `.undo --mine` has taken back actions: the last ones by an undo, others by an action.
  func addTakingBack(from start: Int) {
    guard start < app.store.position else { return addTravel(from: start) }
    append(.takingBack, from: start)
  }

  private func append(_ kind: Command.Kind, from start: Int) {
    let store = app.store
    commands.append(
      Command(
        kind: kind, start: start, end: store.position, last: store.reachable.upperBound))
  }

  /// Writes the script to a file, which isn't there yet or has an earlier one; returns the number of its commands.
  @discardableResult
  func save(to path: String) throws -> Int {
    let file = try SessionOutput(
      path, SessionOutput.Kind(firstLine: Self.firstLine, content: "saved session"))
    let (text, count) = script()
    try file.write(text, with: app)
    return count
  }

  func script() -> (text: String, count: Int) {
    let parts = parts()
    let together = Self.text(of: parts.map(\.text))
    // All commands together can be too much for one function, or have two labels of one name.
    let text =
      isChunk(together)
      ? together : Self.text(of: parts.map { $0.runs ? Self.block($0.text) : $0.text })
    return (text, parts.count(where: \.runs))
  }

  private static func text(of parts: [String]) -> String {
    ([firstLine] + parts).joined(separator: "\n") + "\n"
  }

  private static func block(_ text: String) -> String { "do\n\(text)\nend" }

  // MARK: - Commands

  private typealias Part = (text: String, runs: Bool)

  /// The lines for each command, and whether they run it.
  private func parts() -> [Part] {
    var parts: [Part] = []
    // The last command so far whose results the prompt kept, and those of them that commands after it read.
    var producer: Int?
    var read: [Int: Set<String>] = [:]
    var sent = SentActions()
    for (index, command) in commands.enumerated() {
      // What tasks and others have done in between isn't sent.
      if index > 0, commands[index - 1].end < command.start {
        sent.remove(after: commands[index - 1].end)
      }
      var part = part(command, sent)
      let results = command.promptVariables.subtracting(["_error"])
      if part.runs, let missing = missingVariable(of: command, at: index, producer, parts) {
        part = (Self.comment("Left out, as it reads \(missing):\n\(command.text)"), false)
      } else if part.runs, let producer {
        read[producer, default: []].formUnion(results)
      }
      parts.append(part)
      if command.kind != .travel, command.start < command.end {
        sent.remove(after: command.start)
        // Also those that it has undone itself.
        if part.runs { sent.add(command.start + 1..<command.last + 1) }
      }
      if command.resultCount > 0 { producer = index }
    }
    for (index, names) in read where !names.isEmpty {
      parts[index].text = assignment(of: commands[index], reading: names)
    }
    for (index, command) in commands.enumerated() where command.hasLocals && parts[index].runs {
      parts[index].text = Self.block(parts[index].text)
    }
    return parts
  }

  /// A variable of the prompt that a command reads, and whose value the script doesn't have; nil if there is none.
  private func missingVariable(
    of command: Command, at index: Int, _ producer: Int?, _ parts: [Part]
  ) -> String? {
    let isProduced = producer.map { parts[$0].runs } ?? true
    let hasFailed = commands[..<index].contains { $0.failure != nil }
    return command.promptVariables.sorted().first { $0 == "_error" ? hasFailed : !isProduced }
  }

  private func part(_ command: Command, _ sent: SentActions) -> Part {
    switch command.kind {
    case .code: break
    case .travel: return travel(command, sent)
    case .takingBack: return ("-- Left out: .undo --mine, as others have acted since", false)
    }
    let hasFailed = command.failure != nil
    if command.madeSecret || secrets.mayBe(in: command.text, hasFailed: hasFailed) {
      return ("-- A command with a password was left out.", false)
    }
    if let failure = command.failure {
      return (Self.comment("Failed: \(Secret.hidden(in: failure))\n\(command.text)"), false)
    }
    guard command.text.printableLines.isExactly(command.text) else {
      return ("-- A command with control characters was left out.", false)
    }
    return (statement(command), true)
  }

  /// An undo or redo of those actions that the script sends.
  private func travel(_ command: Command, _ sent: SentActions) -> Part {
    let numbers = min(command.start, command.end) + 1..<max(command.start, command.end) + 1
    let verb = command.end < command.start ? "undo" : "redo"
    let count = sent.count(in: numbers)
    var lines: [String] = []
    if count < numbers.count {
      let actions = (numbers.count - count).counted("action")
      lines.append("-- Left out: the \(verb) of \(actions) that this script may not have sent")
    }
    if count > 0 { lines.append("store.\(verb)(\(count))") }
    return (lines.joined(separator: "\n"), count > 0)
  }

  /// The numbers, in the session, of the actions that the script sends, too.
  private struct SentActions {
    /// At first all, as the script runs in the state, and with the history, in which the session began.
    private var ranges = [Int.min..<Int.max]

    func count(in numbers: Range<Int>) -> Int {
      ranges.reduce(0) { $0 + $1.clamped(to: numbers).count }
    }

    mutating func add(_ numbers: Range<Int>) { ranges.append(numbers) }

    /// Removes the numbers of undone actions, which others take.
    mutating func remove(after number: Int) {
      ranges = ranges.map { $0.clamped(to: Int.min..<number + 1) }.filter { !$0.isEmpty }
    }
  }

  /// A command as a statement: an expression is printed, as the prompt does.
  private func statement(_ command: Command) -> String {
    let text = command.text
    if isChunk(text) {
      // A return ends a command, but would end the script.
      if text.hasReturn {
        return command.resultCount > 0 ? Self.call("print", function(text)) : ";\(function(text))"
      }
      // Otherwise the command before would call what is in the parentheses.
      return text.hasPrefix("(") ? ";" + text : text
    }
    let (expression, isSilent) = text.withoutSemicolons
    guard isChunk("return \(expression)\n") else { return Self.comment(text) }
    return isSilent ? "local _ = \(expression)" : Self.call("print", expression)
  }

  /// A command that puts its results in variables, which later ones read, and prints them.
  private func assignment(of command: Command, reading names: Set<String>) -> String {
    let (expression, isSilent) = command.text.withoutSemicolons
    let values = isChunk("return \(expression)\n") ? expression : function(command.text)
    let maximum = names.compactMap { Int($0.dropFirst()) }.max()
    let count = max(command.resultCount, maximum ?? 1)
    let variables =
      maximum == nil && count == 1
      ? "_" : (1...min(count, Self.maximumResults)).map { "_\($0)" }.joined(separator: ", ")
    return
      ([variables + " = " + values] + (variables == "_" ? [] : ["_ = _1"])
      + (isSilent ? [] : ["print(\(variables))"])).joined(separator: "\n")
  }

  /// The number of results that the prompt keeps in variables.
  static let maximumResults = 100

  private static func call(_ function: String, _ expression: String) -> String {
    // A comment ends with its line.
    "\(function)(\(expression)\(expression.contains("--") ? "\n" : ""))"
  }

  private func function(_ body: String) -> String { "(function(...)\n\(body)\nend)(...)" }

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
    let source = SourceTokens(Array(utf8))
    var scopes = LuaScopes(source, before: 0)
    return source.tokens.indices.contains { index in
      scopes.read(index)
      return source.isWord(index, "return") && !scopes.isInFunction
    }
  }

  fileprivate var withoutSemicolons: (expression: String, had: Bool) {
    var rest = self[...]
    while let last = rest.last, last == ";" || last.isWhitespace { rest.removeLast() }
    let end = self[rest.endIndex...]
    return end.contains(";") ? (String(rest), true) : (self, false)
  }
}

extension SourceTokens {
  /// The prompt's own variables, such as `_` and `_error`, that a text means by their names.
  fileprivate var promptVariables: Set<String> {
    var names: Set<String> = []
    var scopes = LuaScopes(self, before: 0)
    // The end of a list of new variables.
    var end = 0
    for index in tokens.indices {
      if isWord(index, "for") || isWord(index, "local") { end = self.names(from: index + 1).end }
      if index >= end, let name = name(index), name.isPromptVariable,
        !isMember(index), scopes.variable(named: name) == nil
      {
        names.insert(name)
      }
      scopes.read(index)
    }
    return names
  }
}

extension String {
  fileprivate var isPromptVariable: Bool {
    self == "_" || self == "_error" || hasPrefix("_") && Int(dropFirst()).map { $0 > 0 } == true
  }
}
