import LineEditing
import Lua
import Scripting
import StateStore

/// A list of records, shown as a table with a headed column for each field.
///
/// Only the rows that are shown are read.
@MainActor
struct RecordTable {
  private struct Cell {
    var text: StyledText
    var isNumber = false
  }

  /// A row's cells by the names of their columns.
  private struct Row {
    var names: [String]
    var cells: [String: Cell]
  }

  private let count: Int
  private let columns: [String]
  private let rows: [Row]

  /// The maximum number of fields of a table that passes for a record.
  private static let fieldLimit = 100
  /// The lines around the rows: three for the head, one below, and one to count the rows.
  private static let frameLines = 5
  /// The minimum width of a column that is cut.
  private static let leastColumns = 12
  /// The minimum share of filled cells for tables to pass for records.
  private static let leastDensity = 0.5

  /// Reads the first records of a list, for a number of lines; nil if these aren't records.
  init?(_ list: ValueSequence, _ reader: ValueReader, lines limit: Int) throws(LuaError) {
    guard list.count >= (list.isLive ? 1 : 2) else { return nil }
    let room = max(limit - Self.frameLines, 2)
    var rows: [Row] = []
    for position in 1...min(list.count, list.count > room ? room - 1 : room) {
      guard let row = try Self.row(of: list.element(position), reader) else { return nil }
      rows.append(row)
    }
    var columns: [String] = []
    var known: Set<String> = []
    for name in rows.flatMap(\.names) where known.insert(name).inserted { columns.append(name) }
    let filled = rows.reduce(0) { $0 + $1.cells.count }
    // Removed records have no cells, but are records.
    guard list.isLive || Double(filled) >= Self.leastDensity * Double(columns.count * rows.count)
    else {
      return nil
    }
    (self.count, self.columns, self.rows) = (list.count, columns, rows)
  }

  private static func row(of element: LuaExcerpt, _ reader: ValueReader) throws(LuaError) -> Row? {
    switch element.value {
    case .userdata(let object):
      return (try object.hostObject() as? any RecordObject).map { row(of: $0, reader) }
    case .table(let table):
      return try row(of: table, reader)
    default: return nil
    }
  }

  private static func row(of record: any RecordObject, _ reader: ValueReader) -> Row {
    let fields: [(name: String, value: StateValue)]
    do {
      fields = try record.recordContents().fields
    } catch {
      // The record was removed; its id is all that is left.
      fields = record.recordID.map { [("id", .integer($0))] } ?? []
    }
    var cells: [String: Cell] = [:]
    for (name, value) in fields {
      let cell =
        switch value {
        case .text(let text): Cell(text: StyledText(ValueText.bare(text), .string))
        case .integer, .number: cell(ValueNode(value, reader.limits, depth: 1), isNumber: true)
        default: cell(ValueNode(value, reader.limits, depth: 1))
        }
      cells[name] = cell
    }
    return Row(names: fields.map(\.name), cells: cells)
  }

  /// The row of a table that has only named fields and no text of its own.
  private static func row(of table: LuaTable, _ reader: ValueReader) throws(LuaError) -> Row? {
    let metatable = try table.metatable()
    guard try table.rawLength() == 0, try reader.module(of: metatable) == nil,
      try metatable?.rawGet("__tostring") ?? .nil == .nil
    else { return nil }
    var budget = ValueLimits.row
    let bytes = ValueText.bytesRead(forColumns: cellColumns)
    let fields = try table.fields(after: 0, atMost: fieldLimit, bytes: bytes, budget: &budget)
    guard fields.count > 0, fields.count == fields.fields.count else { return nil }
    var cells: [String: Cell] = [:]
    for (key, value) in fields.fields {
      guard case .string(let name) = key.value else { return nil }
      cells[ValueText.bare(name.bytes, columns: cellColumns)] = cell(of: value, reader)
    }
    let names = cells.keys.sorted { $0 == "id" ? $1 != "id" : $1 != "id" && $0 < $1 }
    return Row(names: names, cells: cells)
  }

  private static func cell(of value: LuaExcerpt, _ reader: ValueReader) -> Cell {
    switch value.value {
    case .string(let text):
      var text = ValueText.bare(text.bytes, columns: cellColumns)
      if value.byteCount > ValueText.bytesRead(forColumns: cellColumns), !text.hasSuffix("…") {
        text += "…"
      }
      return Cell(text: StyledText(text, .string))
    case .integer, .number: return cell(reader.node(of: value, depth: 1), isNumber: true)
    default: return cell(reader.node(of: value, depth: 1))
    }
  }

  private static func cell(_ node: ValueNode, isNumber: Bool = false) -> Cell {
    let layout = ValueLayout(width: cellColumns)
    return Cell(text: layout.shortenedLine(of: node, columns: cellColumns), isNumber: isNumber)
  }

  /// The greatest width of a cell.
  private static let cellColumns = 100

  // MARK: - Drawing

  /// The table's lines, with as many columns as fit into a width.
  func lines(width: Int) -> [StyledText] {
    let numbers = String(rows.count).count
    let natural = columns.map { name in
      rows.reduce(StyledText(name).columns) { max($0, $1.cells[name]?.text.columns ?? 3) }
    }
    let widths = fitted(natural, width: width - numbers - 4)
    let shown = Array(columns.prefix(widths.count))
    let all = [numbers] + widths
    var lines = [
      rule("┌", "┬", "┐", all),
      line(
        zip(all, ["#"] + shown).enumerated().map { index, column in
          let isNumber = index == 0 || isNumeric(column.1)
          return StyledText(column.1, index == 0 ? .dim : .bold).fitted(to: column.0)
            .padded(to: column.0, onLeft: isNumber)
        }),
      rule("├", "┼", "┤", all),
    ]
    for (index, row) in rows.enumerated() {
      let number = StyledText(String(index + 1), .dim).padded(to: numbers, onLeft: true)
      lines.append(
        line([number] + zip(shown, widths).map { text(of: row.cells[$0], columns: $1) }))
    }
    lines.append(rule("└", "┴", "┘", all))
    return lines + footer(shownColumns: shown.count)
  }

  private func footer(shownColumns: Int) -> [StyledText] {
    var footer: [StyledText] = []
    if rows.count < count {
      footer.append(StyledText("... \((count - rows.count).grouped) more rows", .dim))
    }
    var text = count.counted("row")
    if shownColumns < columns.count { text += ", \(shownColumns) of \(columns.count) columns" }
    footer.append(StyledText(text, .dim))
    return footer
  }

  private func isNumeric(_ column: String) -> Bool {
    let cells = rows.compactMap { $0.cells[column] }
    return !cells.isEmpty && cells.allSatisfy(\.isNumber)
  }

  /// The widths of as many columns as fit; the widest are cut first, and numbers never.
  private func fitted(_ natural: [Int], width: Int) -> [Int] {
    func least(_ index: Int) -> Int {
      isNumeric(columns[index]) ? natural[index] : min(natural[index], Self.leastColumns)
    }
    // A column takes two spaces and a line besides.
    var left = width
    var count = 0
    while count < natural.count, left >= least(count) + 3 || count == 0 {
      left -= least(count) + 3
      count += 1
    }
    var widths = natural.prefix(count).enumerated().map { index, _ in least(index) }
    while left > 0 {
      // The narrowest of those that are cut grows.
      let cut = widths.indices.filter { widths[$0] < natural[$0] }
      guard let narrowest = cut.min(by: { widths[$0] < widths[$1] }) else { break }
      widths[narrowest] += 1
      left -= 1
    }
    return widths
  }

  private func text(of cell: Cell?, columns: Int) -> StyledText {
    let text = cell?.text ?? StyledText("nil", .dim)
    return text.fitted(to: columns)
      .padded(to: columns, onLeft: cell?.isNumber ?? false)
  }

  private func line(_ cells: [StyledText]) -> StyledText {
    var line = StyledText("│ ", .dim)
    for (index, cell) in cells.enumerated() {
      if index > 0 { line.append(" │ ", .dim) }
      line.append(cell)
    }
    line.append(" │", .dim)
    return line
  }

  private func rule(_ left: String, _ middle: String, _ right: String, _ widths: [Int])
    -> StyledText
  {
    let parts = widths.map { String(repeating: "─", count: $0 + 2) }
    return StyledText(left + parts.joined(separator: middle) + right, .dim)
  }
}
