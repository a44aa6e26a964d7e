import Foundation
import Lua

/// The interactive prompt: reads chunks, runs them, and shows their results.
@MainActor
final class Prompt {
  private let interpreter: Interpreter
  private let reader: any LineReader
  private let editor: LineEditor?
  private let output: PromptPrint?
  private let formatter: ResultFormatter

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
    let completer = Completer(state: interpreter.state, modules: interpreter.session.modules)
    let editor = try LineEditor(
      programName: "primerepl", historyFile: HistoryLocation.path(in: environment),
      complete: { line in
        // The editor's thread waits here while the main actor, idle until the line is there, looks the names up.
        DispatchQueue.main.sync { MainActor.assumeIsolated { completer.candidates(for: line) } }
      })
    self.editor = editor
    reader = editor
    output = try PromptPrint(in: interpreter.state, over: editor)
  }

  /// Runs until the input ends.
  ///
  /// - Throws: `LineEditorError` if the input can't be read. What goes wrong in a chunk is reported, and the prompt
  ///   goes on.
  func run() async throws {
    defer { editor?.close() }
    if let failure = editor?.historyFailure { Diagnostics.report(failure) }
    print(
      "primerepl \(Primerepl.version) (\(LuaState.release)). Type help() for help; Ctrl-D leaves.")
    while let chunk = try await readChunk() {
      interpreter.takeIn()
      do {
        let values = try await interpreter.run(chunk.compile(in: interpreter.state))
        if !values.isEmpty { print(try formatter.text(of: values)) }
      } catch let error as LuaError {
        Diagnostics.report(error)
      }
      for failure in interpreter.state.takeTaskFailures() { Diagnostics.report(failure) }
      interpreter.save()
      fflush(nil)
    }
    print()
  }

  /// Reads lines until they make a chunk; `nil` when the input has ended.
  private func readChunk() async throws -> PromptChunk? {
    var chunk = PromptChunk()
    while true {
      let prompt = chunk.isBlank ? "> " : ">> "
      output?.isTyping = true
      let input = try await interpreter.readLine(from: reader, prompt: prompt)
      output?.isTyping = false
      switch input {
      case .interrupted:
        chunk = PromptChunk()
      case .endOfInput:
        return chunk.isBlank ? nil : chunk
      case .line(let line):
        chunk.append(line)
        guard !chunk.isBlank, chunk.isComplete(in: interpreter.state) else { continue }
        remember(chunk.text)
        return chunk
      }
    }
  }

  private func remember(_ text: String) {
    do {
      try editor?.remember(text)
    } catch {
      Diagnostics.report(error)
    }
  }
}
