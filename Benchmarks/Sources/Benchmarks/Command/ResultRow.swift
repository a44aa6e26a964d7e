/// A name and columns to its right, of which the last may be a limit.
struct ResultRow {
  let line: String
  let isOver: Bool

  init(_ cells: String...) {
    line = Self.aligned(cells)
    isOver = false
  }

  init(_ cells: String..., limit: String, holds: Bool) {
    line = Self.aligned(cells + ["\(limit) \(holds ? "holds" : "OVER")"])
    isOver = !holds
  }

  private static func aligned(_ cells: [String]) -> String {
    cells.enumerated().map { column, text in
      let padding = String(repeating: " ", count: max(1, (column == 0 ? 34 : 16) - text.count))
      return column == 0 ? text + padding : padding + text
    }.joined()
  }
}
