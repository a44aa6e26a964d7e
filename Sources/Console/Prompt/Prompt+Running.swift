import Lua
import PrimereplLineEditing
import PrimereplPlatform
import PrimereplTerminal
import Scripting
import StateStore

extension Prompt {
  func run(_ text: String) async {
    lastCode = text
    await run(text, showing: text) {
      // Hidden results can still be read from `_`.
      let values = try await values(of: text) ?? []
      try keep(values, showing: !text.endsInSemicolon)
      return values.count
    }
  }

  func load(_ path: String) async {
    let call = "dofile(\(LuaString(bytes: path.systemBytes).luaLiteral))"
    await run(call, showing: "") {
      _ = try await values(of: interpreter.load(file: path))
      return 0
    }
  }

  /// Runs what the transcript calls `command`, and shows its changes, and its error in `source` unless that is empty.
  ///
  /// `body` returns the number of results that it kept.
  func run(
    _ command: String, showing source: String, _ body: () async throws -> Int
  ) async {
    let (start, secretCount) = (store.position, Secret.count)
    monitor.beginCommand()
    defer {
      monitor.endCommand()
      interpreter.commands.append(from: start, in: store)
    }
    do {
      let resultCount = try await body()
      transcript.add(
        command, from: start, resultCount: resultCount,
        madeSecret: Secret.count != secretCount, isTaken: assistant.isKnown)
    } catch {
      keep(error)
      show(error, of: source)
      transcript.add(
        command, from: start, failure: error.userMessage,
        madeSecret: Secret.count != secretCount)
    }
  }

  /// Nil if the input continues in the background.
  func values(of text: String) async throws -> [LuaValue]? {
    try await values(of: try compile(text))
  }

  /// Nil if the function continues in the background.
  func values(of function: LuaFunction) async throws -> [LuaValue]? {
    defer { screen.markOutput() }
    let (values, task) = try await interpreter.run(function) { task in
      await WaitingCode(for: task, on: screen).hasEnded()
    }
    if values == nil {
      screen.showNote("continues in the background as task \(task.number): .tasks lists them")
    }
    return values
  }

  /// Gives a text the number of the next input, by which errors name it.
  func nextInput(_ text: String) -> PromptInput {
    inputCount += 1
    let input = PromptInput(text, number: inputCount)
    currentInput = ErrorReport.Input(chunk: input.chunkName, text: text)
    interpreter.sources[input.chunkName] = text
    interpreter.sources[PromptInput("", number: inputCount - Self.keptInputs).chunkName] = nil
    return input
  }

  /// Compiles the next input as an expression, or else as statements whose locals are kept for the session.
  private func compile(_ text: String) throws(LuaError) -> LuaFunction {
    let function = try nextInput(text).compile(in: state)
    let kept = SessionLocals.keeping(text, isTaken: assistant.isKnown)
    if !kept.lost.isEmpty {
      let names = kept.lost.joined(separator: ", ")
      screen.showNote("\(names) \(kept.lost.count == 1 ? "is" : "are") local to this input")
    }
    return kept.names.isEmpty
      ? function : try PromptInput(kept.source, number: inputCount).compile(in: state)
  }

  /// Remembers an expression's results in `_`, `_1`, `_2` and so on, and shows them.
  private func keep(_ values: [LuaValue], showing: Bool) throws {
    guard !values.isEmpty else { return }
    let globals = try state.globals()
    for number in (values.count + 1)..<(max(lastValues.count, values.count) + 1) {
      try globals.rawSet("_\(number)", to: LuaValue.nil)
    }
    for (index, value) in values.prefix(SessionTranscript.maximumResults).enumerated() {
      try globals.rawSet("_\(index + 1)", to: value)
    }
    try globals.rawSet("_", to: values[0])
    lastValues = values
    if showing { screen.show(formatter.lines(of: values, in: screen.size)) }
  }

  func updateRecording() async {
    do {
      try await recording?.update(expectations: expectations)
    } catch {
      show(error, of: "")
      guard recording?.isUnwritten == true else { return }
      screen.showNote(
        "the recording continues in memory: .record file writes all of it to another file")
    }
  }

  /// The number of inputs whose texts are kept, to show the lines of their errors.
  private static let keptInputs = 1_000

  /// Remembers an error's value in `_error`.
  private func keep(_ error: any Error) {
    guard let error = error as? LuaError else { return }
    let value = state.value(of: error) ?? .string(LuaString(error.message))
    do throws(LuaError) {
      try state.globals().rawSet("_error", to: value)
    } catch {
      // Memory is short: the error itself is shown.
    }
  }
}

extension String {
  fileprivate var endsInSemicolon: Bool { last { !$0.isWhitespace } == ";" }
}
