import Foundation
import Platform
import Scenarios
import Scripting
import StateStore

/// Writes the history of an app as a scenario, and runs that at once on a fresh app.
@MainActor
struct SessionScenario {
  private let app: ScriptedApp
  private let worker: [String]

  /// - Parameters:
  ///   - app: The app.
  ///   - worker: The path of the program and its arguments that make it a worker: see `ScenarioWorker`.
  init(
    of app: ScriptedApp, worker: [String] = [CurrentProcess.executable, ScenarioWorkerCommand.name]
  ) {
    self.app = app
    self.worker = worker
  }

  /// What came of a scenario.
  struct Outcome: Equatable {
    /// What was recorded.
    let recording: ScenarioRecording
    /// Why it failed, as texts of one or more lines; nothing if it passed.
    let failures: [String]

    /// One line, such as "7 actions, 1 expectation: passed".
    var summary: String {
      let (actions, expectations) = (recording.actionCount, recording.expectationCount)
      let parts = [
        "\(actions) action\(actions == 1 ? "" : "s")",
        expectations > 0 ? "\(expectations) expectation\(expectations == 1 ? "" : "s")" : nil,
      ]
      return parts.compactMap(\.self).joined(separator: ", ")
        + (failures.isEmpty ? ": passed" : ": failed")
    }
  }

  /// Writes a scenario, and runs it in a process of its own.
  ///
  /// - Parameters:
  ///   - path: A file that ends in `.scenario.lua`, which isn't there yet or has a recorded scenario.
  ///   - actions: The numbers of the actions, in effect or undone; nil for all in effect.
  ///   - expectations: What was pinned.
  /// - Returns: What came of it.
  /// - Throws: Why it can't be recorded, written, or run; `CancellationError` if the task was cancelled.
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
    let file = try Self.file(at: path)
    guard let name = ScenarioRecording.name(forFile: path) else {
      throw SessionFileError.notAScenario(file)
    }
    try file.check()
    let recording = try await app.scenario(
      named: name, actions: actions, expectations: expectations)
    try file.write(recording.text, with: app)
    return recording
  }

  /// Checks that a scenario can be recorded in a file, which is left as it is.
  ///
  /// - Throws: Why it can't be written.
  func tryWriting(to path: String) throws {
    let file = try Self.file(at: path)
    guard ScenarioRecording.name(forFile: path) != nil else {
      throw SessionFileError.notAScenario(file)
    }
    try file.tryWriting(with: app)
  }

  private static func file(at path: String) throws -> SessionOutput {
    try SessionOutput(
      path, firstLine: ScenarioRecording.firstLine, content: "recorded scenario")
  }

  /// Runs a scenario file on a fresh app.
  ///
  /// - Returns: Why it failed; nothing if it passed.
  /// - Throws: `CancellationError` if the task was cancelled; or why no process can be started.
  func run(_ path: String) async throws -> [String] {
    var options = RunOptions()
    options.paths = [try SessionOutput.expanded(path)]
    let collector = FailureCollector()
    let runner = ScenarioRunner(
      program: Console.current.name, worker: worker, options: options, collecting: collector)
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
  private let path: String
  private let expandedPath: String
  private let firstLine: String
  fileprivate let content: String

  /// - Parameters:
  ///   - path: The path that the user wrote.
  ///   - firstLine: The line that each file of this kind begins with.
  ///   - content: What such a file has, for messages.
  /// - Throws: ``SessionFileError`` if the path can't be one.
  init(_ path: String, firstLine: String, content: String) throws {
    expandedPath = try Self.expanded(path)
    (self.path, self.firstLine, self.content) = (path, firstLine, content)
  }

  /// The path that a user means.
  static func expanded(_ path: String) throws -> String {
    guard !path.isEmpty else { throw SessionFileError.noName }
    do throws(FilePath.Problem) {
      return try FilePath.expanding(path)
    } catch {
      throw SessionFileError.badPath(path, error)
    }
  }

  /// Checks that there is no other file, which somebody may have written by hand.
  func check() throws { _ = try ownContent() }

  /// What the file has; nil if it isn't there.
  private func ownContent() throws -> Data? {
    do throws(DocumentFile.Problem) {
      let content = try DocumentFile.read(expandedPath, maximumSize: StateDocument.maximumSize)
      if content.isEmpty || content.starts(with: firstLine.utf8) { return content }
    } catch {
      if error == .notFound { return nil }
    }
    throw SessionFileError.other(self)
  }

  /// Checks that the file can be written, by writing what it has; if it isn't there, it isn't afterwards.
  ///
  /// Only that tells whether the app may, the folder is there, and its file system takes files.
  func tryWriting(with app: ScriptedApp) throws {
    guard let content = try ownContent() else {
      try app.export(firstLine, to: path)
      StateFile.resolved(expandedPath).withSystemBytes { _ = unlink($0) }
      return
    }
    // Without its text it isn't as it was written, and is replaced when there is something to write.
    if let text = String(validating: content, as: UTF8.self) { try app.export(text, to: path) }
  }

  /// Writes the whole file, or nothing.
  func write(_ text: String, with app: ScriptedApp) throws {
    try check()
    try app.export(text, to: path)
  }

  /// The path in messages.
  fileprivate var shownPath: String { ExternalText.quoted(path.shownSystemText) }
}

/// Why the prompt doesn't write a file for its user.
typealias SessionFileError = PlainError<SessionOutput>

extension SessionFileError {
  static let noName = Self("no_file_name", "The name of a file is missing.")

  fileprivate static func badPath(_ path: String, _ problem: FilePath.Problem) -> Self {
    Self(
      "bad_file_name", "\(ExternalText.quoted(path.shownSystemText)): \(problem.reason)")
  }

  fileprivate static func notAScenario(_ file: SessionOutput) -> Self {
    Self(
      "not_a_scenario_file",
      "\(file.shownPath): the name of a scenario file ends in \(ScenarioRecording.fileNameEnd)")
  }

  fileprivate static func other(_ file: SessionOutput) -> Self {
    Self(
      "file_is_other",
      "\(file.shownPath): isn't a \(file.content), and would be overwritten: name another file, or remove it"
    )
  }
}
