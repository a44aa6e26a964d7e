import PrimereplLineEditing
import PrimereplTerminal
import Scripting

/// Shows changes at a prompt: those of a command after it, and those of tasks and other processes at once.
@MainActor
final class ChangeMonitor {
  /// How much of the changes is shown (`.changes`); nil for nothing.
  var detail: ChangeDetail? = .folded

  /// Called after each change.
  var whenChanged: @MainActor () -> Void = {}

  /// Called after changes that no command made have been shown.
  var whenReported: @MainActor () -> Void = {}

  private let screen: PromptScreen
  private let activity: ActivityMonitor
  private var isCommandRunning = false
  private var isReportDue = false

  /// The time for which changes are gathered before they are shown in one line.
  private static let gatheringTime = Duration.milliseconds(50)

  /// Watches the store of an app, which has one monitor, for a screen.
  init(of app: ScriptedApp, on screen: PromptScreen) {
    self.screen = screen
    activity = ActivityMonitor(of: app.store, app.texts)
    activity.whenChanged = { [weak self] in MainActor.assumeIsolated { self?.scheduleReport() } }
  }

  /// Begins a command: what changes until `endCommand` is its own.
  func beginCommand() {
    report(.task)
    isCommandRunning = true
  }

  /// The number of actions that the command has sent.
  var actionCount: Int { activity.actionCount }

  /// Ends a command, and shows what it changed.
  func endCommand() {
    isCommandRunning = false
    if let detail { screen.show(activity.summary(detail, columns: screen.size.columns)) }
    activity.begin()
  }

  /// Ends a command whose changes were shown in another way, or dropped.
  func endCommandQuietly() {
    isCommandRunning = false
    activity.begin()
  }

  /// Runs the startup file, and shows what it changed.
  func runStartupFile(_ run: () async throws -> Void) async rethrows {
    isCommandRunning = true
    defer {
      isCommandRunning = false
      report(.startupFile)
    }
    try await run()
  }

  /// Reloads the actions of other processes, and shows what they changed; while a command runs, that is part of what it
  /// changed.
  ///
  /// - Parameters:
  ///   - reload: Reloads the actions.
  ///   - actions: The actions that were reloaded.
  func reload(_ reload: () -> Void, _ actions: () -> RemoteActions) {
    guard !isCommandRunning else { return reload() }
    report(.task)
    reload()
    report(.process(actions()))
  }

  private func scheduleReport() {
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

  /// Shows the changes since the last report that no command made.
  private func report(_ source: RemoteChange) {
    guard let line = activity.remoteChange(by: source, columns: screen.size.columns) else {
      return
    }
    activity.begin()
    whenChanged()
    if detail != nil { screen.show([line]) }
    whenReported()
  }
}
