import LineEditing
import Scripting
import StateStore

/// The lines that the prompt shows when it opens.
@MainActor
enum Banner {
  /// The program's name and how to begin; in a session that continues, also its last action.
  static func lines(
    of console: Console, for app: ScriptedApp, isSaved: Bool
  ) throws -> [StyledText] {
    var lines = [
      StyledText(console.versionLine, .bold) + StyledText(" drives an app's state from Lua."),
      StyledText(
        "help() lists the modules, .help the commands; Tab completes, Ctrl-D leaves.", .dim),
    ]
    if isSaved, let last = try app.store.history(last: 1).first {
      lines.append(continuation(after: last, in: app))
    }
    return lines
  }

  private static func continuation(after last: HistoryEntry, in app: ScriptedApp) -> StyledText {
    let actions = app.store.reachable.upperBound.counted("action")
    let time = ActionClock().text(last.recorded.time)
    let text = app.texts.text(of: last.recorded.action).onOneLine
    return StyledText(
      "Continuing the session of \(time), \(actions); last: \(text). .history lists them.", .dim)
  }
}
