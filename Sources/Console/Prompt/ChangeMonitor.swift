import PrimereplLineEditing
import PrimereplTerminal
import Scripting
import StateStore

/// Shows changes at a prompt: those of a command after it, and those of tasks and other processes at once.
@MainActor
final class ChangeMonitor {
  /// Set by `.changes`; nil shows no changes.
  var detail: ChangeDetail? = .folded

  var whenChanged: @MainActor () -> Void = {}

  /// Called after changes that no command made have been shown.
  var whenReported: @MainActor () -> Void = {}

  private let screen: PromptScreen
  private let store: Store
  private let texts: ActionTexts
  /// The store when the command began, or when changes were last shown.
  private var start: ChangeBaseline
  private var isCommandRunning = false
  private var isReportDue = false

  /// The time for which changes are gathered before they are shown in one line.
  private static let gatheringTime = Duration.milliseconds(50)

  /// An app has one monitor.
  init(of app: ScriptedApp, on screen: PromptScreen) {
    (self.screen, store, texts) = (screen, app.store, app.texts)
    start = ChangeBaseline(of: app.store)
    store.observeEvents { [weak self] event in MainActor.assumeIsolated { self?.record(event) } }
  }

  /// Changes until `endCommand` are the command's own.
  func beginCommand() {
    report(.task)
    // Actions of tasks that changed nothing in the end aren't reported, nor are they the command's.
    start = ChangeBaseline(of: store)
    isCommandRunning = true
  }

  /// The number of actions that the command has sent.
  var actionCount: Int { start.actions }

  /// Shows what the command changed.
  func endCommand() {
    isCommandRunning = false
    if let detail {
      let summary = ChangeSummary(since: start, in: store, texts, detail)
      screen.show(summary.lines(columns: screen.size.columns))
    }
    start = ChangeBaseline(of: store)
  }

  /// Ends a command whose changes were shown in another way, or dropped.
  func endCommandQuietly() {
    isCommandRunning = false
    start = ChangeBaseline(of: store)
  }

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
  func reload(_ reload: () throws -> Void, _ actions: () -> RemoteActions) rethrows {
    guard !isCommandRunning else { return try reload() }
    report(.task)
    defer { report(.process(actions())) }
    try reload()
  }

  private func record(_ event: StoreEvent) {
    start.record(event)
    scheduleReport()
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
    let columns = screen.size.columns
    guard let line = source.line(since: start, in: store, texts, columns: columns) else { return }
    start = ChangeBaseline(of: store)
    whenChanged()
    if detail != nil { screen.show([line]) }
    whenReported()
  }
}
