/// The content of one or two columns of a terminal's row.
package struct DisplayCell: Equatable, Sendable {
  package var text: String
  package var columns: Int
  package var style: Style
  /// See `DisplayForm.isUncertain`.
  package var isUncertain = false
}

/// A row of a terminal's screen, without the blanks at its end.
package struct DisplayRow: Equatable, Sendable {
  package private(set) var cells: [DisplayCell] = []
  package private(set) var columns = 0

  package init() {}

  /// Lays out a text in a row, cut off with `…` at the screen's width.
  package init(_ text: StyledText, fittedTo columns: Int) {
    text.fitted(to: columns).forEachCell { cell, _ in append(cell) }
  }

  package mutating func append(_ cell: DisplayCell) {
    cells.append(cell)
    columns += cell.columns
  }
}

/// The rows that a terminal shows, and the cursor's position in them.
package struct DisplayFrame: Equatable, Sendable {
  /// At least one, and not more than the screen has.
  package var rows: [DisplayRow]
  package var cursorRow = 0
  package var cursorColumn = 0
  /// Whether the rows are a part of a block that is taller than the screen.
  package var isWindow = false

  package init(rows: [DisplayRow]) { self.rows = rows.isEmpty ? [DisplayRow()] : rows }

  /// Lays out texts in a row each, with the cursor after the last one; what doesn't fit on the screen is cut off.
  package init(_ texts: [StyledText], on screen: ScreenSize) {
    self.init(
      rows: texts.prefix(max(screen.rows, 1)).map { DisplayRow($0, fittedTo: screen.columns) })
    cursorRow = rows.count - 1
    cursorColumn = min(rows[cursorRow].columns, max(screen.columns - 1, 0))
  }
}

extension StyledText {
  /// Calls a function with each cell of the text, and whether the cell is the first one of a character.
  ///
  /// A tab is spaces to the next stop of 8 of this text, and an escape is a cell for each of its characters, so that both
  /// can be wrapped anywhere.
  func forEachCell(_ body: (DisplayCell, _ startsCharacter: Bool) -> Void) {
    var column = 0
    func emit(_ text: String, _ columns: Int, _ style: Style, _ starts: Bool, _ uncertain: Bool) {
      let cell = DisplayCell(text: text, columns: columns, style: style, isUncertain: uncertain)
      body(cell, starts)
      column += columns
    }
    forEachCharacter { character, style in
      if character == "\t" {
        let width = DisplayForm.tabStop - column % DisplayForm.tabStop
        for index in 0..<width { emit(" ", 1, style, index == 0, false) }
        return true
      }
      let form = DisplayForm(character)
      guard form.isEscape else {
        emit(form.text, form.columns, style, true, form.isUncertain)
        return true
      }
      var inverse = style
      inverse.isInverse = true
      for (index, part) in form.text.enumerated() {
        emit(String(part), 1, inverse, index == 0, false)
      }
      return true
    }
  }
}
