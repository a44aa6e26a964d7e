/// Lays out what an editor shows on a screen.
///
/// Rows never rely on the terminal's own wrapping: a line that is too long continues in the next row, and a wide
/// character moves there whole. A block that is taller than the screen is shown in part, in a window that scrolls
/// with the cursor; the layout remembers where the window is from one frame to the next.
package struct DisplayLayout: Sendable {
  /// The first row of the window.
  private var top = BlockPosition(line: 0, row: 0)

  package init() {}

  /// Lays out a view; at least one row of what stands below the block is shown.
  ///
  /// - Complexity: O(n), where n is the length of the lines that are visible.
  package mutating func frame(of view: EditorView, on screen: ScreenSize) -> DisplayFrame {
    let columns = max(screen.columns, 1)
    let screenRows = max(screen.rows, 1)
    var block = BlockRows(of: view, columns: columns)
    let below = Self.rowsBelow(view, isAnnotationBeside: block.isAnnotationBeside, columns: columns)
    let reserved = max(min(below.count, max(screenRows / 3, 1)), 1)
    let available = max(screenRows - reserved, 1)
    let isWindow = !block.hasAtMost(rows: available)
    if isWindow {
      scroll(toCursorOf: &block, height: available)
    } else {
      top = BlockPosition(line: 0, row: 0)
    }
    var frame = DisplayFrame(rows: [])
    frame.isWindow = isWindow
    frame.rows = []
    var position: BlockPosition? = top
    while let current = position, frame.rows.count < available {
      if current == block.cursor { frame.cursorRow = frame.rows.count }
      frame.rows.append(block[current])
      position = block.position(after: current)
    }
    frame.cursorColumn = block.cursorColumn
    frame.rows += Self.chosen(
      below, hasStatus: view.status != nil, of: screenRows - frame.rows.count)
    return frame
  }

  /// All rows of the block, without what stands below it and beside it.
  package static func rows(ofWhole view: EditorView, columns: Int) -> [DisplayRow] {
    var plain = view
    plain.ghost = StyledText()
    plain.annotation = StyledText()
    plain.cursorColumn = 0
    var block = BlockRows(of: plain, columns: max(columns, 1))
    return view.lines.indices.flatMap { block.rows(ofLine: $0) }
  }

  /// Moves the window as little as possible so that it shows the cursor and no space after the block's end.
  private mutating func scroll(toCursorOf block: inout BlockRows, height: Int) {
    top = block.nearest(to: top)
    if top < block.cursor {
      // Finds the window's top, or else the highest row that leaves the cursor in sight.
      var first = block.cursor
      for _ in 0..<(height - 1) where first != top {
        first = block.position(before: first) ?? first
      }
      top = first
    } else {
      top = block.cursor
    }
    var visible = 1
    var last = top
    while visible < height, let next = block.position(after: last) {
      (last, visible) = (next, visible + 1)
    }
    while visible < height, let previous = block.position(before: top) {
      (top, visible) = (previous, visible + 1)
    }
  }

  private static func rowsBelow(
    _ view: EditorView, isAnnotationBeside: Bool, columns: Int
  ) -> [DisplayRow] {
    var rows: [DisplayRow] = []
    if !view.annotation.isEmpty, !isAnnotationBeside {
      rows.append(DisplayRow(view.annotation, fittedTo: columns))
    }
    rows += view.rows.map { DisplayRow($0, fittedTo: columns) }
    if let status = view.status { rows.append(DisplayRow(status, fittedTo: columns)) }
    return rows
  }

  /// Leaves out the last rows if there are too many, but keeps the status.
  private static func chosen(_ rows: [DisplayRow], hasStatus: Bool, of count: Int) -> [DisplayRow] {
    guard rows.count > count, count > 0 else { return Array(rows.prefix(max(count, 0))) }
    return hasStatus ? rows.prefix(count - 1) + rows.suffix(1) : Array(rows.prefix(count))
  }
}

/// A row of a block, by its line and its number among the rows of this line.
private struct BlockPosition: Comparable, Sendable {
  var line: Int
  var row: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.line, left.row) < (right.line, right.row)
  }
}

/// The rows of a block, each line laid out when it is first asked for.
private struct BlockRows {
  let cursor: BlockPosition
  let cursorColumn: Int
  /// Whether the annotation fits at the end of the cursor's line.
  let isAnnotationBeside: Bool

  private let view: EditorView
  private let columns: Int
  private var laidOut: [Int: [DisplayRow]] = [:]

  init(of view: EditorView, columns: Int) {
    (self.view, self.columns) = (view, columns)
    let line = min(max(view.cursorLine, 0), max(view.lines.count - 1, 0))
    var builder = RowBuilder(columns: columns)
    let place = Self.build(view, line: line, cursor: view.cursorColumn, into: &builder)
    isAnnotationBeside =
      view.annotation.isEmpty || builder.appendIfFitting(StyledText("  ") + view.annotation)
    cursor = BlockPosition(line: line, row: place?.row ?? 0)
    cursorColumn = place?.column ?? 0
    laidOut[line] = builder.rows
  }

  subscript(position: BlockPosition) -> DisplayRow {
    mutating get {
      let rows = rows(ofLine: position.line)
      return rows.indices.contains(position.row) ? rows[position.row] : DisplayRow()
    }
  }

  mutating func rows(ofLine line: Int) -> [DisplayRow] {
    if let rows = laidOut[line] { return rows }
    var builder = RowBuilder(columns: columns)
    _ = Self.build(view, line: line, cursor: nil, into: &builder)
    laidOut[line] = builder.rows
    return builder.rows
  }

  mutating func hasAtMost(rows limit: Int) -> Bool {
    guard view.lines.count <= limit else { return false }
    var count = 0
    for line in view.lines.indices {
      count += rows(ofLine: line).count
      if count > limit { return false }
    }
    return true
  }

  mutating func position(after position: BlockPosition) -> BlockPosition? {
    if position.row + 1 < rows(ofLine: position.line).count {
      return BlockPosition(line: position.line, row: position.row + 1)
    }
    guard position.line + 1 < view.lines.count else { return nil }
    return BlockPosition(line: position.line + 1, row: 0)
  }

  mutating func position(before position: BlockPosition) -> BlockPosition? {
    if position.row > 0 { return BlockPosition(line: position.line, row: position.row - 1) }
    guard position.line > 0 else { return nil }
    return BlockPosition(line: position.line - 1, row: rows(ofLine: position.line - 1).count - 1)
  }

  /// The position itself, or the last one before it if there is no such row.
  mutating func nearest(to position: BlockPosition) -> BlockPosition {
    let line = min(position.line, max(view.lines.count - 1, 0))
    let lastRow = rows(ofLine: line).count - 1
    return BlockPosition(
      line: line, row: line < position.line ? lastRow : min(position.row, lastRow))
  }

  /// Lays out a line with its prompt, and the ghost if it is the last one.
  ///
  /// - Returns: Where the cursor stands, if it is in this line.
  private static func build(
    _ view: EditorView, line: Int, cursor: Int?, into builder: inout RowBuilder
  ) -> (row: Int, column: Int)? {
    builder.append(line == 0 ? view.prompt : view.continuationPrompt)
    var place: (row: Int, column: Int)?
    if view.lines.indices.contains(line) {
      var index = 0
      view.lines[line].forEachCell { cell, startsCharacter in
        let start = builder.append(cell)
        guard startsCharacter else { return }
        if index == cursor { place = start }
        index += 1
      }
    }
    if cursor != nil, place == nil { place = builder.placeOfNext() }
    if line == view.lines.count - 1, !view.ghost.isEmpty { builder.append(ghost: view.ghost) }
    return place
  }
}

/// Fills rows with cells.
private struct RowBuilder {
  let columns: Int
  private(set) var rows = [DisplayRow()]

  init(columns: Int) { self.columns = columns }

  mutating func append(_ text: StyledText) {
    text.forEachCell { cell, _ in _ = append(cell) }
  }

  /// Appends a cell; one that is wider than the screen is replaced.
  ///
  /// - Returns: Where it stands.
  mutating func append(_ cell: DisplayCell) -> (row: Int, column: Int) {
    let fits = cell.columns <= columns
    let cell = fits ? cell : DisplayCell(text: "…", columns: 1, style: cell.style)
    if rows[rows.count - 1].columns + cell.columns > columns { rows.append(DisplayRow()) }
    let last = rows.count - 1
    defer { rows[last].append(cell) }
    return (last, rows[last].columns)
  }

  /// Where a cursor after the last cell stands: in the next row if the last one is full.
  mutating func placeOfNext() -> (row: Int, column: Int) {
    if rows[rows.count - 1].columns >= columns { rows.append(DisplayRow()) }
    return (rows.count - 1, rows[rows.count - 1].columns)
  }

  /// Appends the first line of a suggestion, which takes one more row at most.
  mutating func append(ghost: StyledText) {
    var firstLine = StyledText()
    var hasMore = false
    ghost.forEachCharacter { character, style in
      hasMore = character.isNewline
      if !hasMore { firstLine.append(String(character), style) }
      return !hasMore
    }
    if hasMore { firstLine.append(" …", .dim) }
    append(firstLine.fitted(to: 2 * columns - rows[rows.count - 1].columns))
  }

  /// Appends a text if there is room for it in the last row.
  mutating func appendIfFitting(_ text: StyledText) -> Bool {
    let fits = text.columns <= columns - rows[rows.count - 1].columns
    if fits { append(text) }
    return fits
  }
}
