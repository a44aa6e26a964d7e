import Scripting
import StateStore

/// A scenario that grows with the session: after each command, its file has all actions since the recording began.
///
/// The scenario has the actions in effect. An undo removes actions from it; one that goes back beyond the beginning
/// moves the beginning back with it. If the history forgets the beginning, the scenario begins where the history does. A
/// reset is an action like any other.
@MainActor
final class RecordingSession {
  /// The path of the file, as the user wrote it.
  private(set) var path: String
  /// Whether the file couldn't be written when that was last tried; everything is kept, for that or another file.
  private(set) var isUnwritten = false

  private let scenario: SessionScenario
  private let store: Store
  /// The number of the action after which the recording begins.
  private var start: Int
  /// The actions before that, to notice when others take their place.
  private var earlier: [RecordedAction]
  /// The number of expectations that were pinned before the recording began.
  private let earlierExpectationCount: Int
  /// What the file has; nil before it is written.
  private var written: (content: Content, recording: ScenarioRecording)?

  private struct Content: Equatable {
    let start: Int
    let position: Int
    /// The last action in effect, which tells whether others took the place of undone ones.
    let last: RecordedAction?
    let expectations: [PinnedExpectation]
  }

  /// Begins a recording, at the app's present state.
  ///
  /// - Parameters:
  ///   - path: A file that ends in `.scenario.lua`, which isn't there yet or has a recorded scenario.
  ///   - app: The app.
  ///   - scenario: Writes and runs the scenario.
  ///   - expectations: What was pinned before, which isn't recorded.
  /// - Throws: Why the file can't be written.
  init(
    to path: String, of app: ScriptedApp, by scenario: SessionScenario,
    without expectations: [PinnedExpectation] = []
  ) throws {
    try scenario.tryWriting(to: path)
    self.path = path
    self.scenario = scenario
    earlierExpectationCount = expectations.count
    store = app.store
    start = store.position
    earlier = Self.actions(of: store, upTo: start)
  }

  private static func actions(of store: Store, upTo number: Int) -> [RecordedAction] {
    let first = store.reachable.lowerBound + 1
    return first > number ? [] : (first...number).compactMap { store.recordedAction($0) }
  }

  /// Writes the actions since the beginning, unless the file has them already.
  ///
  /// - Parameter expectations: All that was pinned, in that order; what was pinned before the recording began is
  ///   ignored.
  /// - Returns: What was written; nil if there was nothing new.
  /// - Throws: Why it can't be recorded or written; the recording continues.
  @discardableResult
  func update(expectations: [PinnedExpectation] = []) async throws -> ScenarioRecording? {
    moveStart()
    let pinned = expectations.dropFirst(earlierExpectationCount).filter { $0.position >= start }
    let content = Content(
      start: start, position: store.position, last: store.recordedAction(store.position),
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
      isUnwritten = error is ExportError || error is SessionFileError
      throw error
    }
  }

  /// Continues the recording in another file, which gets all of it.
  ///
  /// - Parameters:
  ///   - path: A file that ends in `.scenario.lua`, which isn't there yet or has a recorded scenario.
  ///   - expectations: All that was pinned, in that order.
  /// - Throws: Why the file can't be written; the recording continues in the one before.
  func move(to path: String, expectations: [PinnedExpectation] = []) async throws {
    try scenario.tryWriting(to: path)
    self.path = path
    written = nil
    try await update(expectations: expectations)
  }

  /// Ends the recording: writes what is new, and runs the scenario.
  ///
  /// - Returns: What came of it; nil if nothing was done, so that there is no file.
  func stop(expectations: [PinnedExpectation] = []) async throws -> SessionScenario.Outcome? {
    try await update(expectations: expectations)
    guard let written else { return nil }
    return SessionScenario.Outcome(
      recording: written.recording, failures: try await scenario.run(path))
  }

  /// Moves the beginning to where the history is the same as when the recording began.
  private func moveStart() {
    let reachable = store.reachable
    start = min(start, store.position)
    while let action = earlier.last {
      if action.number <= start, store.recordedAction(action.number) == action { break }
      // Forgotten, not replaced.
      if action.number <= reachable.lowerBound { break }
      start = min(start, action.number - 1)
      earlier.removeLast()
    }
    start = max(start, reachable.lowerBound)
  }
}
