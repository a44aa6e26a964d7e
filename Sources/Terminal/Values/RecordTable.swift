import Lua
import PrimereplFoundation
import PrimereplLineEditing
import Scripting
import StateStore

/// A list of records, shown as a table with a headed column for each field.
///
/// Only the rows that are shown are read. Where a screen has no room for all columns, those that can be assigned stay, and
/// the others are named below the table.
@MainActor
struct RecordTable {
  private struct Cell {
    var text: StyledText
    var isNumber = false
  }

  private struct Row {
    var names: [String]
    var cells: [String: Cell]
    var assignable: Set<String> = []
  }

  private let count: Int
  private let columns: [String]
  private let rows: [Row]
  private let lineLimit: Int

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
    let cells = CellReader(reader)
    var rows: [Row] = []
    for position in 1...min(list.count, list.count > room ? room - 1 : room) {
      guard let row = try cells.row(of: list.element(position)) else { return nil }
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
    (self.count, self.columns, self.rows, lineLimit) = (list.count, columns, rows, limit)
  }

  // MARK: - Reading

  @MainActor
  private struct CellReader {
    let reader: ValueReader
    /// The maximum width of a cell.
    let columns: Int

    init(_ reader: ValueReader) {
      self.reader = reader
      columns = reader.limits.isWhole ? .max : 100
    }

    func row(of element: LuaExcerpt) throws(LuaError) -> Row? {
      switch element.value {
      case .userdata(let object):
        return (try object.hostObject() as? RecordObject).map { row(of: $0) }
      case .table(let table):
        return try row(of: table)
      default: return nil
      }
    }

    private func row(of record: RecordObject) -> Row {
      var row = Row(names: [], cells: [:])
      do {
        // The ids of a map's records are its own.
        for field in try record.contents().fields where !record.isOfMap || field.name != "id" {
          row.names.append(field.name)
          row.cells[field.name] = cell(of: field)
          if field.isAssignable { row.assignable.insert(field.name) }
        }
      } catch {
        // The record was removed; its id is all that is left.
        if let id = record.id {
          row.names.append("id")
          row.cells["id"] = cell(ValueNode(.integer(id), reader.limits, depth: 1))
        }
      }
      return row
    }

    private func cell(of field: RecordObject.Contents.Field) -> Cell {
      guard field.type?.required != .time else {
        return cell(ValueNode(field.value.inLocalTime, reader.limits, depth: 1))
      }
      let node = ValueNode(field, reader.limits, depth: 1)
      return cell(node, isNumber: field.type?.decimalPlaces != nil)
    }

    /// The row of a table that has only named fields and no text of its own.
    private func row(of table: LuaTable) throws(LuaError) -> Row? {
      let metatable = try table.metatable()
      guard try table.rawLength() == 0, try reader.module(of: metatable) == nil,
        try metatable?.rawGet("__tostring") ?? .nil == .nil
      else { return nil }
      var budget = ValueLimits.row
      let bytes = ValueText.bytesRead(forColumns: columns)
      let fields = try table.fields(
        after: 0, atMost: RecordTable.fieldLimit, bytes: bytes, budget: &budget)
      guard fields.count > 0, fields.count == fields.fields.count else { return nil }
      var cells: [String: Cell] = [:]
      for (key, value) in fields.fields {
        guard case .string(let name) = key.value else { return nil }
        cells[ValueText.bare(name.bytes, columns: columns)] = cell(reader.node(of: value, depth: 1))
      }
      // Those that say which row it is come first: the key of a group, or an id.
      func rank(_ name: String) -> (Int, String) { (["key", "id"].contains(name) ? 0 : 1, name) }
      let names = cells.keys.sorted { rank($0) < rank($1) }
      return Row(names: names, cells: cells)
    }

    private func cell(_ node: ValueNode, isNumber: Bool = false) -> Cell {
      if case .string(let string) = node { return Cell(text: string.bare(columns: columns)) }
      let text = ValueLayout(width: columns).shortenedLine(of: node, columns: columns)
      return Cell(text: text, isNumber: isNumber || text.runs.first?.style == .number)
    }
  }

  // MARK: - Drawing

  private struct Column {
    let name: String
    var width: Int
    let isNumeric: Bool
  }

  /// The table's lines, with as many columns as fit into a width; nil for the whole table.
  func lines(width: Int?) -> [StyledText] {
    let numberWidth = String(rows.count).count
    let shown = width.map { fittingColumns(width: $0 - numberWidth - 4) } ?? naturalColumns
    let hidden = hiddenNames(shown, width: width)
    let rows = rows.prefix(max(1, min(rows.count, lineLimit - Self.frameLines - hidden.count)))
    let all = [Column(name: "#", width: numberWidth, isNumeric: true)] + shown
    var lines = [
      rule("┌", "┬", "┐", all),
      line(
        all.enumerated().map { index, column in
          StyledText(column.name, index == 0 ? .dim : .bold).fitted(to: column.width)
            .padded(to: column.width, onLeft: column.isNumeric)
        }),
      rule("├", "┼", "┤", all),
    ]
    for (index, row) in rows.enumerated() {
      let number = StyledText(String(index + 1), .dim).padded(to: numberWidth, onLeft: true)
      lines.append(line([number] + shown.map { text(of: row.cells[$0.name], columns: $0.width) }))
    }
    lines.append(rule("└", "┴", "┘", all))
    if rows.count < count {
      lines.append(StyledText("... \((count - rows.count).grouped) more rows", .dim))
    }
    lines.append(StyledText(count.counted("row"), .dim))
    return lines + hidden
  }

  /// The names of the columns that aren't shown, in lines of a width; none if all are shown.
  private func hiddenNames(_ shown: [Column], width: Int?) -> [StyledText] {
    let names = Set(shown.map(\.name))
    let hidden = columns.filter { !names.contains($0) }
    guard !hidden.isEmpty, let width else { return [] }
    let text = "hidden: \(hidden.joined(separator: ", ")); .page shows all"
    let lines = StyledText(text, .dim).wrapped(to: width)
    // Of a hundred fields, the names of those that fit are enough.
    return lines.count <= Self.hiddenLines
      ? lines : [StyledText("\(hidden.count) columns are hidden; .page shows all", .dim)]
  }

  /// The maximum number of lines that name hidden columns.
  private static let hiddenLines = 3

  private var naturalColumns: [Column] {
    columns.map { name in
      let cells = rows.compactMap { $0.cells[name] }
      return Column(
        name: name,
        width: rows.reduce(StyledText(name).columns) { max($0, $1.cells[name]?.text.columns ?? 3) },
        isNumeric: !cells.isEmpty && cells.allSatisfy(\.isNumber))
    }
  }

  /// As many columns as fit, in their order: the id and those that can be assigned before the others.
  ///
  /// The widest are cut first, and numbers never.
  private func fittingColumns(width: Int) -> [Column] {
    let natural = naturalColumns
    func least(_ column: Column) -> Int {
      column.isNumeric ? column.width : min(column.width, Self.leastColumns)
    }
    // A column takes two spaces and a line besides.
    var left = width
    var shown: [Int] = []
    for index in natural.indices.sorted(by: isBefore) {
      let needed = least(natural[index]) + 3
      guard left >= needed || shown.isEmpty else { break }
      left -= needed
      shown.append(index)
    }
    shown.sort()
    var fitting = shown.map { index in
      Column(
        name: natural[index].name, width: least(natural[index]), isNumeric: natural[index].isNumeric
      )
    }
    while left > 0 {
      // The narrowest of those that are cut grows.
      let cut = fitting.indices.filter { fitting[$0].width < natural[shown[$0]].width }
      guard let narrowest = cut.min(by: { fitting[$0].width < fitting[$1].width }) else { break }
      fitting[narrowest].width += 1
      left -= 1
    }
    return fitting
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    let (isLeftKept, isRightKept) = (isKept(columns[left]), isKept(columns[right]))
    return isLeftKept == isRightKept ? left < right : isLeftKept
  }

  private func isKept(_ column: String) -> Bool {
    column == "id" || rows.first?.assignable.contains(column) == true
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

  private func rule(
    _ left: String, _ middle: String, _ right: String, _ columns: [Column]
  ) -> StyledText {
    let parts = columns.map { String(repeating: "─", count: $0.width + 2) }
    return StyledText(left + parts.joined(separator: middle) + right, .dim)
  }
}

extension StateValue {
  /// A time as people at this machine read it, to the second; any other value as it is.
  fileprivate var inLocalTime: StateValue {
    guard case .text(let text) = self, let time = TimeStamp(text) else { return self }
    let seconds = Double(time.millisecondsSince1970) / 1000
    return .text(Date(timeIntervalSince1970: seconds).localTime("%Y-%m-%d %H:%M:%S"))
  }
}
