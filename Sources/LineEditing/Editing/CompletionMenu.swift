/// The candidates of a completion, listed below the block.
struct CompletionMenu {
  /// The effect of a key on a menu.
  enum Answer: Equatable {
    /// The menu stays; the text takes the place of the completed part.
    case shows(String)
    case stays
    /// The menu is closed; the text takes the place of the completed part.
    case closes(String)
    /// The menu is closed; the key has its usual meaning.
    case passes
  }

  private let candidates: [Completions.Candidate]
  /// The start of the completed part.
  let start: Int
  /// The typed text of that part, shown without a selection.
  private let typed: String
  private var selection: Int?
  private var firstRow = 0
  private var layout: Layout

  /// The candidates in columns, which are filled from top to bottom.
  private struct Layout {
    var columns: Int
    var rows: Int
    var columnWidth: Int
    var visibleRows: Int

    init(labels: [StyledText], screen: ScreenSize, blockRows: Int) {
      columnWidth = (labels.map(\.columns).max() ?? 0) + 2
      columns = max((screen.columns + 1) / max(columnWidth, 1), 1)
      rows = max((labels.count + columns - 1) / columns, 1)
      // Uses no more columns than the rows need.
      columns = (labels.count + rows - 1) / rows
      visibleRows = max(screen.rows - blockRows - 2, 1)
    }
  }

  /// Makes a menu of more than one candidate, without a selection.
  init(
    _ candidates: [Completions.Candidate], typed: String, start: Int, screen: ScreenSize,
    blockRows: Int
  ) {
    (self.candidates, self.typed, self.start) = (candidates, typed, start)
    layout = Layout(
      labels: candidates.map { Self.label(of: $0, .plain) }, screen: screen, blockRows: blockRows)
  }

  static func commonPrefix(of candidates: [Completions.Candidate]) -> String {
    guard var prefix = candidates.first?.text[...] else { return "" }
    for candidate in candidates {
      prefix = prefix.prefix(zip(prefix, candidate.text).prefix { $0 == $1 }.count)
    }
    return String(prefix)
  }

  // MARK: - Keys

  mutating func handle(_ key: Key) -> Answer {
    switch key {
    case .tab: return select((selection ?? -1) + 1)
    case .backTab: return select((selection ?? candidates.count) - 1)
    case .escape, .control("g"): return .closes(typed)
    case .pageDown: return scroll(by: layout.visibleRows)
    case .pageUp: return scroll(by: -layout.visibleRows)
    case .down: return select(selection.map { $0 + 1 } ?? 0)
    default: break
    }
    guard let selection else { return .passes }
    switch key {
    case .up: return select(selection - 1)
    case .right: return select(selection + layout.rows)
    case .left: return select(selection - layout.rows)
    case .enter: return .closes(candidates[selection].text)
    default: return .passes
    }
  }

  /// Wraps around at both ends.
  private mutating func select(_ index: Int) -> Answer {
    let count = candidates.count
    let index = (index % count + count) % count
    selection = index
    let row = index % layout.rows
    firstRow = min(max(firstRow, row - layout.visibleRows + 1), row)
    return .shows(candidates[index].text)
  }

  private mutating func scroll(by rows: Int) -> Answer {
    firstRow = min(max(firstRow + rows, 0), max(layout.rows - layout.visibleRows, 0))
    return .stays
  }

  // MARK: - View

  /// The rows in sight, and the description of the selected candidate.
  var rows: [StyledText] {
    let last = min(firstRow + layout.visibleRows, layout.rows)
    var rows = (firstRow..<last).map(row)
    if layout.rows > layout.visibleRows {
      rows.append(StyledText("rows \(firstRow + 1) to \(last) of \(layout.rows)", .dim))
    } else if let selection, !candidates[selection].detail.isEmpty {
      rows.append(candidates[selection].detail)
    }
    return rows
  }

  private func row(_ row: Int) -> StyledText {
    let indices = stride(from: row, to: candidates.count, by: layout.rows)
    return indices.reduce(into: StyledText()) { text, index in
      text = text.padded(to: index / layout.rows * layout.columnWidth)
      text.append(
        Self.label(of: candidates[index], index == selection ? Style(inverse: true) : .plain))
    }
  }

  private static func label(of candidate: Completions.Candidate, _ style: Style) -> StyledText {
    let label = StyledText(candidate.label, style)
    return candidate.kind.isEmpty ? label : label + StyledText(" " + candidate.kind, .dim)
  }
}

extension EditorModel {
  func complete() -> Outcome {
    guard !buffer.isCursorInIndentation else { return indent() }
    let cursor = buffer.cursor
    let completions = delegate.completions(of: buffer.text, at: buffer.offset(of: cursor))
    guard let first = completions.candidates.first else { return .refused }
    let start = min(buffer.position(ofOffset: completions.range.lowerBound), cursor)
    var typed = buffer.text(in: start..<cursor)
    if completions.candidates.count == 1 {
      let isNew = first.text != typed
      if isNew { buffer.replace(start..<cursor, with: first.text) }
      detail = first.detail
      return isNew || !detail.isEmpty ? .editing : .refused
    }
    let common = CompletionMenu.commonPrefix(of: completions.candidates)
    if common.count > typed.count, common.hasPrefix(typed) {
      buffer.replace(start..<cursor, with: common)
      typed = common
    }
    menu = CompletionMenu(
      completions.candidates, typed: typed, start: start, screen: screen, blockRows: blockRows)
    return .editing
  }

  private var blockRows: Int {
    let columns = max(screen.columns, 1)
    return buffer.text.split(separator: "\n", omittingEmptySubsequences: false)
      .reduce(0) { $0 + (prompt.columns + StyledText(String($1)).columns) / columns + 1 }
  }

  /// Returns nil if no menu handles the key, which then has its usual meaning.
  func handleInMenu(_ key: Key) -> Outcome? {
    guard var menu else { return nil }
    let answer = menu.handle(key)
    switch answer {
    case .shows(let text), .closes(let text):
      buffer.replace(menu.start..<buffer.cursor, with: text)
    case .stays, .passes: break
    }
    switch answer {
    case .shows, .stays: self.menu = menu
    case .closes, .passes: self.menu = nil
    }
    return answer == .passes ? nil : .editing
  }
}
