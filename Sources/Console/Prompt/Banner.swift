import Foundation
import LineEditing
import StateStore

/// What the prompt says when it opens.
@MainActor
enum Banner {
  /// What this is and how to begin; in a session that continues, also when it was left and what was last done.
  ///
  /// - Parameters:
  ///   - store: The session's store.
  ///   - isSaved: Whether the session is in a file.
  ///   - columns: The width of the screen.
  ///   - now: The time.
  /// - Returns: Two lines, or three if the session continues.
  /// - Throws: Why the history can't be read.
  static func lines(
    for store: Store, isSaved: Bool, columns: Int, now: Date = .now
  ) throws -> [StyledText] {
    let console = Console.current
    let title = [console.versionLine, "\(console.name) \(console.version)"].map {
      StyledText($0, .bold) + StyledText(" drives an app's state from Lua.")
    }
    var lines = [
      // The version of Lua is left out where there is no room for it.
      title[title[0].columns <= columns ? 0 : 1],
      StyledText(
        "help() lists the modules, .help the commands; Tab completes, Ctrl-D leaves.", .dim),
    ]
    if isSaved, let last = try store.history(last: 1).first {
      lines.append(continuation(after: last, in: store, now))
    }
    return lines
  }

  private static func continuation(
    after last: HistoryEntry, in store: Store, _ now: Date
  ) -> StyledText {
    let time = last.recorded.time
    let isToday = Calendar.current.isDate(time, inSameDayAs: now)
    let format: Date.VerbatimFormatStyle = .init(
      format: isToday
        ? "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)"
        : "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
      timeZone: .current, calendar: .current)
    let count = store.reachable.upperBound
    let actions = count == 1 ? "1 action" : "\(count) actions"
    let text = last.recorded.action.luaText.onOneLine
    return StyledText(
      "Continuing the session of \(isToday ? "today " : "")\(time.formatted(format)), \(actions); last: "
        + "\(text). .history lists them.", .dim)
  }
}
