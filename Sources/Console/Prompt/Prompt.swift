import Foundation
import Lua
import StateStore
import Platform

/// The interactive prompt: reads chunks, runs them, and shows their results.
@MainActor
final class Prompt {
  private let interpreter: Interpreter
  private let reader: any LineReader
  private let editor: LineEditor?
  private let output: PromptPrint?
  private let formatter: ResultFormatter

  /// The time between checks for actions of other processes; a check takes some 50 microseconds.
  private static let reloadInterval = Duration.milliseconds(250)

  init(interpreter: Interpreter, environment: [String: String]) throws {
    self.interpreter = interpreter
    formatter = try ResultFormatter(state: interpreter.state)
    guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0, environment["TERM"] != "dumb"
    else {
      editor = nil
      output = nil
      reader = try PlainLineReader(showsPrompt: true)
      return
    }
    let completer = Completer(state: interpreter.state, modules: interpreter.app.modules)
    let editor = try LineEditor(
      programName: Console.current.name, historyFile: UserFiles.lineHistory(in: environment),
      complete: { line in
        // The editor's thread waits here for the main actor, which is idle while a line is edited.
        DispatchQueue.main.sync { MainActor.assumeIsolated { completer.candidates(for: line) } }
      })
    self.editor = editor
    reader = editor
    interpreter.termination?.beforeEnd = { editor.close() }
    let output = try PromptPrint(in: interpreter.state, over: editor)
    self.output = output
    interpreter.notify = { message in
      if output.isTyping {
        editor.printAbove(Diagnostics.line(of: message))
      } else {
        Diagnostics.note(message)
      }
    }
  }

  /// Runs until the input ends, and reports the errors of chunks.
  ///
  /// - Throws: `LineEditorError` if the input can't be read.
  func run() async throws {
    interpreter.notePrompt()
    defer { editor?.close() }
    if let failure = editor?.historyFailure { Diagnostics.report(failure) }
    print("\(Console.current.versionLine). Type help() for help; Ctrl-D leaves.")
    let sessionFile = interpreter.sessionFile
    if let sessionFile, sessionFile.store.reachable.upperBound > 0 {
      print(
        "Continuing \(sessionFile.path.shownSystemText); store.reset() returns to the initial state."
      )
    }
    while let chunk = try await readChunk() {
      sessionFile?.reload()
      do {
        let values = try await interpreter.run(chunk.compile(in: interpreter.state))
        if !values.isEmpty { CurrentProcess.print(try formatter.text(of: values)) }
      } catch let error as LuaError {
        Diagnostics.report(error)
      }
      for failure in interpreter.state.takeTaskFailures() { Diagnostics.report(failure) }
      sessionFile?.save()
      fflush(nil)
    }
    print()
  }

  /// Reads lines until they make a chunk; nil if the input has ended.
  private func readChunk() async throws -> PromptChunk? {
    var chunk = PromptChunk()
    while true {
      switch try await readLine(prompt: chunk.isBlank ? "> " : ">> ") {
      case .interrupted:
        chunk = PromptChunk()
      case .endOfInput:
        return chunk.isBlank ? nil : chunk
      case .line(let line):
        chunk.append(line)
        guard !chunk.isBlank, chunk.isComplete(in: interpreter.state) else { continue }
        do {
          try editor?.remember(chunk.text)
        } catch {
          Diagnostics.report(error)
        }
        return chunk
      }
    }
  }

  /// Reads a line; meanwhile the actions of other processes appear above it, if the terminal allows that.
  private func readLine(prompt: String) async throws -> LineInput {
    guard let output else { return try await interpreter.readLine(from: reader, prompt: prompt) }
    output.isTyping = true
    defer { output.isTyping = false }
    let reloading = Task { await reloadRepeatedly() }
    defer { reloading.cancel() }
    return try await interpreter.readLine(from: reader, prompt: prompt)
  }

  private func reloadRepeatedly() async {
    guard let sessionFile = interpreter.sessionFile else { return }
    while true {
      do {
        try await Task.sleep(for: Self.reloadInterval)
      } catch {
        // Cancelled: the line is complete.
        return
      }
      sessionFile.reload()
      sessionFile.compact()
    }
  }
}

/// The lines typed so far, which may be an expression or statements, in any bytes (see `String.init(systemBytes:)`).
private struct PromptChunk {
  private(set) var text = ""

  private static let name = ChunkName.text("stdin")

  var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

  mutating func append(_ line: String) {
    text += isBlank ? line : "\n" + line
  }

  /// Whether more lines wouldn't help: the text compiles, or has an error that no continuation can mend.
  @MainActor
  func isComplete(in state: LuaState) -> Bool {
    do {
      _ = try compile(in: state)
      return true
    } catch {
      return !error.message.hasSuffix("near <eof>")
    }
  }

  /// Compiles the text as an expression, or else as statements.
  ///
  /// - Throws: The syntax error of the statements.
  @MainActor
  func compile(in state: LuaState) throws(LuaError) -> LuaFunction {
    do throws(LuaError) {
      return try state.load(("return " + text).systemBytes, name: Self.name)
    } catch {
      return try state.load(text.systemBytes, name: Self.name)
    }
  }
}

// MARK: - Output

/// Writes the values of an expression.
private struct ResultFormatter {
  // Read when the prompt opens, so that scripts that change the globals don't change the prompt.
  private let inspect: LuaFunction
  private let tostring: LuaFunction

  init(state: LuaState) throws(LuaError) {
    inspect = try state.global("inspect")
    tostring = try state.global("tostring")
  }

  /// The values on one line with tabs between them, as `print` writes them, but tables with their contents.
  ///
  /// - Throws: The error of a value's `__tostring` or `__pairs`.
  func text(of values: [LuaValue]) throws(LuaError) -> String {
    try values.text { value in
      switch value {
      case .table, .object: inspect
      default: tostring
      }
    }
  }
}

/// `print` at the prompt: while a line is typed, the output of tasks appears above it.
@MainActor
private final class PromptPrint {
  /// Whether a line is being typed.
  var isTyping = false

  private let editor: LineEditor
  private let original: LuaFunction
  private let tostring: LuaFunction

  /// Replaces the state's global `print`.
  init(in state: LuaState, over editor: LineEditor) throws(LuaError) {
    self.editor = editor
    original = try state.global("print")
    tostring = try state.global("tostring")
    let module = LuaModule("prompt", help: "The prompt's functions.")
    module.function("print", "values", help: "Prints values.", example: "print(1, 2)") {
      [weak self] (values: LuaVariadic) in
      try MainActor.assumeIsolated { try self?.print(values.values) }
    }
    try state.setGlobal("print", to: state.makeTable(module).get("print", as: LuaFunction.self))
  }

  private func print(_ values: [LuaValue]) throws(LuaError) {
    if isTyping {
      editor.printAbove(try values.text { _ in tostring })
    } else {
      try original.call(with: values)
    }
  }
}

extension [LuaValue] {
  /// The values on one line with tabs between them, each converted to a string by a function of Lua.
  ///
  /// Lua's strings have any bytes (see `String.init(systemBytes:)`).
  fileprivate func text(by function: (LuaValue) -> LuaFunction) throws(LuaError) -> String {
    try map { value throws(LuaError) in
      guard case .string(let text) = try function(value).call(value).first else { return "" }
      return String(systemBytes: text.bytes)
    }.joined(separator: "\t")
  }
}
