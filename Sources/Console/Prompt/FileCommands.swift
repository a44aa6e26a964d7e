import Foundation
import LineEditing
import Lua
import Scripting

extension DotCommand {
  /// Files of what was done.
  static let files = [
    DotCommand("save", .file, help: "Writes the commands of this session to a Lua file.") {
      prompt, path in
      guard !path.isEmpty else { throw DotCommandError.missingArgument(of: "save", ".save file") }
      let count = try prompt.transcript.save(to: path)
      prompt.screen.note(
        "\(count == 1 ? "1 command" : "\(count) commands") in \(path.shownOnOneLine)")
    },
    DotCommand(
      "scenario", .text("[#3..#9] file"),
      help: "Writes actions as a scenario (.scenario.lua), and runs it on a fresh app."
    ) { prompt, argument in try await prompt.writeScenario(argument) },
    DotCommand("expect", .code, help: "Pins the value of an expression for .scenario and .record.")
    {
      prompt, code in try await prompt.pin(code)
    },
    DotCommand(
      "record", .file, help: "Writes what is done from now on as a scenario; .record off ends."
    ) { prompt, path in try await prompt.record(path) },
  ]
}

extension Prompt {
  fileprivate func writeScenario(_ argument: String) async throws {
    let (range, path) = try ActionRange.split(argument)
    guard !path.isEmpty else {
      throw DotCommandError.missingArgument(of: "scenario", ".scenario [#3..#9] file")
    }
    let actions = try range?.numbers(in: store)
    let scenario = SessionScenario(of: interpreter.app)
    show(
      try await interpreter.cancellable { [expectations] in
        try await scenario.write(to: path, actions: actions, expectations: expectations)
      })
  }

  private func show(_ outcome: SessionScenario.Outcome) {
    screen.show([StyledText(outcome.summary, Style(outcome.failures.isEmpty ? .green : .red))])
    if outcome.recording.omittedCount > 0 {
      screen.note("left out: \(outcome.recording.omittedCount) expectations of other actions")
    }
    for failure in outcome.failures {
      screen.show(failure.split(separator: "\n").map { StyledText("  \($0)") })
    }
  }

  fileprivate func pin(_ expression: String) async throws {
    guard !expression.isEmpty else {
      throw DotCommandError.missingArgument(of: "expect", ".expect expression")
    }
    guard let value = try await valueOfReading(expression) else { return }
    expectations.append(try interpreter.app.expectation(of: expression, being: value))
    let label = StyledText("expects ", .dim)
    screen.show([
      label + formatter.line(of: value, columns: screen.size.columns - label.columns)
    ])
  }

  /// The value of an expression, which mustn't change the state; nil if it goes on in the background.
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
      throw DotCommandError(
        description: "the expression would change the state: pin one that only reads")
    }
    return values.map { $0.first ?? .nil }
  }

  fileprivate func record(_ path: String) async throws {
    switch (path, recording) {
    case ("", let recording?): screen.note("\(recording.path.shownOnOneLine) records what is done")
    case ("off", let recording?): try await stop(recording)
    case ("", nil), ("off", nil):
      throw DotCommandError.missingArgument(of: "record", ".record file")
    case (_, let recording?) where recording.isUnwritten:
      try await recording.move(to: path, expectations: expectations)
      screen.note("all of the recording is in \(path.shownOnOneLine), and continues there")
    default:
      let scenario = SessionScenario(of: interpreter.app)
      recording = try RecordingSession(
        to: path, of: interpreter.app, by: scenario, without: expectations)
      screen.note("what is done from now on is recorded in \(path.shownOnOneLine)")
    }
  }

  private func stop(_ recording: RecordingSession) async throws {
    let outcome: SessionScenario.Outcome?
    do {
      outcome = try await interpreter.cancellable { [expectations] in
        try await recording.stop(expectations: expectations)
      }
    } catch {
      // It isn't lost, and `updateRecording` says why it isn't written.
      guard !recording.isUnwritten else { return }
      self.recording = nil
      throw error
    }
    self.recording = nil
    guard let outcome else { return screen.note("nothing was done, so there is no file") }
    show(outcome)
  }
}
