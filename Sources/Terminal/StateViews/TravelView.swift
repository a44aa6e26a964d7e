package import PrimereplLineEditing
import PrimereplPlatform
package import Scripting
package import StateStore

/// Time travel by keys: shows the states after the actions of a history, without sending anything to the store.
///
///     ├────●───┤ 7 of 12
///     #7  14:03:11  counter.increment()
///     counter.count 6 → 7
///       counter.count 7
///       #favorites 3
///     ←/→ one action · ↑/↓ ten · n/N change · / find · Enter: go here · Esc: go back
package struct TravelView {
  /// The effect of a key.
  package enum Outcome: Equatable, Sendable {
    /// The view may have changed.
    case moved
    /// Enter: the caller jumps to the action with this number.
    case stays(Int)
    /// Escape: nothing has happened.
    case returns
  }

  /// The number of the action whose state is shown.
  package private(set) var position: Int

  private let store: Store
  private let texts: ActionTexts
  private var history: StoreContents
  /// The numbers of the actions that changed each watched value.
  private var changeNumbers: [[Int]]
  private let watched: [StateExpression]
  private let shouldShowWatched: Bool
  private let clock: ActionClock
  private var states: States
  /// The changes that led to `states`.
  private var changes: [String] = []
  /// The text to find while it is typed; nil while none is.
  private var searchInput: String?
  private var lastSearch = ""
  private var message = ""

  /// Begins at the present, with the values at some paths, or the fields that changed if there is no path.
  ///
  /// - Complexity: O(actions + records that they changed).
  package init(
    _ store: Store, _ texts: ActionTexts, watched: [String] = [],
    clock: ActionClock = ActionClock()
  ) throws {
    (self.store, self.texts) = (store, texts)
    self.clock = clock
    shouldShowWatched = !watched.isEmpty
    history = store.contents
    position = history.position
    self.watched = try (watched.isEmpty ? [""] : watched).flatMap { path in
      let expression = try StateExpression(path, in: store.schema)
      return expression.onlyField != nil
        ? [expression]
        : try expression.fields.map { try StateExpression($0.path, in: store.schema) }
    }
    changeNumbers = try Self.changeNumbers(of: self.watched, history)
    states = store.states
    try show(position)
  }

  /// Reads the history again, which tasks and other processes may have changed.
  package mutating func reload() throws {
    history = store.contents
    changeNumbers = try Self.changeNumbers(of: watched, history)
    try show(min(max(position, history.reachable.lowerBound), history.reachable.upperBound))
  }

  private static func changeNumbers(
    of watched: [StateExpression], _ history: StoreContents
  ) throws -> [[Int]] {
    var numbers: [[Int]] = watched.map { _ in [] }
    try history.forEachChange(of: watched.flatMap(\.fields)) { number, index in
      numbers[index].append(number)
    }
    return numbers
  }

  // MARK: - Keys

  package mutating func handle(_ key: Key) -> Outcome {
    message = ""
    if let input = searchInput { return find(input, key) }
    switch key {
    case .left: move(to: position - 1)
    case .right: move(to: position + 1)
    case .up, .pageUp: move(to: position - 10)
    case .down, .pageDown: move(to: position + 10)
    case .home: move(to: history.reachable.lowerBound)
    case .end: move(to: history.reachable.upperBound)
    case .character("n"): moveToChange(isNext: true)
    case .character("N"): moveToChange(isNext: false)
    case .character("/"): searchInput = ""
    case .enter: return .stays(position)
    case .escape, .character("q"), .control("c"), .control("d"): return .returns
    default: break
    }
    return .moved
  }

  private mutating func move(to number: Int) {
    let number = min(max(number, history.reachable.lowerBound), history.reachable.upperBound)
    guard number != position else { return }
    do {
      try show(number)
    } catch {
      message = error.userMessage
    }
  }

  private mutating func show(_ number: Int) throws {
    let new = try history.states(after: number)
    changes = []
    if history.numbers.contains(number) {
      let old = try history.states(after: number - 1)
      changes = ChangeText(from: old, to: new, store.schema).phrases
    }
    (position, states) = (number, new)
  }

  private mutating func moveToChange(isNext: Bool) {
    let numbers = changeNumbers.compactMap { numbers in
      isNext ? numbers.first { $0 > position } : numbers.last { $0 < position }
    }
    if let number = isNext ? numbers.min() : numbers.max() {
      move(to: number)
    } else {
      message = isNext ? "no later change" : "no earlier change"
    }
  }

  // MARK: - Finding

  private mutating func find(_ input: String, _ key: Key) -> Outcome {
    switch key {
    case .character(let character): searchInput = input + String(character)
    case .paste(let text): searchInput = input + text
    case .backspace where input.isEmpty: searchInput = nil
    case .backspace: searchInput = String(input.dropLast())
    case .escape, .control("c"), .control("g"): searchInput = nil
    case .control("u"): searchInput = ""
    case .enter:
      searchInput = nil
      // As in vi, an empty text finds the last one again.
      if !input.isEmpty { lastSearch = input }
      findNext()
    default: break
    }
    return .moved
  }

  /// Goes to the next action whose text contains the text to find; after the last one comes the first.
  private mutating func findNext() {
    let text = lastSearch
    guard !text.isEmpty else { return }
    let later = history.numbers.filter { $0 > position }
    let earlier = history.numbers.filter { $0 <= position }
    let found = (later + earlier).first { number in
      texts.text(of: history.action(number), contains: text)
    }
    if let found {
      move(to: found)
    } else {
      message = "no action contains \(text.quoted(limit: 40))"
    }
  }

  // MARK: - Showing

  package func rows(in size: ScreenSize) -> [StyledText] {
    var rows = [slider(size.columns), action()]
    rows += WrappedPhrases(heading: "", changes).lines(columns: size.columns, limit: 2)
      .map { StyledText($0, .dim) }
    let footer = footer(size.columns)
    let room = max(0, size.rows - rows.count - footer.count)
    let values = values(size.columns)
    if values.count <= room {
      rows += values
    } else if room > 0 {
      rows += values.prefix(room - 1)
      rows.append(StyledText("  ... \((values.count - room + 1).grouped) more", .dim))
    }
    rows += footer
    return rows.prefix(max(1, size.rows)).map { $0.fitted(to: size.columns) }
  }

  private func slider(_ columns: Int) -> StyledText {
    let range = history.reachable
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
    guard let recorded = history.action(position) else {
      return StyledText("#\(position)  the beginning of the history")
    }
    return StyledText("#\(position)  ", .bold)
      + StyledText("\(clock.text(of: recorded))  ", .dim) + texts.styledText(of: recorded)
  }

  /// The watched values, those that the action changed in bold.
  private func values(_ columns: Int) -> [StyledText] {
    zip(watched, changeNumbers).compactMap { expression, numbers in
      guard shouldShowWatched || !numbers.isEmpty else { return nil }
      let value = expression.shownValue(in: states, limit: max(20, columns))
      let isChanged = numbers.contains(position)
      return StyledText("  \(expression.text) ", .dim)
        + StyledText(value, isChanged ? .bold : .plain)
    }
  }

  private static let keys = [
    "←/→ one action", "↑/↓ ten", "n/N change", "/ find", "Enter: go here", "Esc: go back",
  ]

  private func footer(_ columns: Int) -> [StyledText] {
    if let input = searchInput {
      let text = StyledText("/" + input.printable(limit: 200))
      return [text + StyledText(" ", Style(inverse: true))]
    }
    guard message.isEmpty else { return [StyledText(message, Style(.yellow))] }
    return WrappedPhrases(heading: "", Self.keys).lines(columns: columns, limit: Self.keys.count)
      .map { StyledText($0, .dim) }
  }
}
