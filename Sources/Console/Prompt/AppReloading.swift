import LineEditing
import Platform
import Scripting
import StateStore

extension DotCommand {
  /// Reloading the files of an app.
  static let reloading = [
    DotCommand(
      "reload", help: "Loads the files of --app again, and repeats the history with their code."
    ) { prompt, _ in try prompt.reloadApp(droppingRefusals: false) },
    DotCommand("reload!", help: "Reloads, and drops the actions that the new code refuses.") {
      prompt, _ in try prompt.reloadApp(droppingRefusals: true)
    },
  ]
}

extension Prompt {
  /// The number of refused actions that are shown.
  private static let shownRefusals = 10

  /// Reloads the files of the app, and shows what is different now.
  ///
  /// - Throws: What is wrong with the files; then the session is as it was.
  func reloadApp(droppingRefusals: Bool) throws {
    let (earlier, count) = (store.snapshot, store.reachable.count - 1)
    monitor.beginCommand()
    defer { monitor.endCommandQuietly() }
    let reloaded = try interpreter.reloadApp(droppingRefusals: droppingRefusals)
    guard reloaded.refusals.isEmpty || droppingRefusals else { return show(reloaded.refusals) }
    formatter.use(interpreter.app.modules)
    let repeated = count - reloaded.refusals.count
    let dropped = reloaded.refusals.count
    screen.note(
      "reloaded; \(repeated.counted("action")) repeated"
        + (dropped == 0 ? "" : ", \(dropped.counted("action")) dropped"))
    screen.show(StateDiff(from: earlier, to: store.snapshot).lines(in: screen.size))
    reloadTravelView()
  }

  private func show(_ refusals: [ReloadedHistory.Refusal]) {
    let texts = interpreter.app.texts
    for refusal in refusals.prefix(Self.shownRefusals) {
      let reason = (refusal.reason as? any CodedError)?.message ?? "\(refusal.reason)"
      screen.report([
        StyledText("#\(refusal.number) \(texts.text(of: refusal.action)): \(reason)", .error)
          .fitted(to: screen.size.columns * 2)
      ])
    }
    let rest = refusals.count - Self.shownRefusals
    if rest > 0 { screen.note("and \(rest) more") }
    screen.note(
      "the new code refuses \(refusals.count.counted("action")), so nothing was reloaded; "
        + ".reload! drops \(refusals.count == 1 ? "it" : "them")")
  }

  /// Reloads the app if its files have changed since the last call; for `--watch`.
  func reloadChangedApp() {
    guard let watcher = interpreter.appWatcher, watcher.takeChange() else { return }
    do {
      try reloadApp(droppingRefusals: false)
    } catch {
      show(error, of: "")
    }
  }
}

/// Notices changes of the files of an app.
@MainActor
final class AppWatcher {
  private var versions: [String: FileVersion] = [:]

  /// Watches files from now on.
  init(_ paths: [String]) { add(paths) }

  /// Whether a file has changed since the last call.
  func takeChange() -> Bool {
    let now = Dictionary(uniqueKeysWithValues: versions.keys.map { ($0, FileVersion(of: $0)) })
    defer { versions = now }
    // A file that is being replaced may be missing for a moment.
    return now != versions && !now.values.contains(.missing)
  }

  /// Watches other files, too.
  func add(_ paths: [String]) {
    for path in paths where versions[path] == nil { versions[path] = FileVersion(of: path) }
  }
}
