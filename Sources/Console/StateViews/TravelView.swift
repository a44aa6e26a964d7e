import LineEditing
import StateStore

/// Time travel by keys: shows the states after the actions of a history, without sending anything to the store.
///
///     ├────●───┤ 7 of 12
///     #7  14:03:11  counter.increment()
///     counter.count 6 → 7
///       counter.count 7
///       #favorites 3
///     ←/→ one action · ↑/↓ ten · n/N change · / find · Enter stays · Escape returns
struct TravelView {
  /// What a key led to.
  enum Outcome: Equatable, Sendable {
    /// The view may have changed.
    case moved
    /// Enter: the caller jumps to the action with this number.
    case stays(Int)
    /// Escape: nothing has happened.
    case returns
  }

  /// The number of the action whose state is shown.
  private(set) var position: Int

  private let store: Store
  private var reader: HistoryReader
  private var series: HistorySeries
  /// What is shown of each state.
  private let watched: [StateExpression]
  private let showsWatched: Bool
  private let clock: ActionClock
  private var point: Point
  private var search = Search()
  private var message = ""

  /// What is known of the state at the position.
  private struct Point {
    var states: States
    var changes: [String] = []
  }

  /// The search for an action by its text.
  private struct Search {
    /// What is being typed; nil if nothing is.
    var input: String?
    /// What was found last.
    var last = ""
  }

  /// Begins at the present.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - watched: The paths of the values to show, and `#` with those of lists; if empty, the fields that changed within the
  ///     history.
  /// - Throws: ``StatePathError`` for an unknown path, or a reducer's error, which a deterministic reducer doesn't throw.
  /// - Complexity: O(actions + records that they changed).
  init(_ store: Store, watched: [String] = []) throws {
    try self.init(store, watched: watched, clock: ActionClock())
  }

  init(_ store: Store, watched: [String], clock: ActionClock) throws {
    self.store = store
    self.clock = clock
    showsWatched = !watched.isEmpty
    reader = store.historyReader
    position = reader.position
    let fields = try Timeline.fields(at: watched, store.schema)
    series = try HistorySeries(reader, of: fields)
    var expressions: [StateExpression] = []
    for field in fields { expressions.append(try StateExpression(field.name, in: store.schema)) }
    self.watched = expressions
    point = Point(states: store.states)
    try show(position)
  }

  /// Reads the history again, which tasks and other processes may have changed.
  ///
  /// - Throws: A reducer's error, which a deterministic reducer doesn't throw.
  mutating func reload() throws {
    reader = store.historyReader
    series = try HistorySeries(
      reader,
      of: watched.flatMap { expression in
        expression.fields.map { (expression.text, $0) }
      })
    try show(min(max(position, reader.reachable.lowerBound), reader.reachable.upperBound))
  }

  // MARK: - Keys

  /// Handles a key: the arrow keys, Page Up and Down, Home and End move; n and N go to the next and the previous
  /// change of a watched value; / finds; Enter stays, and Escape returns.
  mutating func handle(_ key: Key) -> Outcome {
    message = ""
    if let input = search.input { return find(input, key) }
    switch key {
    case .left: move(to: position - 1)
    case .right: move(to: position + 1)
    case .up, .pageUp: move(to: position - 10)
    case .down, .pageDown: move(to: position + 10)
    case .home: move(to: reader.reachable.lowerBound)
    case .end: move(to: reader.reachable.upperBound)
    case .character("n"): moveToChange(isNext: true)
    case .character("N"): moveToChange(isNext: false)
    case .character("/"): search.input = ""
    case .enter: return .stays(position)
    case .escape, .character("q"), .control("c"), .control("d"): return .returns
    default: break
    }
    return .moved
  }

  private mutating func move(to number: Int) {
    let number = min(max(number, reader.reachable.lowerBound), reader.reachable.upperBound)
    guard number != position else { return }
    do {
      try show(number)
    } catch {
      message = "\(error)"
    }
  }

  private mutating func show(_ number: Int) throws {
    let states = try reader.states(after: number)
    var changes: [String] = []
    if reader.numbers.contains(number) {
      changes =
        ChangeText(from: try reader.states(after: number - 1), to: states, store.schema).phrases
    }
    point = Point(states: states, changes: changes)
    position = number
  }

  private mutating func moveToChange(isNext: Bool) {
    let numbers = series.fields.compactMap {
      isNext ? $0.nextChange(after: position) : $0.lastChange(before: position)
    }
    if let number = isNext ? numbers.min() : numbers.max() {
      move(to: number)
    } else {
      message = isNext ? "no later change" : "no earlier change"
    }
  }

  // MARK: - Finding

  /// Handles a key while the text to find is typed.
  private mutating func find(_ input: String, _ key: Key) -> Outcome {
    switch key {
    case .character(let character): search.input = input + String(character)
    case .paste(let text): search.input = input + text
    case .backspace where input.isEmpty: search.input = nil
    case .backspace: search.input = String(input.dropLast())
    case .escape, .control("c"), .control("g"): search.input = nil
    case .control("u"): search.input = ""
    case .enter:
      search.input = nil
      // As in vi, an empty text finds the last one again.
      if !input.isEmpty { search.last = input }
      findNext()
    default: break
    }
    return .moved
  }

  /// Goes to the next action whose text contains the text to find; after the last one comes the first.
  private mutating func findNext() {
    let text = search.last
    guard !text.isEmpty else { return }
    let later = reader.numbers.filter { $0 > position }
    let earlier = reader.numbers.filter { $0 <= position }
    let found = (later + earlier).first { number in
      reader.action(number)?.action.luaText.range(of: text, options: .caseInsensitive) != nil
    }
    if let found {
      move(to: found)
    } else {
      message = "no action contains \(text.shown(limit: 40, quoted: true))"
    }
  }

  // MARK: - Showing

  /// The rows: at most as many as the screen has, and at most as wide.
  func rows(in size: ScreenSize) -> [StyledText] {
    var rows = [slider(size.columns), action()]
    rows += WrappedPhrases(heading: "", point.changes).lines(columns: size.columns, limit: 2)
      .map { StyledText($0, .dim) }
    let room = max(0, size.rows - rows.count - 1)
    let values = values(size.columns)
    if values.count <= room {
      rows += values
    } else if room > 0 {
      rows += values.prefix(room - 1)
      rows.append(StyledText("  ... \((values.count - room + 1).grouped) more", .dim))
    }
    rows.append(footer)
    return rows.prefix(max(1, size.rows)).map { $0.fitted(to: size.columns) }
  }

  private func slider(_ columns: Int) -> StyledText {
    let range = reader.reachable
    let label = " \(position) of \(range.upperBound)"
    let width = max(1, min(60, columns - label.count - 2))
    let steps = max(1, range.count - 1)
    let column = (position - range.lowerBound) * (width - 1) / steps
    let line = String(repeating: "─", count: column)
    let rest = String(repeating: "─", count: width - 1 - column)
    return StyledText("├" + line) + StyledText("●", Style(.cyan, bold: true))
      + StyledText(rest + "┤", .dim) + StyledText(label, .bold)
  }

  private func action() -> StyledText {
    guard let recorded = reader.action(position) else {
      return StyledText("#\(position)  the beginning of the history")
    }
    return StyledText("#\(position)  ", .bold)
      + StyledText("\(clock.text(recorded.time))  ", .dim) + recorded.styledText()
  }

  /// The watched values, those that the action changed in bold.
  private func values(_ columns: Int) -> [StyledText] {
    zip(watched, series.fields).compactMap { expression, field in
      guard showsWatched || field.hasChanged else { return nil }
      let value = expression.shownValue(in: point.states, limit: max(20, columns))
      let isChanged = field.lastChange(before: position + 1) == position
      return StyledText("  \(expression.text) ", .dim)
        + StyledText(value, isChanged ? .bold : .plain)
    }
  }

  private var footer: StyledText {
    if let input = search.input {
      return StyledText("/" + input.shown(limit: 200)) + StyledText(" ", Style(inverse: true))
    }
    guard message.isEmpty else { return StyledText(message, Style(.yellow)) }
    return StyledText(
      "←/→ one action · ↑/↓ ten · n/N change · / find · Enter stays · Escape returns", .dim)
  }
}
