package import PrimereplFoundation
package import PrimereplLineEditing
package import Scripting
package import StateStore

/// The history of a store, a line for each action.
///
///       ... 9,950 earlier
///       11  14:03:10  favorites.add(7)       favorites +7
///     ▸ 12  14:03:11  counter.increment()    counter.count 7 → 8
///       13  14:03:12  counter.increment()    counter.count 8 → 9
///
/// In a shared session, the user and host of each action stand after its time: `14:03:10  anna@laptop`.
package struct HistoryListing {
  package enum Filter: Equatable, Sendable {
    /// As many of the last as fit on the screen.
    case all
    case last(Int)
    /// Those whose text contains a text, without regard to case.
    case containing(String)

    /// Reads the argument of `.history`: nothing, a number, or a text.
    package init(_ argument: String) {
      let argument = argument.trimmingWhitespace
      if argument.isEmpty {
        self = .all
      } else if let count = Int(argument), count >= 0 {
        self = .last(count)
      } else {
        self = .containing(argument)
      }
    }
  }

  private let schema: StoreSchema
  private let history: StoreContents
  private let texts: ActionTexts
  private let clock: ActionClock

  /// Actions of another day than `now` are shown with their date.
  package init(_ store: Store, _ texts: ActionTexts, now: Date = Date()) {
    schema = store.schema
    self.texts = texts
    history = store.contents
    clock = ActionClock(now: now)
  }

  /// The lines, the newest action last.
  ///
  /// - Complexity: O(actions since the first shown one + records that they changed), plus O(actions) for a text.
  package func lines(_ filter: Filter = .all, in size: ScreenSize) throws -> [StyledText] {
    let found = found(filter)
    let shown = window(found, filter, size)
    guard !shown.isEmpty else {
      return [StyledText(emptyText(filter), .dim).fitted(to: size.columns)]
    }
    var rows: [Row] = []
    if shown.first == history.numbers.first, history.position < history.numbers.lowerBound {
      rows.append(startRow)
    }
    try history.forEachStep(shown) { number, old, new in
      guard let recorded = history.action(number) else { return }
      rows.append(row(recorded, changes: ChangeText(from: old, to: new, schema)))
    }
    let lines = aligned(rows, columns: size.columns)
    func others(_ count: Int, _ word: String) -> [StyledText] {
      guard count > 0 else { return [] }
      return [StyledText("  ... \(count.grouped) \(word)", .dim).fitted(to: size.columns)]
    }
    return others(shown.startIndex, "earlier") + lines
      + others(found.endIndex - shown.endIndex, "later")
  }

  /// The numbers of the actions that fit on the screen: the last ones, or those around the present.
  private func window(_ found: [Int], _ filter: Filter, _ size: ScreenSize) -> ArraySlice<Int> {
    if case .last = filter { return found[...] }
    // Rows for the input, the numbers of earlier and later actions, and the next prompt.
    let count = max(1, size.rows - 4)
    let last = found.suffix(count)
    guard filter == .all, let first = last.first, history.position < first else { return last }
    let end = min(
      found.count, max(count, history.position - history.numbers.lowerBound + count / 2))
    return found[(end - min(end, count))..<end]
  }

  private func aligned(_ rows: [Row], columns: Int) -> [StyledText] {
    let numberWidth = rows.map(\.number.columns).max() ?? 0
    let timeWidth = rows.map(\.time.columns).max() ?? 0
    let actionWidth = min(rows.map(\.action.columns).max() ?? 0, max(20, columns / 3))
    let space = StyledText("  ")
    return rows.map { row in
      let padding = String(repeating: " ", count: numberWidth - row.number.columns)
      let start = row.mark + StyledText(padding) + row.number + space
      let line = start + row.time.padded(to: timeWidth) + space
      let action = row.action.fitted(to: actionWidth)
      guard !row.changes.isEmpty else { return (line + action).fitted(to: columns) }
      return (line + action.padded(to: actionWidth) + space + row.changes).fitted(to: columns)
    }
  }

  private func found(_ filter: Filter) -> [Int] {
    switch filter {
    case .all: Array(history.numbers)
    case .last(let count): Array(history.numbers.suffix(count))
    case .containing(let text):
      history.numbers.filter { number in
        let action = history.action(number)
        return texts.text(of: action, contains: text) || action?.author?.contains(text) == true
      }
    }
  }

  private func emptyText(_ filter: Filter) -> String {
    guard case .containing(let text) = filter, !history.numbers.isEmpty else {
      return "The history is empty."
    }
    return "No action contains \(text.quoted(limit: 40))."
  }

  private struct Row {
    let mark: StyledText
    let number: StyledText
    let time: StyledText
    let action: StyledText
    let changes: StyledText
  }

  private func row(_ recorded: RecordedAction, changes: ChangeText) -> Row {
    let isCurrent = recorded.number == history.position
    let style: Style = recorded.number > history.position ? .dim : .plain
    return Row(
      mark: StyledText(isCurrent ? "▸ " : "  ", .bold),
      number: StyledText("\(recorded.number)", isCurrent ? .bold : style),
      time: StyledText(clock.text(of: recorded), .dim),
      action: texts.styledText(of: recorded, in: style),
      changes: StyledText(changes.line, .dim))
  }

  /// The beginning of the history, when all of it is undone.
  private var startRow: Row {
    Row(
      mark: StyledText("▸ ", .bold), number: StyledText("\(history.position)", .bold),
      time: StyledText(), action: StyledText("the beginning"), changes: StyledText())
  }
}

package struct ActionClock {
  private static let day = "%Y-%m-%d"
  private let today: String

  package init(now: Date = Date()) { today = now.localTime(Self.day) }

  /// The time of an action and, in a shared session, its user and host.
  package func text(of recorded: RecordedAction) -> String {
    text(recorded.time) + (recorded.author.map { "  \($0.printable(limit: 40))" } ?? "")
  }

  /// The time of day for today, such as "14:03:11", else the date, such as "2026-11-22".
  package func text(_ time: Date) -> String {
    let day = time.localTime(Self.day)
    return day == today ? time.localTime("%H:%M:%S") : day
  }
}
