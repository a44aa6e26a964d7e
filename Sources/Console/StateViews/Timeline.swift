import LineEditing
import StateStore

/// The course of values over the actions of a history: sparklines for numbers and sizes of lists, bands for the rest.
///
///     counter.count    ▁▂▃▄▅▆▇█  0 … 17
///     counter.loading  ░░░███░░
///     sign_up.step     nil░basics██
///     favorites        ▁▁▂▂▄▄██  0 … 5 elements
///                      0   4
///                         ▲ #3 of 7
struct Timeline {
  private let series: HistorySeries
  private let position: Int

  /// Draws the history of fields at paths, or of all that changed if there is no path.
  ///
  /// - Throws: ``StatePathError`` for an unknown path.
  /// - Complexity: O(actions + records that they changed).
  init(_ paths: [String] = [], of store: Store) throws {
    let reader = store.historyReader
    position = reader.position
    series = try HistorySeries(reader, of: try Self.fields(at: paths, store.schema))
    shouldShowAll = !paths.isEmpty
  }

  /// Whether fields that didn't change are shown.
  private let shouldShowAll: Bool

  /// The fields at some paths, with the names under which they are shown; all fields if there is no path.
  static func fields(
    at paths: [String], _ schema: StoreSchema
  ) throws(StatePathError) -> [(name: String, field: StateField)] {
    var fields: [(name: String, field: StateField)] = []
    for path in paths.isEmpty ? [""] : paths {
      let expression = try StateExpression(path, in: schema)
      if let field = expression.onlyField {
        fields.append((expression.text, field))
      } else {
        fields += expression.fields.map { ($0.path, $0) }
      }
    }
    return fields
  }

  /// The lines, as many as fit on the screen.
  func lines(in size: ScreenSize) -> [StyledText] {
    let fields = series.fields.filter { shouldShowAll || $0.hasChanged }
    guard series.range.count > 1, !fields.isEmpty else {
      let text = "Nothing has changed within the history."
      return [StyledText(text, .dim).fitted(to: size.columns)]
    }
    let shown = fields.prefix(max(1, size.rows - 5))
    let longest = shown.map { StyledText($0.name).columns }.max() ?? 0
    let labelWidth = min(longest, max(8, size.columns / 3))
    let notes = shown.map { Band.note(on: $0) }
    let noteWidth = min(24, notes.map { StyledText($0).columns }.max() ?? 0)
    let width = max(1, size.columns - labelWidth - noteWidth - 4)
    let axis = TimeAxis(series.range, position: position, width: width)
    let space = StyledText("  ")
    let rows = zip(shown, notes).map { field, note -> StyledText in
      let label = StyledText(field.name).fitted(to: labelWidth).padded(to: labelWidth)
      let band = axis.styled(Band.cells(of: field, axis)).padded(to: axis.width)
      return label + space + band + space + StyledText(note, .dim)
    }
    let rest = fields.count - shown.count
    let more =
      rest > 0 ? [StyledText("... \(rest.counted("more field")): name some", .dim)] : []
    let margin = StyledText(String(repeating: " ", count: labelWidth)) + space
    return (rows + more + axis.lines().map { margin + $0 }).map { $0.fitted(to: size.columns) }
  }
}

// MARK: - Axis

/// The columns of a timeline: one for several actions, or several for one.
private struct TimeAxis {
  let range: ClosedRange<Int>
  let position: Int
  /// The number of columns in use.
  let width: Int
  /// The number of columns for each action; 0 if a column is for several.
  private let cell: Int

  /// The maximum number of columns for each action.
  private static let widestCell = 4

  init(_ range: ClosedRange<Int>, position: Int, width: Int) {
    self.range = range
    self.position = position
    cell = min(width / range.count, Self.widestCell)
    self.width = cell > 0 ? range.count * cell : width
  }

  /// The actions of a column.
  func numbers(at column: Int) -> ClosedRange<Int> {
    let first = range.lowerBound
    guard cell == 0 else { return first + column / cell...first + column / cell }
    let start = column * range.count / width
    return first + start...first + max(start, (column + 1) * range.count / width - 1)
  }

  /// The first column of an action.
  private func column(of number: Int) -> Int {
    let index = number - range.lowerBound
    guard cell == 0 else { return index * cell }
    let column = index * width / range.count
    return numbers(at: column).upperBound < number ? min(column + 1, width - 1) : column
  }

  /// The cells, those of undone actions dim.
  func styled(_ cells: [Character]) -> StyledText {
    let end = cells.indices.first { numbers(at: $0).lowerBound > position } ?? cells.count
    return StyledText(String(cells[..<end]), Style(.cyan))
      + StyledText(String(cells[end...]), .dim)
  }

  /// The numbers of actions below the columns, and a mark at the present one.
  func lines() -> [StyledText] {
    var ticks = ""
    let start = (range.lowerBound + step - 1) / step * step
    for number in stride(from: start, through: range.upperBound, by: step) {
      let margin = column(of: number) - ticks.count
      guard margin >= (ticks.isEmpty ? 0 : 2) else { continue }
      ticks += String(repeating: " ", count: margin) + "\(number)"
    }
    let column = column(of: position)
    let mark = "#\(position) of \(range.upperBound)"
    let line =
      column + 2 + mark.count > width && column > mark.count
      ? String(repeating: " ", count: column - mark.count - 1) + mark + " ▲"
      : String(repeating: " ", count: column) + "▲ " + mark
    return [StyledText(ticks, .dim), StyledText(line, .bold)]
  }

  /// The distance between the numbers below the columns: 1, 2 or 5 times a power of ten.
  private var step: Int {
    let room = "\(range.upperBound)".count + 3
    let wanted = max(1, (room * range.count + width - 1) / width)
    var power = 1
    while power * 10 <= wanted { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= wanted } ?? wanted
  }
}

// MARK: - Bands

/// Draws the values of one field.
private enum Band {
  private static let levels: [Character] = Array("▁▂▃▄▅▆▇█")
  private static let fills: [Character] = ["░", "█"]

  /// A character for each column.
  static func cells(of field: HistorySeries.Field, _ axis: TimeAxis) -> [Character] {
    let samples = field.points.map(\.sample)
    let columns = (0..<axis.width).map { axis.numbers(at: $0) }
    if samples.allSatisfy({ $0.isBoolean }) {
      return columns.map { field.samples(in: $0).contains(.boolean(true)) ? "█" : "░" }
    }
    if let bounds = bounds(samples) {
      return columns.map { level(field.sample(at: $0.upperBound), in: bounds) }
    }
    return labels(columns.map { field.sample(at: $0.upperBound).text })
  }

  /// The least and the greatest number, for a sparkline; empty otherwise.
  static func note(on field: HistorySeries.Field) -> String {
    let samples = field.points.map(\.sample)
    guard let bounds = bounds(samples) else { return "" }
    func text(_ value: Double) -> String {
      samples.first { $0.value == value }?.text ?? ""
    }
    let isSize = samples.contains { if case .size = $0 { true } else { false } }
    let range = "\(text(bounds.lowerBound)) … \(text(bounds.upperBound))"
    return isSize ? range + (bounds.upperBound == 1 ? " element" : " elements") : range
  }

  /// The least and the greatest of samples that are numbers or nothing; nil for others.
  private static func bounds(_ samples: [HistorySeries.Sample]) -> ClosedRange<Double>? {
    let values = samples.compactMap(\.value)
    guard let least = values.min(), let greatest = values.max(),
      samples.allSatisfy({ $0.value != nil || $0 == .none })
    else { return nil }
    return least...greatest
  }

  private static func level(
    _ sample: HistorySeries.Sample, in bounds: ClosedRange<Double>
  ) -> Character {
    guard let value = sample.value else { return " " }
    // Halves, as the difference of two numbers can be too large.
    let height = bounds.upperBound / 2 - bounds.lowerBound / 2
    guard height > 0 else { return levels[0] }
    let part = (value / 2 - bounds.lowerBound / 2) / height
    return levels[min(levels.count - 1, max(0, Int(part * Double(levels.count - 1) + 0.5)))]
  }

  /// A band for each stretch of the same label, with the label in it if there is room.
  private static func labels(_ labels: [String]) -> [Character] {
    var cells: [Character] = []
    var start = 0
    var isOdd = false
    while start < labels.count {
      let end = labels[start...].firstIndex { $0 != labels[start] } ?? labels.count
      let name = Self.name(labels[start], columns: end - start)
      let fill = fills[isOdd ? 1 : 0]
      cells += name + Array(repeating: fill, count: end - start - name.count)
      isOdd.toggle()
      start = end
    }
    return cells
  }

  /// The part of a label that fits, if enough of it does.
  private static func name(_ label: String, columns: Int) -> [Character] {
    let name = StyledText(label).fitted(to: columns)
    // A wide character takes two columns, and so the place of two others.
    guard name.columns == name.text.count, name.text == label || columns >= shortestName else {
      return []
    }
    return Array(name.text)
  }

  /// The minimum number of columns for a label that is cut off.
  private static let shortestName = 4
}

extension HistorySeries.Sample {
  fileprivate var isBoolean: Bool { if case .boolean = self { true } else { false } }

  /// The number or size; nil for anything else.
  fileprivate var value: Double? {
    switch self {
    case .number(let value, _): value
    case .size(let count): Double(count)
    default: nil
    }
  }

  fileprivate var text: String {
    switch self {
    case .none: "nil"
    case .boolean(let value): "\(value)"
    case .number(_, let text): text
    case .size(let count): count.grouped
    case .label(let label): label
    }
  }
}
