import Lua
import PrimereplLineEditing
import PrimereplPlatform
import PrimereplTerminal
import Scripting
import StateStore

extension DotCommand {
  static let reloading = [
    DotCommand(
      "reload", help: "Loads the files of --app again; the state and the history stay as they are."
    ) { prompt, _ in try prompt.reloadApp() },
    DotCommand(
      "replay", help: "Shows what today's code would make of the history; .replay! takes that."
    ) { prompt, _ in try prompt.replay(isKept: false) },
    DotCommand("replay!", help: "Takes what today's code makes of the history, as one action.") {
      prompt, _ in try prompt.replay(isKept: true)
    },
  ]
}

extension Prompt {
  private static let shownRefusals = 10

  /// Reloads the files of the app, and shows what is different now: what was derived from the state, or migrated.
  ///
  /// - Throws: The error in the files; the session is then as before.
  func reloadApp() throws {
    let earlier = store.schema.summary(of: store.states)
    monitor.beginCommand()
    defer { monitor.endCommandQuietly() }
    try interpreter.reloadApp()
    formatter.setModules(interpreter.app.modules)
    screen.showNote("reloaded")
    let later = store.schema.summary(of: store.states)
    screen.show(StateDiff(from: earlier, to: later).lines(in: screen.size))
    reloadTravelView()
  }

  /// Does the actions of the history again, and shows what would be, or is, different then.
  ///
  /// If `isKept`, the session continues with the result.
  fileprivate func replay(isKept: Bool) throws {
    let replayed = try store.replayed { ($0 as? LuaError)?.isStop == true }
    show(replayed.refusals)
    let (count, refused) = (replayed.count, replayed.refusals.count)
    let differences = StateDiff(from: store.states, to: replayed.states, store.schema)
    screen.showNote(
      "\(count.counted("action")) replayed"
        + (refused == 0 ? "" : ", of which today's code refuses \(refused)")
        + (differences.isEmpty ? ": nothing is different" : ""))
    guard !differences.isEmpty else { return }
    if isKept {
      monitor.beginCommand()
      defer { monitor.endCommand() }
      try store.send(.restore(replayed.states, source: nil))
    } else {
      screen.show(differences.lines(in: screen.size))
      screen.showNote("nothing was changed; .replay! takes this")
    }
  }

  private func show(_ refusals: [ReplayedHistory.Refusal]) {
    let texts = interpreter.app.texts
    for refusal in refusals.prefix(Self.shownRefusals) {
      let reason = (refusal.reason as? any CodedError)?.message ?? "\(refusal.reason)"
      screen.report([
        StyledText("#\(refusal.number) \(texts.text(of: refusal.action)): \(reason)", .error)
          .fitted(to: screen.size.columns * 2)
      ])
    }
    let rest = refusals.count - Self.shownRefusals
    if rest > 0 { screen.showNote("and \(rest) more") }
  }

  /// Reloads the app if its files have changed since the last call; for `--watch`.
  func reloadChangedApp() {
    guard let watcher = interpreter.appWatcher, watcher.takeChange() else { return }
    do {
      try reloadApp()
    } catch {
      show(error, of: "")
    }
  }
}

@MainActor
final class AppWatcher {
  private var versions: [String: FileVersion] = [:]

  init(_ paths: [String]) { add(paths) }

  /// Whether a file has changed since the last call.
  func takeChange() -> Bool {
    let now = Dictionary(uniqueKeysWithValues: versions.keys.map { ($0, FileVersion(of: $0)) })
    defer { versions = now }
    // A file that is being replaced may be missing for a moment.
    return now != versions && !now.values.contains(.missing)
  }

  func add(_ paths: [String]) {
    for path in paths where versions[path] == nil { versions[path] = FileVersion(of: path) }
  }
}
