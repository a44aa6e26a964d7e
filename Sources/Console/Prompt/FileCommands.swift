import Lua
import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform
import PrimereplTerminal
import Scenarios
import Scripting

extension DotCommand {
  static let files = [
    DotCommand("save", .file, "file", help: "Writes the commands of this session to a Lua file.") {
      prompt, argument in
      let path = path(argument)
      let count = try prompt.transcript.save(to: path)
      prompt.screen.showNote("\(count.counted("command")) in \(path.printable)")
    },
    DotCommand("csv", .file, "file", help: "Writes the last value, a list, to a file as CSV.") {
      prompt, argument in try await prompt.writeCSV(to: path(argument))
    },
    DotCommand("json", .file, "file", help: "Writes the last value to a file as JSON.") {
      prompt, argument in try await prompt.writeJSON(to: path(argument))
    },
    DotCommand(
      "scenario", .file, "[#3..#9] file",
      help: "Writes actions as a scenario (.scenario.lua), and runs it on a fresh app."
    ) { prompt, argument in try await prompt.writeScenario(argument) },
    DotCommand(
      "expect", .code, "code", help: "Pins the value of an expression for .scenario and .record."
    ) {
      prompt, code in try await prompt.pin(code)
    },
    DotCommand(
      "record", .file, "[file]", help: "Records a scenario from now on; .record off ends."
    ) { prompt, argument in try await prompt.record(argument) },
  ]
}

extension Prompt {
  private func lastValue() throws(CommandError) -> LuaValue {
    guard let value = lastValues.first else {
      throw CommandError(description: "no value so far: type an expression first")
    }
    return value
  }

  fileprivate func writeJSON(to path: String) async throws {
    let (app, last) = (interpreter.app, try lastValue())
    let value = try await interpreter.runMetamethods { try app.jsonValue(of: last) }
    try write(value.prettyJSON + "\n", to: path)
    screen.showNote("the last value is in \(path.printable)")
  }

  fileprivate func writeCSV(to path: String) async throws {
    let (app, last) = (interpreter.app, try lastValue())
    let rows = try await interpreter.runMetamethods { [formatter] in
      try formatter.rows(of: last, in: app)
    }
    guard let rows else {
      throw CommandError(
        description: ".csv writes a list, such as persons or todo.items; the last value isn't one")
    }
    try write(CSVText(rows).text, to: path)
    screen.showNote("\(rows.count.counted("row")) in \(path.printable)")
  }

  /// Writes a file, but over no other than one of this session.
  private func write(_ text: String, to path: String) throws {
    let output = try SessionOutput(path, nil)
    try output.write(text, with: interpreter.app, over: writtenFiles[output.expandedPath])
    writtenFiles[output.expandedPath] = FileVersion(of: output.expandedPath)
  }

  fileprivate func writeScenario(_ argument: String) async throws {
    let (range, rest) = try ActionRange.split(argument)
    let path = DotCommand.path(rest)
    guard !path.isEmpty else {
      throw CommandError(description: "usage: .scenario [#3..#9] file")
    }
    let actions = try range?.numbers(in: store)
    let scenario = SessionScenario(of: interpreter)
    show(
      try await interpreter.cancellable { [expectations] in
        try await scenario.write(to: path, actions: actions, expectations: expectations)
      })
  }

  private func show(_ outcome: SessionScenario.Outcome) {
    screen.show([StyledText(outcome.summary, Style(outcome.failures.isEmpty ? .green : .red))])
    if outcome.recording.omittedCount > 0 {
      screen.showNote("left out: \(outcome.recording.omittedCount) expectations of other actions")
    }
    for failure in outcome.failures {
      screen.show(failure.split(separator: "\n").map { StyledText("  \($0)") })
    }
  }

  fileprivate func pin(_ expression: String) async throws {
    guard let value = try await valueOfReading(expression) else { return }
    let app = interpreter.app
    expectations.append(
      try await interpreter.runMetamethods { try app.expectation(of: expression, being: value) })
    let label = StyledText("expects ", .dim)
    screen.show([
      label + formatter.line(of: value, columns: screen.size.columns - label.columns)
    ])
  }

  /// The value of an expression, which mustn't change the state; nil if it continues in the background.
  private func valueOfReading(_ expression: String) async throws -> LuaValue? {
    let position = store.position
    try store.beginTrial()
    monitor.beginCommand()
    defer { monitor.endCommandQuietly() }
    let values: [LuaValue]?
    do {
      values = try await self.values(of: expression)
    } catch {
      try store.dropTrial()
      throw error
    }
    let isReading = store.position == position
    try store.dropTrial()
    guard isReading else {
      throw CommandError(
        description: "the expression would change the state: pin one that only reads")
    }
    return values.map { $0.first ?? .nil }
  }

  fileprivate func record(_ argument: String) async throws {
    let path = DotCommand.path(argument)
    switch (argument, recording) {
    case ("", let recording?): screen.showNote("recording to \(recording.path.printable)")
    case ("off", let recording?): try await stop(recording)
    case ("", nil), ("off", nil):
      throw CommandError(description: "usage: .record file")
    case (_, let recording?) where recording.isUnwritten:
      try await recording.move(to: path, expectations: expectations)
      screen.showNote("recording to \(path.printable), which has all of it")
    default:
      let scenario = SessionScenario(of: interpreter)
      recording = try RecordingSession(
        to: path, of: interpreter.app, by: scenario, without: expectations)
      screen.showNote("recording to \(path.printable); .record off ends it")
    }
  }

  private func stop(_ recording: RecordingSession) async throws {
    let outcome: SessionScenario.Outcome?
    do {
      outcome = try await interpreter.cancellable { [expectations] in
        try await recording.stop(expectations: expectations)
      }
    } catch {
      // The recording isn't lost, and `updateRecording` says why it isn't written.
      guard !recording.isUnwritten else { return }
      self.recording = nil
      throw error
    }
    self.recording = nil
    guard let outcome else { return screen.showNote("nothing was recorded, so there is no file") }
    show(outcome)
  }
}
