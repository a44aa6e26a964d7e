import StateStore
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

  /// How long it takes at most until it is shown what others do; looking takes some 50 microseconds.
  private static let followingInterval = Duration.milliseconds(250)

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
      programName: Console.current.name, historyFile: try HistoryLocation.path(in: environment),
      complete: { line in
        // The editor's thread waits here while the main actor, idle until the line is there, looks the names up.
        DispatchQueue.main.sync { MainActor.assumeIsolated { completer.candidates(for: line) } }
      })
    self.editor = editor
    reader = editor
    interpreter.endingSignals?.beforeEnd = { editor.close() }
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

  /// Runs until the input ends.
  ///
  /// - Throws: `LineEditorError` if the input can't be read. What goes wrong in a chunk is reported, and the prompt
  ///   goes on.
  func run() async throws {
    interpreter.noteThatPromptRuns()
    defer { editor?.close() }
    if let failure = editor?.historyFailure { Diagnostics.report(failure) }
    print(
      "\(RootCommand.version). Type help() for help; Ctrl-D leaves.")
    if let session = interpreter.savedSession, session.store.reachable.upperBound > 0 {
      print("This goes on with \(session.path.shownSystemText); store.reset() begins anew.")
    }
    while let chunk = try await readChunk() {
      interpreter.savedSession?.takeIn()
      do {
        let values = try await interpreter.run(chunk.compile(in: interpreter.state))
        if !values.isEmpty { CurrentProcess.print(try formatter.text(of: values)) }
      } catch let error as LuaError {
        Diagnostics.report(error)
      }
      for failure in interpreter.state.takeTaskFailures() { Diagnostics.report(failure) }
      interpreter.savedSession?.save()
      fflush(nil)
    }
    print()
  }

  /// Reads lines until they make a chunk; `nil` when the input has ended.
  private func readChunk() async throws -> PromptChunk? {
    var chunk = PromptChunk()
    while true {
      let prompt = chunk.isBlank ? "> " : ">> "
      switch try await readLine(prompt: prompt) {
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

  /// Reads a line; meanwhile it is shown what other processes do to the session, where that can be shown.
  private func readLine(prompt: String) async throws -> LineInput {
    guard let output else { return try await interpreter.readLine(from: reader, prompt: prompt) }
    output.isTyping = true
    defer { output.isTyping = false }
    let following = Task { await followSession() }
    defer { following.cancel() }
    return try await interpreter.readLine(from: reader, prompt: prompt)
  }

  /// Takes in what other processes do, until it is cancelled.
  private func followSession() async {
    guard let session = interpreter.savedSession else { return }
    while true {
      do {
        try await Task.sleep(for: Self.followingInterval)
      } catch {
        // It is cancelled when the line is there.
        return
      }
      session.synchronize()
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
