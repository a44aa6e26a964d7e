import LineEditing
import StateStore

/// Shows what changes at a prompt: after each command what it changed, and what changes by itself as soon as it does.
@MainActor
final class ChangeMonitor {
  /// Whether changes are shown (`.changes off` silences them).
  var isShowing = true

  /// Called after each change, whatever it comes from.
  var whenChanged: @MainActor () -> Void = {}

  /// Called after changes that came by themselves, once they have been gathered and shown.
  var whenReported: @MainActor () -> Void = {}

  private let screen: PromptScreen
  private let activity: ActivityMonitor
  private var isCommandRunning = false
  private var isReportDue = false

  /// The time for which changes are gathered before they are shown in one line.
  private static let gatheringTime = Duration.milliseconds(50)

  /// Watches a store, which has one monitor, for a screen.
  init(of store: Store, on screen: PromptScreen) {
    self.screen = screen
    activity = ActivityMonitor(of: store)
    activity.whenChanged = { [weak self] in MainActor.assumeIsolated { self?.noteChange() } }
  }

  /// Begins a command: what changes until `endCommand` is its own.
  func beginCommand() {
    report(.task)
    isCommandRunning = true
  }

  /// Ends a command, and shows what it changed.
  func endCommand() {
    isCommandRunning = false
    if isShowing { screen.show(activity.summary(columns: screen.size.columns)) }
    activity.begin()
  }

  /// Ends a command whose changes were shown in another way, or dropped.
  func endCommandQuietly() {
    isCommandRunning = false
    activity.begin()
  }

  /// Runs the startup file, and shows what it changed.
  ///
  /// - Parameter run: Runs it.
  func runStartupFile(_ run: () async throws -> Void) async rethrows {
    isCommandRunning = true
    defer {
      isCommandRunning = false
      report(.startupFile)
    }
    try await run()
  }

  /// Reloads the actions of other processes, and shows what they changed.
  ///
  /// - Parameter reload: Reloads them.
  func reload(_ reload: () -> Void) {
    report(.task)
    reload()
    report(.process)
  }

  private func noteChange() {
    whenChanged()
    guard !isCommandRunning, !isReportDue else { return }
    isReportDue = true
    Task {
      do {
        try await Task.sleep(for: Self.gatheringTime)
      } catch {
        // Cancelled: the changes are shown sooner.
      }
      isReportDue = false
      if !isCommandRunning { report(.task) }
    }
  }

  /// Shows what has changed by itself since the last report.
  private func report(_ source: RemoteChange) {
    let lines = activity.remoteChange(by: source, columns: screen.size.columns)
    guard !lines.isEmpty else { return }
    activity.begin()
    whenChanged()
    if isShowing { screen.show(lines) }
    whenReported()
  }
}
