/// Lays names out in columns, sorted downwards, as `ls` does.
enum ColumnLayout {
  /// Gives the lines of a table that is as wide as fits.
  ///
  /// - Parameters:
  ///   - names: What to show, in this order.
  ///   - width: The columns of the terminal.
  /// - Returns: The lines, without newlines.
  static func lines(_ names: [String], width: Int) -> [String] {
    let cell = (names.map(\.count).max() ?? 0) + 2
    let columns = max(width / cell, 1)
    let rows = (names.count + columns - 1) / columns
    return (0..<rows).map { row in
      let cells = stride(from: row, to: names.count, by: rows).map { names[$0] }
      let padded = cells.dropLast().map { $0 + String(repeating: " ", count: cell - $0.count) }
      return (padded + cells.suffix(1)).joined()
    }
  }
}
