import TerminalSupport

/// A picture of a terminal's screen, and of the input on later ones.
struct ScreenPicture {
  private struct Row {
    let cells: [TerminalScreen.Cell]
    /// nil if the cursor isn't in this row.
    let cursorColumn: Int?
  }

  private let rows: [Row]
  private let columns: Int
  private let title: String

  /// In pixels; the width of a character is that of common monospaced fonts.
  private static let (fontSize, columnWidth, rowHeight, margin) = (14.0, 8.43, 19.0, 16.0)
  private static let background = "#1e2127"
  private static let foreground = "#d7dae0"
  private static let dim = "#7f848e"
  /// By the numbers of SGR sequences.
  private static let colors = [
    31: "#e06c75", 32: "#98c379", 33: "#e5c07b", 34: "#61afef", 35: "#c678dd", 36: "#56b6c2",
    90: "#7f848e",
  ]

  /// Makes a picture of screens below each other; of the second and later ones, it shows the rows from the cursor on.
  init(of screens: [TerminalScreen], title: String) {
    rows = screens.enumerated().flatMap { index, screen in
      let end = screen.text.split(separator: "\n", omittingEmptySubsequences: false).count
      let visible = (index == 0 ? 0 : screen.cursorRow)..<max(end, screen.cursorRow)
      return visible.map { row in
        Row(
          cells: screen.cells(ofRow: row),
          cursorColumn: row == screen.cursorRow && screen.isCursorVisible
            ? screen.cursorColumn : nil)
      }
    }
    columns = screens.map(\.columns).max() ?? 0
    self.title = title
  }

  /// The picture as SVG.
  var svg: String {
    let width = Double(columns) * Self.columnWidth + 2 * Self.margin
    let height = Double(rows.count) * Self.rowHeight + 2 * Self.margin
    let size = "width=\"\(Self.text(width))\" height=\"\(Self.text(height))\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) role="img" aria-label="\(Self.escaped(title))">
      <rect width="100%" height="100%" rx="8" fill="\(Self.background)"/>
      <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" \
      font-size="\(Self.text(Self.fontSize))" fill="\(Self.foreground)">
      \(rows.enumerated().flatMap(elements).joined(separator: "\n"))
      </g>
      </svg>

      """
  }

  /// Runs of cells in one style; each has its place, as fonts differ in their widths.
  private func elements(_ index: Int, _ row: Row) -> [String] {
    let cells = row.cells
    var elements: [String] = []
    var start = 0
    while start < cells.count {
      var end = start + 1
      while end < cells.count, cells[end].style == cells[start].style { end += 1 }
      elements += element(cells[start..<end], index)
      start = end
    }
    if let column = row.cursorColumn {
      elements.append(box(at: column, index, columns: 1, fill: Self.foreground, opacity: 0.5))
    }
    return elements
  }

  private func element(_ cells: ArraySlice<TerminalScreen.Cell>, _ row: Int) -> [String] {
    guard let style = cells.first?.style else { return [] }
    var color =
      style.color.flatMap { Self.colors[$0] } ?? (style.isDim ? Self.dim : Self.foreground)
    var boxes: [String] = []
    if style.isInverse {
      boxes.append(box(at: cells.startIndex, row, columns: cells.count, fill: color))
      color = Self.background
    }
    // Blanks at the ends would be dropped, and the rest stretched to their width.
    guard let first = cells.firstIndex(where: { $0.text != " " }),
      let last = cells.lastIndex(where: { $0.text != " " })
    else { return boxes }
    let shown = cells[first...last]
    let x = Self.margin + Double(first) * Self.columnWidth
    let y = Self.margin + (Double(row) + 0.75) * Self.rowHeight
    var attributes = "x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" fill=\"\(color)\""
    attributes += " textLength=\"\(Self.text(Double(shown.count) * Self.columnWidth))\""
    if style.isBold { attributes += " font-weight=\"bold\"" }
    if style.isUnderlined { attributes += " text-decoration=\"underline\"" }
    return boxes + ["<text \(attributes)>\(Self.escaped(shown.map(\.text).joined()))</text>"]
  }

  private func box(
    at column: Int, _ row: Int, columns: Int, fill: String, opacity: Double = 1
  ) -> String {
    let x = Self.text(Self.margin + Double(column) * Self.columnWidth)
    let y = Self.text(Self.margin + Double(row) * Self.rowHeight)
    let width = Self.text(Double(columns) * Self.columnWidth)
    return "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(Self.text(Self.rowHeight))\" "
      + "fill=\"\(fill)\" opacity=\"\(Self.text(opacity))\"/>"
  }

  /// With at most two digits after the point.
  private static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
  }

  /// With blanks that viewers neither drop nor join.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
      .replacing(" ", with: "\u{A0}")
  }
}
