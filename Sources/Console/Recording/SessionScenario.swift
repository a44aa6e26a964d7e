import PrimereplFoundation
import PrimereplPlatform
import PrimereplTerminal
import Scenarios
import Scripting
import StateStore

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
  static func file(at path: String) throws -> (file: SessionOutput, name: String) {
    let file = try SessionOutput(
      path,
      SessionOutput.Kind(firstLine: ScenarioRecording.firstLine, content: "recorded scenario"))
    guard let name = ScenarioRecording.name(forFile: path) else {
      throw SessionFileError.notAScenario(file)
    }
    try file.check()
    return (file, name)
  }

  /// The failures of a scenario file, run on a fresh app; empty if it passed.
  ///
  /// - Throws: `CancellationError` if the task was cancelled; an error if no process can be started.
  func run(_ path: String) async throws -> [String] {
    var options = RunOptions()
    options.paths = [try SessionOutput.expanded(path)]
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

/// A file that the prompt writes for its user, over nothing but an earlier one of its own.
struct SessionOutput {
  let expandedPath: String
  private let path: String
  private let kind: Kind?

  /// Files that begin with the same line; messages call them by their content.
  struct Kind {
    let firstLine: String
    let content: String
  }

  /// A file of no kind is only written over if it is empty, or the session's own.
  init(_ path: String, _ kind: Kind?) throws {
    expandedPath = try Self.expanded(path)
    (self.path, self.kind) = (path, kind)
  }

  /// With `~` expanded.
  static func expanded(_ path: String) throws -> String {
    guard !path.isEmpty else { throw SessionFileError.noName }
    do throws(FilePath.Problem) {
      return try FilePath.expanding(path)
    } catch {
      throw SessionFileError.badPath(path, error)
    }
  }

  /// Checks that there is no other file, which somebody may have written by hand.
  ///
  /// `written` is the file that the session has written there; nil if it hasn't written any.
  func check(orIs written: FileVersion? = nil) throws {
    if let written, FileVersion(of: expandedPath) == written { return }
    do throws(SystemCallError) {
      let content = try DocumentFile.read(
        expandedPath, maximumSize: StateDocument.maximumSize)
      if content.isEmpty { return }
      if let kind, content.starts(with: kind.firstLine.utf8) { return }
    } catch {
      if error.isMissingFile { return }
    }
    throw SessionFileError.other(self)
  }

  /// Writes the whole file, or nothing.
  ///
  /// The app's sandbox may refuse that. `written` is the file that the session has written there, if any.
  func write(_ text: String, with app: ScriptedApp, over written: FileVersion? = nil) throws {
    try check(orIs: written)
    try app.export(text, to: path)
  }

  /// The reason why the file isn't written over, for a message.
  fileprivate var obstacle: String { kind.map { "isn't a \($0.content)" } ?? "is there already" }

  fileprivate var shownPath: String { path.printable(limit: 200) }
}

/// The error for a file that the prompt doesn't write.
typealias SessionFileError = PlainError<SessionOutput>

extension SessionFileError {
  static let noName = Self("no_file_name", "The name of a file is missing.")

  fileprivate static func badPath(_ path: String, _ problem: FilePath.Problem) -> Self {
    Self(
      "bad_file_name", "\(path.printable(limit: 200)): \(problem.reason)")
  }

  fileprivate static func notAScenario(_ file: SessionOutput) -> Self {
    Self(
      "not_a_scenario_file",
      "\(file.shownPath): the name of a scenario file ends in \(ScenarioRecording.fileNameEnd)")
  }

  fileprivate static func other(_ file: SessionOutput) -> Self {
    Self(
      "file_is_other",
      "\(file.shownPath): \(file.obstacle), and would be overwritten: name another file, or remove it"
    )
  }
}
