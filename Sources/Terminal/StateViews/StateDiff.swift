package import PrimereplLineEditing
package import StateStore

/// The differences between the states after two actions, a line for each.
///
///     #3 → #12
///     counter.count 7 → 8
///     todo.items[1] +{ id = 1, text = "milk", done = false }
///
/// Values that are too long for one line have a line with `-` for the earlier one, and a line with `+` for the later one.
package struct StateDiff {
  private let heading: String
  private let differences: BoundedDifferences
  /// The text of a value at a path, earlier or later, of a type that needs more than the value; nil for others.
  private let shownText:
    (_ value: StateValue, _ path: String, _ isNew: Bool, _ limit: Int) -> String?

  /// Compares the states after two actions of the history, or after one and at present.
  ///
  /// - Throws: `StoreError` if the history doesn't contain an action.
  package init(from first: Int, to second: Int? = nil, in store: Store) throws {
    let history = store.contents
    let second = second ?? history.position
    self.init(
      from: try history.states(after: first), to: try history.states(after: second), store.schema,
      heading: "#\(first) → #\(second)")
  }

  package init(from old: States, to new: States, _ schema: StoreSchema, heading: String = "") {
    self.heading = heading
    differences = schema.differences(
      from: old, to: new, comparingAtMost: ChangeText.comparisonLimit, computingAll: false)
    shownText = { value, path, isNew, limit in
      schema.shownText(of: value, at: path, in: isNew ? new : old, limit: limit)
    }
  }

  /// Compares two states as values, such as those of different schemas.
  package init(from old: StateValue, to new: StateValue) {
    heading = ""
    shownText = { _, _, _, _ in nil }
    differences = BoundedDifferences(
      from: old, to: new, comparingAtMost: ChangeText.comparisonLimit)
  }

  package var isEmpty: Bool { differences.isEmpty }

  /// The paths of derived values that weren't compared, as computing them would take long.
  package var uncomputed: [String] { differences.uncomputed }

  /// A difference as texts: a part with its earlier and its later value, which are nil where there was none.
  package struct Part {
    package let path: String
    package let old: String?
    package let new: String?
  }

  /// The differences, with values of up to `limit` columns.
  package func parts(limit: Int) -> [Part] {
    let changed = differences.parts.flatMap { part -> [Part] in
      func text(_ value: StateValue?, _ isNew: Bool) -> String? {
        value.map { shownText($0, part.path, isNew, limit) ?? $0.shown(limit: limit) }
      }
      guard case .removed(let list) = part.kind, case .list(let elements, _)? = part.new else {
        return [Part(path: part.path, old: text(part.old, false), new: text(part.new, true))]
      }
      return elements.map { Part(path: list, old: text($0, false), new: nil) }
    }
    let replaced = differences.replacements.map { list in
      Part(
        path: list.path, old: list.oldCount.counted("element"),
        new: list.newCount.counted("element"))
    }
    return changed + replaced
  }

  package func lines(in size: ScreenSize) -> [StyledText] {
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
      for list in differences.replacements where lines.count < room {
        lines.append(StyledText(list.phrase))
        shown += 1
      }
    }
    lines += differences.uncomputed.map { StyledText("\($0) not computed") }
    let rest = differences.parts.count + differences.replacements.count - shown
    if rest > 0 { lines.append(StyledText("... \(rest.counted("more difference"))", .dim)) }
    if isEmpty { lines.append(StyledText("no difference", .dim)) }
    return (title + lines).map { $0.fitted(to: size.columns) }
  }

  /// The lines of a difference; those of removed elements leave out what doesn't fit into `room`.
  private func lines(of part: StateDifference, _ room: Int, columns: Int) -> [StyledText] {
    let limit = max(20, columns)
    func text(_ value: StateValue?) -> String { (value ?? .none).shown(limit: limit) }
    func partText(_ value: StateValue, _ isNew: Bool) -> String {
      shownText(value, part.path, isNew, limit) ?? text(value)
    }
    switch (part.kind, part.new) {
    case (.removed(let list), .list(let elements, _)?):
      let count = elements.count <= room ? elements.count : max(0, room - 1)
      let lines = elements.prefix(count).map { StyledText("\(list) −\(text($0))", Self.earlier) }
      let rest = elements.count - count
      guard rest > 0 else { return lines }
      return lines + [StyledText("\(list) −\(rest.counted("more element"))", Self.earlier)]
    case (.inserted, let element):
      return [StyledText("\(part.path) +\(text(element))", Self.later)]
    default:
      let phrase = StyledText(part.phrase(partText))
      guard phrase.columns > columns, part.old != nil, part.new != nil else { return [phrase] }
      return [
        StyledText("- \(part.path) \(partText(part.old ?? .none, false))", Self.earlier),
        StyledText("+ \(part.path) \(partText(part.new ?? .none, true))", Self.later),
      ]
    }
  }

  private static let earlier = Style(.red)
  private static let later = Style(.green)
}
