import LineEditing
import StateStore

/// The differences between the states after two actions: `-` for the earlier values, `+` for the later ones.
///
///     #3 → #12
///     - counter.count 7
///     + counter.count 8
///     + todo.items[1] { id = 1, text = "milk", done = false }
struct StateDiff {
  private let heading: String
  private let differences: BoundedDifferences

  /// Compares the states after two actions of the history, or after one and at present.
  ///
  /// - Throws: `StoreError` if the history doesn't contain an action.
  init(from first: Int, to second: Int? = nil, in store: Store) throws {
    let reader = store.historyReader
    let second = second ?? reader.position
    self.init(
      from: try reader.states(after: first), to: try reader.states(after: second), store.schema,
      heading: "#\(first) → #\(second)")
  }

  /// Compares two states of a schema's features.
  init(from old: States, to new: States, _ schema: StoreSchema, heading: String = "") {
    self.heading = heading
    differences = schema.differences(
      from: old, to: new, comparingAtMost: ChangeText.comparisonLimit)
  }

  /// Whether there is no difference.
  var isEmpty: Bool { differences.isEmpty }

  /// The lines, as many as fit on the screen.
  func lines(in size: ScreenSize) -> [StyledText] {
    let title = heading.isEmpty ? [] : [StyledText(heading, .bold)]
    let room = max(2, size.rows - 4)
    var lines: [StyledText] = []
    var shown = 0
    for part in differences.parts {
      let added = self.lines(of: part, room - lines.count, columns: size.columns)
      guard lines.count + added.count <= room else { break }
      lines += added
      shown += 1
    }
    if shown == differences.parts.count {
      for list in differences.replacements where lines.count + 2 <= room {
        lines.append(line("-", list.path, list.oldCount.counted("element"), size.columns))
        lines.append(line("+", list.path, list.newCount.counted("element"), size.columns))
        shown += 1
      }
    }
    let rest = differences.parts.count + differences.replacements.count - shown
    if rest > 0 { lines.append(StyledText("... \(rest.counted("more difference"))", .dim)) }
    if isEmpty { lines.append(StyledText("no difference", .dim)) }
    return (title + lines).map { $0.fitted(to: size.columns) }
  }

  /// The lines of a difference; those of removed elements leave out what doesn't fit into `room`.
  private func lines(of part: StateDifference, _ room: Int, columns: Int) -> [StyledText] {
    func value(_ value: StateValue) -> String { value.shown(limit: max(20, columns)) }
    switch (part.kind, part.old, part.new) {
    case (.removed(let list), _, .list(let elements, _)?):
      let count = elements.count <= room ? elements.count : max(0, room - 1)
      let lines = elements.prefix(count).map { line("-", list, value($0), columns) }
      let rest = elements.count - count
      return lines + (rest > 0 ? [line("-", list, "… \(rest.grouped) more", columns)] : [])
    case (.inserted, _, let new):
      return [line("+", part.path, value(new ?? .none), columns)]
    case (_, let old, let new):
      return [
        line("-", part.path, value(old ?? .none), columns),
        line("+", part.path, value(new ?? .none), columns),
      ]
    }
  }

  private func line(_ sign: String, _ path: String, _ value: String, _ columns: Int) -> StyledText {
    StyledText("\(sign) \(path) \(value)", Style(sign == "-" ? .red : .green))
  }
}
