import StateStore

/// The course of values over the actions of a history.
struct HistorySeries {
  /// A value at a time, reduced to what can be drawn.
  enum Sample: Equatable {
    case none
    case boolean(Bool)
    /// A finite number, with its exact text.
    case number(Double, String)
    /// The number of elements of a list.
    case size(Int)
    case label(String)
  }

  /// The values of one field: at the beginning, and after each action that changed it.
  struct Field {
    let name: String
    fileprivate(set) var points: [(number: Int, sample: Sample)]

    /// Whether the field changed within the history.
    var hasChanged: Bool { points.count > 1 }

    /// The value after an action.
    func sample(at number: Int) -> Sample {
      points[max(0, firstIndex(after: number) - 1)].sample
    }

    /// The values from an action to another: the first, and those to which it changed.
    func samples(in numbers: ClosedRange<Int>) -> [Sample] {
      let first = max(0, firstIndex(after: numbers.lowerBound) - 1)
      return points[first..<firstIndex(after: numbers.upperBound)].map(\.sample)
    }

    /// The number of the next action that changed the field; nil if none did.
    func nextChange(after number: Int) -> Int? {
      let index = max(1, firstIndex(after: number))
      return index < points.count ? points[index].number : nil
    }

    /// The number of the last action before another one that changed the field; nil if none did.
    func lastChange(before number: Int) -> Int? {
      let index = firstIndex(after: number - 1) - 1
      return index > 0 ? points[index].number : nil
    }

    /// The index of the first point after an action; binary search.
    private func firstIndex(after number: Int) -> Int {
      var (low, high) = (0, points.count)
      while low < high {
        let middle = (low + high) / 2
        if points[middle].number <= number { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// The numbers of the actions after which the states are known.
  let range: ClosedRange<Int>
  let fields: [Field]

  /// Reads the history of fields, with the names under which they are shown.
  ///
  /// - Complexity: O(actions + records that they changed).
  init(_ reader: HistoryReader, of named: [(name: String, field: StateField)]) throws {
    let range = reader.reachable
    let start = try reader.states(after: range.lowerBound)
    let stateFields = named.map(\.field)
    var fields = named.map { name, field in
      Field(name: name, points: [(range.lowerBound, Self.sample(of: field, in: start))])
    }
    try reader.forEachChange(of: stateFields) { number, index, states in
      fields[index].points.append((number, Self.sample(of: stateFields[index], in: states)))
    }
    self.range = range
    self.fields = fields
  }

  /// The maximum length of a label, in characters.
  private static let labelLength = 24

  private static func sample(of field: StateField, in states: States) -> Sample {
    if let elements = field.elements(in: states) { return .size(elements.count) }
    switch field.value(in: states) {
    case .none: return .none
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .number(Double(value), "\(value)")
    case .number(let value): return value.isFinite ? .number(value, "\(value)") : .none
    case .list(let values, _): return .size(values.count)
    case let value: return .label(value.title(limit: labelLength, quoted: false))
    }
  }
}
