/// A terminal's screen: what a user sees after a program has written bytes to it.
///
/// It follows a VT100 with colors (ECMA-48), as far as our programs need: the cursor movements that they send, erasing,
/// styles, and automatic wrapping with a pending wrap in the last column. Other sequences have no effect.
package struct TerminalScreen: Equatable, Sendable {
  /// How a cell looks.
  package struct CellStyle: Hashable, Sendable {
    /// The number of the SGR sequence: 30 to 37 and 90 to 97; nil for the default.
    package var color: Int?
    /// The number of the SGR sequence: 40 to 47 and 100 to 107; nil for the default.
    package var backgroundColor: Int?
    /// SGR 1.
    package var isBold = false
    /// SGR 2.
    package var isDim = false
    /// SGR 4.
    package var isUnderlined = false
    /// SGR 7.
    package var isInverse = false

    /// The style of a terminal that was just switched on.
    package init() {}
  }

  /// The contents of a column of a row.
  package struct Cell: Equatable, Sendable {
    /// A character with its combining ones; empty for the right half of a wide character.
    package var text = " "
    /// How the text looks.
    package var style = CellStyle()

    /// A blank.
    package init() {}
  }

  /// The width of the screen.
  package private(set) var columns: Int
  /// The height of the screen.
  package private(set) var rowCount: Int
  /// The cursor's row, counted from 0.
  package private(set) var cursorRow = 0
  /// The cursor's column, counted from 0; the last one when the next character will wrap.
  package private(set) var cursorColumn = 0
  /// The rows that have left the screen at its top, trimmed.
  package var scrollback: [String] { scrolledLines.map { Self.text(of: $0.cells) } }
  /// Whether pastes are to be sent in brackets.
  package private(set) var hasBracketedPaste = false
  /// Whether the cursor is shown.
  package private(set) var isCursorVisible = true
  /// The number of times that the rows above the screen were discarded, as by `clear`.
  package private(set) var discardCount = 0

  private var scrolledLines: [Line] = []
  private var grid: [Line]
  private var style = CellStyle()
  private var isWrapPending = false
  /// The column of the last character, as long as the cursor is after it.
  private var lastColumn: Int?
  private var wrapsAutomatically = true
  private var saved: (row: Int, column: Int, style: CellStyle, isWrapPending: Bool)?
  private var parser = TerminalParser()

  private struct Line: Equatable, Sendable {
    var cells: [Cell]
    /// Whether the next line continues this one, as it was wrapped automatically.
    var isContinued = false
  }

  /// An empty screen with the cursor in its first row.
  package init(columns: Int = 80, rows: Int = 24) {
    self.columns = max(columns, 1)
    rowCount = max(rows, 1)
    grid = Array(repeating: Line(cells: []), count: rowCount)
    for row in grid.indices { grid[row] = blankLine() }
  }

  /// Whether two screens look the same.
  package static func == (left: Self, right: Self) -> Bool {
    left.grid.map(\.cells) == right.grid.map(\.cells) && left.cursorRow == right.cursorRow
      && left.cursorColumn == right.cursorColumn
  }

  // MARK: - What is seen

  /// The text of each row, without blanks at its end.
  package var rows: [String] { grid.map { Self.text(of: $0.cells) } }

  /// The rows down to the last one with text, as one text.
  package var text: String {
    var rows = rows
    while rows.last == "" { rows.removeLast() }
    return rows.joined(separator: "\n")
  }

  /// Everything that was ever seen: the rows that have left the screen, and those on it.
  package var transcript: String { (scrollback + [text]).joined(separator: "\n") }

  /// The lines that were ever seen, trimmed, each as long as it was before the terminal wrapped it.
  ///
  /// A row that ends in two blanks counts as a line: programs write blanks to the right margin to begin a new row.
  package var unwrappedLines: [String] {
    var lines: [String] = []
    var cells: [Cell] = []
    for line in scrolledLines + grid {
      cells += line.cells
      if line.isContinued, line.cells.suffix(2).contains(where: { $0.text != " " }) { continue }
      lines.append(Self.text(of: cells))
      cells = []
    }
    lines.append(Self.text(of: cells))
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The cell at a place; a blank one outside the screen.
  package func cell(_ row: Int, _ column: Int) -> Cell {
    guard grid.indices.contains(row), grid[row].cells.indices.contains(column) else {
      return Cell()
    }
    return grid[row].cells[column]
  }

  /// The cells of a row.
  package func cells(ofRow row: Int) -> [Cell] {
    grid.indices.contains(row) ? grid[row].cells : []
  }

  private static func text(of cells: [Cell]) -> String {
    var text = cells.map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  // MARK: - What programs write

  /// Shows more output, in pieces of any size.
  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if let action = parser.next(byte) { perform(action) }
    }
  }

  /// Shows a text and its sequences.
  package mutating func feed(_ text: String) { feed(text.utf8) }

  private mutating func perform(_ action: TerminalParser.Action) {
    if case .print(let scalar) = action { return put(scalar) }
    lastColumn = nil
    switch action {
    case .print: break
    case .control(let byte): control(byte)
    case .escape(let byte): escape(byte)
    case .sequence(let final, let parameters, let prefix):
      if prefix == nil { sequence(final, parameters) } else { mode(final, parameters, prefix) }
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    if combine(scalar) { return }
    let width = min(TerminalWidth.columns(of: scalar), columns)
    guard width > 0 else { return }
    if isWrapPending || cursorColumn + width > columns {
      if wrapsAutomatically {
        grid[cursorRow].isContinued = true
        cursorColumn = 0
        lineFeed()
      } else {
        cursorColumn = columns - width
      }
    }
    set(cursorRow, cursorColumn, String(scalar), width: width)
    lastColumn = cursorColumn
    moveOver(width)
  }

  private mutating func moveOver(_ width: Int) {
    isWrapPending = cursorColumn + width >= columns && wrapsAutomatically
    cursorColumn = min(cursorColumn + width, columns - 1)
  }

  /// Adds a scalar to the character before the cursor if they are one.
  private mutating func combine(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    guard let column = lastColumn else { return false }
    let before = grid[cursorRow].cells[column].text
    let joined = before + String(scalar)
    guard joined.count == 1, before != " " || TerminalWidth.columns(of: scalar) == 0
    else { return false }
    let width = TerminalWidth.columns(of: Character(joined))
    let oldWidth = TerminalWidth.columns(of: Character(before))
    grid[cursorRow].cells[column].text = joined
    if width == 2, oldWidth == 1, column + 1 < columns {
      // The emoji variation selector has made the character wide.
      set(cursorRow, column, joined, width: 2)
      moveOver(1)
    }
    return true
  }

  /// Puts a character into a cell, and clears what remains of wide ones that it overwrites.
  private mutating func set(_ row: Int, _ column: Int, _ text: String, width: Int) {
    for index in column..<(column + width) { clear(row, index) }
    grid[row].cells[column] = Cell(text: text, style: style)
    if width == 2 { grid[row].cells[column + 1] = Cell(text: "", style: style) }
  }

  /// Clears a cell, and with it the other half of a wide character.
  private mutating func clear(_ row: Int, _ column: Int) {
    guard (0..<columns).contains(column) else { return }
    if grid[row].cells[column].text.isEmpty, column > 0 { grid[row].cells[column - 1] = Cell() }
    if column + 1 < columns, grid[row].cells[column + 1].text.isEmpty {
      grid[row].cells[column + 1] = Cell()
    }
    grid[row].cells[column] = Cell()
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x08: moveTo(cursorRow, cursorColumn - 1)
    case 0x09: moveTo(cursorRow, (cursorColumn / 8 + 1) * 8)
    case 0x0A, 0x0B, 0x0C: lineFeed()
    case 0x0D: moveTo(cursorRow, 0)
    default: break
    }
  }

  private mutating func lineFeed() {
    isWrapPending = false
    if cursorRow < rowCount - 1 {
      cursorRow += 1
    } else {
      scrolledLines.append(grid.removeFirst())
      grid.append(blankLine())
    }
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "7"): saved = (cursorRow, cursorColumn, style, isWrapPending)
    case UInt8(ascii: "8"):
      guard let saved else { return moveTo(0, 0) }
      moveTo(saved.row, saved.column)
      style = saved.style
      isWrapPending = saved.isWrapPending
    case UInt8(ascii: "D"): lineFeed()
    default: break
    }
  }

  private mutating func mode(_ final: Character, _ parameters: [Int], _ prefix: Character?) {
    guard prefix == "?", final == "h" || final == "l" else { return }
    for parameter in parameters {
      switch parameter {
      case 7: wrapsAutomatically = final == "h"
      case 25: isCursorVisible = final == "h"
      case 2004: hasBracketedPaste = final == "h"
      default: break
      }
    }
  }

  private mutating func sequence(_ final: Character, _ parameters: [Int]) {
    let count = max(parameters.first ?? 1, 1)
    switch final {
    case "A": moveTo(cursorRow - count, cursorColumn)
    case "B": moveTo(cursorRow + count, cursorColumn)
    case "G": moveTo(cursorRow, count - 1)
    case "H": moveTo(count - 1, max(parameters.dropFirst().first ?? 1, 1) - 1)
    case "J": eraseScreen(parameters.first ?? 0)
    case "K": eraseLine()
    case "m": select(parameters)
    default: break
    }
  }

  private mutating func moveTo(_ row: Int, _ column: Int) {
    isWrapPending = false
    cursorRow = min(max(row, 0), rowCount - 1)
    cursorColumn = min(max(column, 0), columns - 1)
  }

  /// Erases from the cursor to the end of its line.
  private mutating func eraseLine() {
    isWrapPending = false
    for column in cursorColumn..<columns { clear(cursorRow, column) }
    grid[cursorRow].isContinued = false
  }

  private mutating func eraseScreen(_ part: Int) {
    switch part {
    case 0:
      eraseLine()
      for row in grid.indices where row > cursorRow { grid[row] = blankLine() }
    case 2: for row in grid.indices { grid[row] = blankLine() }
    case 3:
      scrolledLines = []
      discardCount += 1
    default: break
    }
    isWrapPending = false
  }

  private mutating func select(_ parameters: [Int]) {
    var rest = (parameters.isEmpty ? [0] : parameters)[...]
    while let parameter = rest.popFirst() {
      switch parameter {
      case 0: style = CellStyle()
      case 1: style.isBold = true
      case 2: style.isDim = true
      case 4: style.isUnderlined = true
      case 7: style.isInverse = true
      case 22: (style.isBold, style.isDim) = (false, false)
      case 24: style.isUnderlined = false
      case 27: style.isInverse = false
      case 30...37, 90...97: style.color = parameter
      case 39: style.color = nil
      case 40...47, 100...107: style.backgroundColor = parameter
      case 49: style.backgroundColor = nil
      // Colors by number or by parts aren't modeled.
      case 38, 48: rest = rest.dropFirst(rest.first == 2 ? 4 : 2)
      default: break
      }
    }
  }

  private func blankLine() -> Line { Line(cells: Array(repeating: Cell(), count: columns)) }

  // MARK: - The user

  /// Changes the size of the window.
  ///
  /// Rows leave the screen at its top if the cursor would be below its bottom.
  ///
  /// - Parameters:
  ///   - newColumns: The new width.
  ///   - newRows: The new height.
  ///   - reflows: Whether rows that have become too long continue in the next row; if not, they are cut off.
  package mutating func resize(columns newColumns: Int, rows newRows: Int, reflows: Bool = false) {
    if reflows { reflow(to: max(newColumns, 1)) } else { cut(to: max(newColumns, 1)) }
    rowCount = max(newRows, 1)
    while grid.count > rowCount {
      if cursorRow < rowCount, grid.count > cursorRow + 1 {
        grid.removeLast()
      } else {
        scrolledLines.append(grid.removeFirst())
        cursorRow -= 1
      }
    }
    while grid.count < rowCount { grid.append(blankLine()) }
    moveTo(cursorRow, cursorColumn)
  }

  private mutating func cut(to newColumns: Int) {
    for row in grid.indices {
      if newColumns < columns {
        if grid[row].cells[newColumns].text.isEmpty { grid[row].cells[newColumns - 1] = Cell() }
        grid[row].cells.removeLast(columns - newColumns)
      } else {
        grid[row].cells += Array(repeating: Cell(), count: newColumns - columns)
      }
    }
    columns = newColumns
  }

  private mutating func reflow(to newColumns: Int) {
    var lines: [Line] = []
    var (newRow, newColumn) = (0, 0)
    var row = 0
    while row < grid.count {
      var cells: [Cell] = []
      var cursorOffset: Int?
      var isContinued = true
      while isContinued, row < grid.count {
        if row == cursorRow { cursorOffset = cells.count + cursorColumn }
        cells += grid[row].cells
        isContinued = grid[row].isContinued
        row += 1
      }
      while cells.last == Cell() { cells.removeLast() }
      if let cursorOffset {
        newRow = lines.count + cursorOffset / newColumns
        newColumn = cursorOffset % newColumns
      }
      lines += Self.lines(of: cells, columns: newColumns, atLeast: cursorOffset ?? 0)
    }
    while lines.count > newRow + 1, lines.last?.cells.allSatisfy({ $0 == Cell() }) == true {
      lines.removeLast()
    }
    columns = newColumns
    (grid, cursorRow, cursorColumn) = (lines, newRow, newColumn)
  }

  private static func lines(of cells: [Cell], columns: Int, atLeast offset: Int) -> [Line] {
    let count = max((cells.count + columns - 1) / columns, offset / columns + 1)
    return (0..<count).map { index in
      let part = cells.dropFirst(index * columns).prefix(columns)
      let blanks = Array(repeating: Cell(), count: columns - part.count)
      return Line(cells: part + blanks, isContinued: index < count - 1)
    }
  }
}

extension TerminalScreen.Cell {
  fileprivate init(text: String, style: TerminalScreen.CellStyle) {
    self.init()
    (self.text, self.style) = (text, style)
  }
}
