import PrimereplLoading
import Scenarios
import Scripting
import StateStore

/// A scenario that grows with the session: after each command, its file has all actions since the recording began.
///
/// An undo removes actions from it; a command that ends before the beginning moves the beginning back with it. If the
/// history forgets the beginning, the scenario begins where the history does.
@MainActor
final class RecordingSession {
  /// As the user wrote it.
  private(set) var path: String
  /// Whether the file couldn't be written when that was last tried; everything is kept, for that or another file.
  private(set) var isUnwritten = false

  private let scenario: SessionScenario
  private let store: Store
  /// The number of the action after which the recording begins.
  private var start: Int
  /// The number of expectations that were pinned before the recording began.
  private let earlierExpectationCount: Int
  /// Nil before the file is written.
  private var written: (content: Content, recording: ScenarioRecording)?

  private struct Content: Equatable {
    let start: Int
    let position: Int
    /// The last action in effect, to notice that others replaced undone ones.
    let last: RecordedAction?
    let expectations: [PinnedExpectation]
  }

  /// Begins a recording at the app's present state, without the expectations pinned before.
  init(
    to path: String, of app: ScriptedApp, by scenario: SessionScenario,
    without expectations: [PinnedExpectation] = []
  ) throws {
    // A recording whose file can't be written goes on until another is named, which would never end in a sandbox.
    try app.environment.documents.checkAllowsFiles(for: path)
    try SessionScenario.file(at: path)
    self.path = path
    self.scenario = scenario
    earlierExpectationCount = expectations.count
    store = app.store
    start = store.position
  }

  /// Writes the actions since the beginning, and the expectations of those; nil if the file has them already.
  ///
  /// - Throws: An error if it can't be recorded or written; the recording continues.
  @discardableResult
  func update(expectations: [PinnedExpectation] = []) async throws -> ScenarioRecording? {
    start = max(min(start, store.position), store.reachable.lowerBound)
    let pinned = expectations.dropFirst(earlierExpectationCount).filter { $0.position >= start }
    let content = Content(
      start: start, position: store.position, last: store.contents.action(store.position),
      expectations: pinned)
    let isEmpty = store.position == start && pinned.isEmpty
    guard written.map({ $0.content != content }) ?? !isEmpty else { return nil }
    do {
      let recording = try await scenario.record(
        to: path, actions: start + 1..<store.position + 1, expectations: pinned)
      isUnwritten = false
      written = (content, recording)
      return recording
    } catch {
      isUnwritten = error is ExportError || error is CommandError
      throw error
    }
  }

  /// Continues the recording in another file, which gets all of it.
  func move(to path: String, expectations: [PinnedExpectation] = []) async throws {
    try SessionScenario.file(at: path)
    self.path = path
    written = nil
    try await update(expectations: expectations)
  }

  /// Ends the recording: writes the new actions, and runs the scenario; nil if nothing was recorded.
  func stop(expectations: [PinnedExpectation] = []) async throws -> SessionScenario.Outcome? {
    try await update(expectations: expectations)
    guard let written else { return nil }
    return SessionScenario.Outcome(
      recording: written.recording, failures: try await scenario.run(path))
  }
}
