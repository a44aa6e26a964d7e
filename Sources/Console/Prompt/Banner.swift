import PrimereplLineEditing
import PrimereplPlatform
import PrimereplTerminal
import Scripting
import StateStore

/// The lines that the prompt shows when it opens.
@MainActor
enum Banner {
  /// The program's name and how to begin; in a session that continues, also its last action.
  static func lines(
    of console: Console, for app: ScriptedApp, in session: Session?
  ) throws -> [StyledText] {
    var lines = [
      title(of: console),
      StyledText(
        "help() lists the modules, .help the commands; Tab completes, Ctrl-D leaves.", .dim),
    ]
    if let session, session.isRemote {
      lines.append(StyledText("The session is shared: \(session.location.printable)", .dim))
    }
    if session != nil, let last = app.store.lastAction {
      lines.append(continuation(after: last, in: app))
    }
    return lines
  }

  private static func title(of console: Console) -> StyledText {
    guard let app = console.appFiles?.name.printable else {
      return StyledText(console.versionLine, .bold) + StyledText(" drives an app's state from Lua.")
    }
    return StyledText(app, .bold) + StyledText(" runs in \(console.versionLine).")
  }

  private static func continuation(after last: RecordedAction, in app: ScriptedApp) -> StyledText {
    let actions = app.store.reachable.upperBound.counted("action")
    let time = ActionClock().text(last.time)
    let text = app.texts.text(of: last.action).onOneLine
    return StyledText(
      "Continuing the session of \(time), \(actions); last: \(text). .history lists them.", .dim)
  }
}
