import PrimereplFoundation
import PrimereplPlatform
import PrimereplTerminal
import Scenarios
import Scripting

/// Writes the history of an app as a scenario, and runs that at once on a fresh app.
@MainActor
struct SessionScenario {
  private let app: ScriptedApp
  private let worker: [String]

  /// `worker` is the program with the arguments that make it a worker: see `ScenarioWorker`.
  init(of app: ScriptedApp, worker: [String]) { (self.app, self.worker) = (app, worker) }

  init(of interpreter: Interpreter) {
    self.init(of: interpreter.app, worker: ScenarioWorkerCommand.command(of: interpreter.console))
  }

  struct Outcome: Equatable {
    let recording: ScenarioRecording
    /// The failures, as texts of one or more lines; empty if it passed.
    let failures: [String]

    /// One line, such as "7 actions, 1 expectation: passed".
    var summary: String {
      let (actions, expectations) = (recording.actionCount, recording.expectationCount)
      let pinned = expectations > 0 ? ", \(expectations.counted("expectation"))" : ""
      return actions.counted("action") + pinned + (failures.isEmpty ? ": passed" : ": failed")
    }
  }

  /// Writes a scenario of actions, or of all in effect, and runs it in a process of its own.
  ///
  /// - Throws: An error if it can't be recorded, written, or run; `CancellationError` if the task was cancelled.
  func write(
    to path: String, actions: Range<Int>? = nil, expectations: [PinnedExpectation] = []
  ) async throws -> Outcome {
    let recording = try await record(to: path, actions: actions, expectations: expectations)
    return Outcome(recording: recording, failures: try await run(path))
  }

  /// Writes a scenario, without running it.
  func record(
    to path: String, actions: Range<Int>? = nil, expectations: [PinnedExpectation] = []
  ) async throws -> ScenarioRecording {
    let (file, name) = try Self.file(at: path)
    let recording = try await app.scenario(
      named: name, actions: actions, expectations: expectations)
    try file.write(recording.text, with: app)
    return recording
  }

  /// The scenario file at a path that no other file has, and the name of its scenario.
  @discardableResult
  static func file(at path: String) throws(CommandError) -> (file: SessionOutput, name: String) {
    let file = try SessionOutput(
      path,
      SessionOutput.Kind(firstLine: ScenarioRecording.firstLine, content: "recorded scenario"))
    guard let name = ScenarioRecording.name(forFile: path) else {
      throw CommandError(
        description:
          "\(path.printable(limit: 200)): the name of a scenario file ends in \(ScenarioRecording.fileNameEnd)"
      )
    }
    try file.check()
    return (file, name)
  }

  /// The failures of a scenario file, run on a fresh app; empty if it passed.
  ///
  /// - Throws: `CancellationError` if the task was cancelled; an error if no process can be started.
  func run(_ path: String) async throws -> [String] {
    var options = RunOptions()
    options.paths = [try UserFiles.expanding(path)]
    let collector = FailureCollector()
    let runner = try ScenarioRunner(
      program: CurrentProcess.name, worker: worker, options: options, collecting: collector)
    let conclusion = try await withTaskCancellationHandler {
      try await runner.run(runner.plan())
    } onCancel: {
      Task { @MainActor in runner.interrupt() }
    }
    switch conclusion {
    case .passed: return []
    case .interrupted: throw CancellationError()
    case .failed, .unloadable, .noneMatched:
      return collector.failures.isEmpty ? ["No scenario was run."] : collector.failures
    }
  }
}
