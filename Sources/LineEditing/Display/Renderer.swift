/// Draws frames on a terminal by writing only the difference from the current screen.
///
/// It knows the terminal only by its own output: positions are relative to the first row of the frame. All bytes that it
/// returns must be written to the terminal, in order, and no others while a frame is shown.
package struct Renderer: Sendable {
  private let usesColors: Bool
  private(set) var screen: ScreenSize
  private var display = Display.none
  private var pen = Pen()
  /// The beginning of a line of output, which is written when the line ends; until then, rows of the frame show it.
  private var held: [UInt8] = []
  /// The last frame as it was drawn, without those rows.
  private var block = DisplayFrame(rows: [])
  /// Whether the cursor is known to be at the start of a row without text, while nothing is shown.
  private var isAtLineStart = false

  private enum Display {
    case none
    /// The cursor is at the frame's cursor position.
    case frame(DisplayFrame)
    /// A row below the cursor, which is where the program's output continues.
    case waiting(DisplayRow)
  }

  package init(screen: ScreenSize, usesColors: Bool) {
    (self.screen, self.usesColors) = (screen, usesColors)
    pen.usesColors = usesColors
  }

  // MARK: - Frames

  /// Starts to draw after something else may have written to the terminal.
  ///
  /// An earlier frame is forgotten.
  package mutating func begin(on screen: ScreenSize) {
    self.screen = screen
    display = .none
    isAtLineStart = false
  }

  /// Replaces the screen's content with a frame.
  ///
  /// The first frame begins in the cursor's row, or in the next one if the cursor isn't at the row's start.
  package mutating func draw(_ frame: DisplayFrame) -> [UInt8] {
    block = frame
    switch display {
    case .frame(let shown): draw(wholeFrame, over: shown)
    case .waiting:
      eraseWaitingRow()
      drawFirst(wholeFrame)
    case .none: drawFirst(wholeFrame)
    }
    return pen.take()
  }

  /// The block below an unfinished line of output, as far as the screen has room for both.
  private var wholeFrame: DisplayFrame {
    let room = screen.rows - block.rows.count
    guard !held.isEmpty, room > 0 else { return block }
    let above = UnfinishedLine(held).rows(columns: screen.columns).suffix(room)
    var frame = block
    frame.rows.insert(contentsOf: above, at: 0)
    frame.cursorRow += above.count
    return frame
  }

  /// Ends the frame: its rows are replaced with others, which stay, and the cursor moves below them.
  package mutating func finish(with rows: [DisplayRow]) -> [UInt8] {
    if case .none = display {
      block = DisplayFrame(rows: [])
      drawFirst(block)
    }
    if !held.isEmpty, case .frame = display { writeAbove(takeHeld()) }
    guard case .frame(let shown) = display else { return [] }
    if shown.isWindow || rows.count > screen.rows {
      eraseFrame()
      for row in rows {
        pen.write(row.cells[...])
        pen.breakLine()
      }
    } else {
      var last = DisplayFrame(rows: rows)
      last.cursorRow = last.rows.count - 1
      draw(last, over: shown)
      pen.breakLine()
    }
    display = .none
    isAtLineStart = true
    return pen.take()
  }

  /// Removes the frame; the cursor moves to where it began.
  package mutating func erase() -> [UInt8] {
    switch display {
    case .frame:
      eraseFrame()
      isAtLineStart = true
    case .waiting: eraseWaitingRow()
    case .none: break
    }
    display = .none
    return pen.take()
  }

  /// The next frame begins at the screen's top.
  package mutating func clearScreen() -> [UInt8] {
    pen.send("\u{1B}[H\u{1B}[2J")
    display = .none
    isAtLineStart = true
    return pen.take()
  }

  /// Removes the frame after the screen's size has changed.
  ///
  /// If the terminal `reflows`, it continues rows that have become too long in the next row; if not, it cuts them off.
  package mutating func resize(to size: ScreenSize, reflows: Bool) -> [UInt8] {
    let columns = max(size.columns, 1)
    if case .frame(let shown) = display, reflows, columns < screen.columns {
      let above = shown.rows.prefix(shown.cursorRow).reduce(0) { count, row in
        count + max((row.columns + columns - 1) / columns, 1)
      }
      pen.row = above + shown.cursorColumn / columns
    }
    pen.column = nil
    screen = size
    return erase()
  }

  private mutating func drawFirst(_ frame: DisplayFrame) {
    if !isAtLineStart {
      // These blanks end in the row's last column if the cursor was in its first one. If not, they continue in the next
      // row. In both cases, the cursor is then in a row without text.
      pen.send(String(repeating: " ", count: screen.columns) + "\r\u{1B}[J")
    }
    drawAtLineStart(frame)
  }

  private mutating func drawAtLineStart(_ frame: DisplayFrame) {
    (pen.row, pen.column) = (0, 0)
    draw(frame, over: DisplayFrame(rows: []))
  }

  private mutating func draw(_ frame: DisplayFrame, over shown: DisplayFrame) {
    for (index, row) in frame.rows.enumerated() {
      if index < shown.rows.count {
        replace(shown.rows[index], with: row, at: index)
      } else {
        // Only a line break makes room at the screen's bottom.
        pen.move(toRow: index - 1, column: nil)
        pen.breakLine()
        pen.write(row.cells[...])
      }
    }
    if frame.rows.count < shown.rows.count {
      pen.move(toRow: frame.rows.count, column: 0)
      pen.eraseBelow()
    }
    pen.move(toRow: frame.cursorRow, column: frame.cursorColumn)
    pen.selectPlain()
    display = .frame(frame)
  }

  /// Rewrites the part of a row that differs.
  private mutating func replace(_ old: DisplayRow, with new: DisplayRow, at index: Int) {
    guard old != new else { return }
    var start = 0
    var column = 0
    while start < old.cells.count, start < new.cells.count, old.cells[start] == new.cells[start] {
      column += new.cells[start].columns
      start += 1
    }
    pen.move(toRow: index, column: column)
    // An uncertain cell may reach into those after it.
    let rest = max(start - 1, 0)...
    let isUncertain = (old.cells[rest] + new.cells[rest]).contains(where: \.isUncertain)
    if isUncertain { pen.eraseToEndOfLine() }
    pen.write(new.cells[start...])
    if !isUncertain, new.columns < old.columns { pen.eraseToEndOfLine() }
  }

  /// Erases the frame and leaves the cursor at its start.
  private mutating func eraseFrame() {
    pen.selectPlain()
    pen.move(toRow: 0, column: 0)
    pen.eraseBelow()
  }

  // MARK: - Output of programs

  /// Writes a program's output above the frame, or at the cursor if there is no frame.
  ///
  /// Above a frame, a line is written when it is complete; until then, its printable text is shown.
  package mutating func write(output bytes: [UInt8]) -> [UInt8] {
    switch display {
    case .none:
      pen.send(bytes: takeHeld() + bytes)
      isAtLineStart = false
    case .waiting(let row):
      eraseWaitingRow()
      // A large piece can end within a character or a sequence.
      pen.send(bytes: bytes.count < 4096 ? takeHeld() + bytes : takeLines(with: bytes))
      drawWaiting(row)
    case .frame(let shown):
      let lines = takeLines(with: bytes)
      if lines.isEmpty { draw(wholeFrame, over: shown) } else { writeAbove(lines) }
    }
    return pen.take()
  }

  /// Writes lines above the frame, after an unfinished line of a program's output.
  package mutating func write(lines text: StyledText) -> [UInt8] {
    var lines = text.terminalSequence(usingColors: usesColors)
    if !lines.hasSuffix("\n") { lines += "\n" }
    if case .frame = display, !held.isEmpty { lines = "\n" + lines }
    return write(output: Array(lines.replacing("\n", with: "\r\n").utf8))
  }

  /// The beginning of a line that a program hasn't completed; to be written when no more frames are drawn.
  package mutating func takeHeld() -> [UInt8] {
    defer { held = [] }
    return held
  }

  /// The lines that more output completes.
  private mutating func takeLines(with bytes: [UInt8]) -> [UInt8] {
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
      held += bytes
      return held.count > Self.maximumHeld ? takeHeld() : []
    }
    let lines = takeHeld() + bytes[...end]
    held = Array(bytes[(end + 1)...])
    return lines
  }

  private static let maximumHeld = 1 << 20

  private mutating func writeAbove(_ bytes: [UInt8]) {
    eraseFrame()
    pen.send(bytes: bytes)
    if bytes.contains(0x1B) { pen.send(Style.plain.selection) }
    if bytes.last != UInt8(ascii: "\n") { pen.send("\r\n") }
    pen.eraseBelow()
    drawAtLineStart(wholeFrame)
  }

  // MARK: - Waiting

  /// Shows a row below the cursor while a program runs, or takes it away.
  package mutating func showWaiting(_ row: DisplayRow?) -> [UInt8] {
    if case .waiting(let shown) = display {
      if shown == row { return [] }
      eraseWaitingRow()
    }
    if let row { drawWaiting(row) }
    return pen.take()
  }

  private mutating func drawWaiting(_ row: DisplayRow) {
    // An index makes room for the row without a change of the column (ESC D; then one row up again).
    pen.send("\u{1B}D\u{1B}[A\u{1B}7\u{1B}[B\r")
    pen.send(Style.plain.selection)
    pen.send("\u{1B}[K")
    pen.column = 0
    pen.write(row.cells[...])
    pen.selectPlain()
    pen.send("\u{1B}8")
    display = .waiting(row)
  }

  private mutating func eraseWaitingRow() {
    pen.send("\u{1B}7\u{1B}[B\r\u{1B}[K\u{1B}8")
    display = .none
  }
}

/// The beginning of a line of a program's output.
private struct UnfinishedLine {
  private let text: String

  /// The bytes of a character at the end may be missing.
  init(_ bytes: [UInt8]) {
    // Text after the last carriage return is written over the rest.
    let parts = bytes.suffix(Self.maximumSize).split(separator: UInt8(ascii: "\r"))
    let text = String(decoding: parts.last ?? [], as: UTF8.self)
    self.text = text.replacing(Self.sequence, with: "")
  }

  private static let maximumSize = 4096

  /// A sequence that commands a terminal, or its beginning (ECMA-48: CSI, OSC and others).
  private static var sequence: Regex<(Substring, Substring)> {
    /\u{1B}(\[[0-?]*[ -\/]*[@-~]?|\][^\u{7}\u{1B}]*(?:\u{7}|\u{1B}\\)?|[^\[\]]?)/
  }

  func rows(columns: Int) -> [DisplayRow] {
    var builder = RowBuilder(columns: columns)
    builder.append(StyledText(text))
    return builder.rows
  }
}

/// Collects bytes to write, and tracks the cursor's position and style.
private struct Pen: Sendable {
  var usesColors = false
  var row = 0
  /// The screen's width after its last column was written, wherever the terminal puts the cursor then; nil if unknown.
  var column: Int? = 0
  private var bytes: [UInt8] = []
  private var style = Style.plain

  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  mutating func send(_ text: String) { bytes += text.utf8 }

  mutating func send(bytes more: [UInt8]) { bytes += more }

  mutating func move(toRow newRow: Int, column newColumn: Int?) {
    if newRow < row { send("\u{1B}[\(row - newRow)A") }
    if newRow > row { send("\u{1B}[\(newRow - row)B") }
    row = newRow
    guard let newColumn, newColumn != column else { return }
    send(newColumn == 0 ? "\r" : "\u{1B}[\(newColumn + 1)G")
    column = newColumn
  }

  /// Moves to the start of the next row, which scrolls the screen at its bottom.
  mutating func breakLine() {
    selectPlain()
    send("\r\n")
    row += 1
    column = 0
  }

  mutating func eraseBelow() {
    selectPlain()
    send("\u{1B}[J")
  }

  mutating func eraseToEndOfLine() {
    selectPlain()
    send("\u{1B}[K")
  }

  /// Writes cells; the row must be blank after an uncertain one.
  mutating func write(_ cells: ArraySlice<DisplayCell>) {
    for (index, cell) in zip(cells.indices, cells) {
      select(cell.style)
      let end = (column ?? 0) + cell.columns
      if cell.isUncertain {
        writeUncertain(cell, to: end, isLast: index == cells.endIndex - 1)
      } else {
        send(cell.text)
      }
      column = end
    }
  }

  /// Writes a cell in such a way that the next one is in the right place, however wide the terminal shows this one.
  private mutating func writeUncertain(_ cell: DisplayCell, to end: Int, isLast: Bool) {
    // Without automatic wrapping (DECAWM), a wider cell at the right margin can't move to the next row.
    send("\u{1B}[?7l" + cell.text + "\u{1B}[\(end + 1)G\u{1B}[?7h")
    if !isLast { send("\u{1B}[K") }
  }

  mutating func selectPlain() { select(.plain) }

  private mutating func select(_ new: Style) {
    let new = usesColors ? new : new.withoutColor
    guard new != style else { return }
    send(new.selection)
    style = new
  }
}
