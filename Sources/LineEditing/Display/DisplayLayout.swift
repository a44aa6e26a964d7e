/// Lays out the view of an editor on a screen.
///
/// Rows never rely on the terminal's own wrapping: a line that is too long continues in the next row, and a wide
/// character moves there whole. A block that is taller than the screen is shown in part, in a window that scrolls
/// with the cursor; the layout remembers where the window is from one frame to the next.
package struct DisplayLayout: Sendable {
  /// The first row of the window, by its line and its number among the rows of this line.
  private var top = (line: 0, row: 0)

  package init() {}

  /// Lays out a view, with at least one of the rows below the block.
  ///
  /// - Complexity: O(n), where n is the length of the lines that are near the cursor.
  package mutating func frame(of view: EditorView, on screen: ScreenSize) -> DisplayFrame {
    let columns = max(screen.columns, 1)
    let screenRows = max(screen.rows, 1)
    let block = BlockRows(of: view, columns: columns, height: screenRows)
    let below = Self.rowsBelow(view, isAnnotationBeside: block.isAnnotationBeside, columns: columns)
    let reserved = max(min(below.count, max(screenRows / 3, 1)), 1)
    let available = max(screenRows - reserved, 1)
    let isWindow = !block.isWhole || block.rows.count > available
    // The window moves as little as possible to show the cursor, and no space after the block's end.
    var start = min(max(block.index(of: top), block.cursorRow - available + 1), block.cursorRow)
    start = max(min(start, block.rows.count - available), 0)
    top = isWindow ? block.position(of: start) : (0, 0)
    var frame = DisplayFrame(rows: Array(block.rows[start...].prefix(available)))
    frame.isWindow = isWindow
    frame.cursorRow = block.cursorRow - start
    frame.cursorColumn = block.cursorColumn
    frame.rows += Self.chosen(
      below, hasStatus: view.status != nil, of: screenRows - frame.rows.count)
    return frame
  }

  /// All rows of the block, without those below it and without annotations.
  package static func rows(ofWhole view: EditorView, columns: Int) -> [DisplayRow] {
    var plain = view
    plain.ghost = StyledText()
    plain.annotation = StyledText()
    plain.cursorColumn = 0
    return BlockRows(of: plain, columns: max(columns, 1), height: view.lines.count).rows
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

/// The rows of a block's lines that can be in sight together with the cursor.
private struct BlockRows {
  private(set) var rows: [DisplayRow] = []
  private(set) var cursorRow = 0
  private(set) var cursorColumn = 0
  /// Whether the annotation fits at the end of the cursor's line.
  private(set) var isAnnotationBeside = true
  /// Whether there are no other lines.
  let isWhole: Bool

  private let firstLine: Int
  /// The index of each line's first row.
  private var starts: [Int] = []

  init(of view: EditorView, columns: Int, height: Int) {
    let last = max(view.lines.count - 1, 0)
    let cursorLine = min(max(view.cursorLine, 0), last)
    firstLine = max(cursorLine - height, 0)
    let lastLine = min(cursorLine + height, last)
    isWhole = firstLine == 0 && lastLine == last
    for line in firstLine...lastLine {
      var builder = RowBuilder(columns: columns)
      let isCursorLine = line == cursorLine
      let place = Self.build(
        view, line: line, cursor: isCursorLine ? view.cursorColumn : nil, into: &builder)
      if isCursorLine {
        (cursorRow, cursorColumn) = (rows.count + (place?.row ?? 0), place?.column ?? 0)
        isAnnotationBeside =
          view.annotation.isEmpty || builder.appendIfFitting(StyledText("  ") + view.annotation)
      }
      starts.append(rows.count)
      rows += builder.rows
    }
  }

  /// The index of a row, or of the nearest one.
  func index(of position: (line: Int, row: Int)) -> Int {
    let line = position.line - firstLine
    guard line >= 0 else { return 0 }
    guard line < starts.count else { return rows.count - 1 }
    let end = line + 1 < starts.count ? starts[line + 1] : rows.count
    return min(starts[line] + position.row, end - 1)
  }

  func position(of index: Int) -> (line: Int, row: Int) {
    let line = starts.lastIndex { $0 <= index } ?? 0
    return (firstLine + line, index - starts[line])
  }

  /// Lays out a line with its prompt, and the ghost if it is the last one.
  ///
  /// - Returns: The cursor's position, if it is in this line.
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

/// Wraps cells into rows of at most `columns` columns.
struct RowBuilder {
  let columns: Int
  private(set) var rows = [DisplayRow()]

  init(columns: Int) { self.columns = columns }

  mutating func append(_ text: StyledText) {
    text.forEachCell { cell, _ in _ = append(cell) }
  }

  /// Appends a cell, replacing one that is wider than the screen, and returns its position.
  mutating func append(_ cell: DisplayCell) -> (row: Int, column: Int) {
    let fits = cell.columns <= columns
    let cell = fits ? cell : DisplayCell(text: "…", columns: 1, style: cell.style)
    if rows[rows.count - 1].columns + cell.columns > columns { rows.append(DisplayRow()) }
    let last = rows.count - 1
    defer { rows[last].append(cell) }
    return (last, rows[last].columns)
  }

  /// The position of a cursor after the last cell: in the next row if the last one is full.
  mutating func placeOfNext() -> (row: Int, column: Int) {
    if rows[rows.count - 1].columns >= columns { rows.append(DisplayRow()) }
    return (rows.count - 1, rows[rows.count - 1].columns)
  }

  /// Appends a suggestion, which takes one more row at most.
  mutating func append(ghost: StyledText) {
    append(ghost.fitted(to: 2 * columns - rows[rows.count - 1].columns))
  }

  mutating func appendIfFitting(_ text: StyledText) -> Bool {
    let fits = text.columns <= columns - rows[rows.count - 1].columns
    if fits { append(text) }
    return fits
  }
}
