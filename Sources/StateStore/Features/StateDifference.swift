/// A part of the state that differs between two states.
///
/// Parts are named by their paths: `counter.count`; `todo.items[2].done` for a part of a record, at its position in the
/// new list; `favorites[3]` for an element that was inserted there; and `favorites.removed` for the elements that a
/// list lost.
public struct StateDifference: Equatable, Sendable {
  /// The path of the part.
  public let path: String
  /// The earlier value; nil if there was none, and for elements that a list lost.
  public let old: StateValue?
  /// The new value, or the list of the elements that a list lost, in their old order; nil if there is none.
  public let new: StateValue?

  /// Makes a difference.
  public init(path: String, old: StateValue?, new: StateValue?) {
    (self.path, self.old, self.new) = (path, old, new)
  }

  /// The name, below a list's path, of the elements that the list lost.
  static let removed = "removed"

  package enum Kind: Equatable, Sendable {
    /// It has another value, or has or had none.
    case changed
    case inserted(list: String)
    case removed(list: String)
  }

  package var kind: Kind {
    guard old == nil else { return .changed }
    if path.hasSuffix("]"), let bracket = path.lastIndex(of: "[") {
      return .inserted(list: String(path[..<bracket]))
    }
    if case .list? = new, path.hasSuffix(".\(Self.removed)") {
      return .removed(list: String(path.dropLast(Self.removed.count + 1)))
    }
    return .changed
  }
}

/// The differences between two states, except those within large lists that were replaced.
package struct BoundedDifferences: Sendable {
  package struct Replacement: Equatable, Sendable {
    package let path: String
    package let oldCount: Int
    package let newCount: Int
  }

  package fileprivate(set) var parts: [StateDifference] = []
  package fileprivate(set) var replacements: [Replacement] = []
  /// The paths of derived values that may differ, but would take long to compute.
  package fileprivate(set) var uncomputed: [String] = []

  package var isEmpty: Bool { parts.isEmpty && replacements.isEmpty && uncomputed.isEmpty }
}

extension BoundedDifferences {
  /// Finds what differs between two records of states, such as snapshots of stores with different features.
  ///
  /// - Complexity: O(size of the values).
  package init(from old: StateValue, to new: StateValue, comparingAtMost limit: Int) {
    var comparison = StateComparison(limit: limit)
    comparison.compareMembers(old, new, at: "")
    self = comparison.differences
  }
}

extension StoreSchema {
  /// Finds what differs between two states: the smallest parts that do, and all of them.
  ///
  /// Records are compared member by member, and the elements of lists by their identity: an element's member `id`, or
  /// the element itself. Elements that only have other positions, as others were inserted or removed, don't differ. If
  /// elements changed their order, the whole list differs.
  ///
  /// They are in the order of the fields, and of the elements in the new list.
  ///
  /// - Complexity: O(fields + records that differ · log records), as the states share the other records; O(records) for
  ///   a list that was replaced, or whose elements changed their order.
  public func differences(from old: States, to new: States) -> [StateDifference] {
    differences(from: old, to: new, comparingAtMost: .max, computingAll: true).parts
  }

  /// Finds what differs between two states, without comparing large lists element by element.
  ///
  /// If one list replaced another, elements are compared only if both have at most `limit` together. Derived values that take
  /// long to compute are compared only with `computesAll`.
  ///
  /// - Complexity: O(fields + records that differ · log records), plus O(`limit`) for each list that was replaced.
  package func differences(
    from old: States, to new: States, comparingAtMost limit: Int, computingAll computesAll: Bool
  ) -> BoundedDifferences {
    var comparison = StateComparison(limit: limit)
    let features = new.features(differingFrom: old)
    for field in fields where field.sources.intersects(features) {
      switch field.content {
      case .list(let list):
        comparison.compare(
          list, old.slots[field.index], new.slots[field.index], at: field.path)
      case .value, .awaiting, .computed:
        if computesAll && field.isListView { continue }
        if !computesAll && (field.summarize != nil || field.isListView) {
          comparison.compareSummaries(of: field, old, new)
          continue
        }
        let (old, new) = (field.value(in: old), field.value(in: new))
        if field.type.hasParts {
          comparison.compare(old, new, at: field.path)
        } else {
          // Its parts, if it has any, have no paths.
          comparison.compareValues(old, new, at: field.path)
        }
      }
    }
    return comparison.differences
  }
}

/// Collects the differences between values.
private struct StateComparison {
  /// The maximum number of elements of two lists that are compared if one replaced the other.
  let limit: Int

  private(set) var differences = BoundedDifferences()

  mutating func compareSummaries(of field: AnyField, _ old: States, _ new: States) {
    let path = field.path
    // The new one first: if it takes long, the old one isn't needed.
    guard let new = field.summary(in: new), let old = field.summary(in: old) else {
      return differences.uncomputed.append(path)
    }
    switch (old, new) {
    case (.members(let old), .members(let new)): compareMembers(old, new, at: path)
    case (.count(let old), .count(let new)):
      guard old != new else { return }
      differences.replacements.append(.init(path: path, oldCount: old, newCount: new))
    default: compareValues(old.value, new.value, at: path)
    }
  }

  private mutating func add(_ path: String, _ old: StateValue?, _ new: StateValue?) {
    func value(_ value: StateValue?) -> StateValue? { value == StateValue.none ? nil : value }
    differences.parts.append(StateDifference(path: path, old: value(old), new: value(new)))
  }

  /// Compares values without looking at their parts.
  mutating func compareValues(_ old: StateValue, _ new: StateValue, at path: String) {
    if old != new { add(path, old, new) }
  }

  mutating func compare(_ old: StateValue, _ new: StateValue, at path: String) {
    guard old != new else { return }
    switch (old, new) {
    case (.record(let old), .record(let new))
    where old.count == new.count && zip(old, new).allSatisfy { $0.name == $1.name }:
      for (old, new) in zip(old, new) { compare(old.value, new.value, at: "\(path).\(new.name)") }
    case (.list(let old, members: []), .list(let new, members: [])):
      compare(elements: old, new, at: path)
    default:
      add(path, old, new)
    }
  }

  /// Compares two records, which can have different members.
  mutating func compareMembers(_ old: StateValue, _ new: StateValue, at path: String) {
    guard case .record(let oldMembers) = old, case .record(let newMembers) = new else {
      return compare(old, new, at: path)
    }
    for member in newMembers {
      let path = path.isEmpty ? member.name : "\(path).\(member.name)"
      compareMembers(old[member.name] ?? .none, member.value, at: path)
    }
    for member in oldMembers where new[member.name] == nil {
      add(path.isEmpty ? member.name : "\(path).\(member.name)", member.value, nil)
    }
  }

  // MARK: - Lists

  mutating func compare(
    _ list: StateList, _ old: AnyFeatureState, _ new: AnyFeatureState, at path: String
  ) {
    switch list.edits(old, new) {
    case nil: break
    case .replaced(let old, let new)?: compareWhole(old, new, at: path)
    case .edits(let edits)?:
      let changes = ElementChanges(edits, isNewestFirst: list.records?.isNewestFirst(new) ?? false)
      guard !changes.hasMoved else {
        return compareWhole(list.elements(old), list.elements(new), at: path)
      }
      for change in changes.changes {
        let path = "\(path)[\(change.position + 1)]"
        if let old = change.old {
          compare(old, change.new, at: path)
        } else {
          add(path, nil, change.new)
        }
      }
      addRemoved(changes.removed, at: path)
    }
  }

  private mutating func compareWhole(
    _ old: ListElements<StateValue>, _ new: ListElements<StateValue>, at path: String
  ) {
    guard limit - old.count >= new.count else {
      differences.replacements.append(
        .init(path: path, oldCount: old.count, newCount: new.count))
      return
    }
    compare(elements: Array(old), Array(new), at: path)
  }

  private mutating func compare(
    elements old: [StateValue], _ new: [StateValue], at path: String
  ) {
    guard let earlier = Self.positions(of: old), let later = Self.positions(of: new),
      Self.areAscending(new.compactMap { earlier[$0.identity] })
    else { return add(path, .list(old), .list(new)) }
    for (position, element) in new.enumerated() {
      let path = "\(path)[\(position + 1)]"
      if let position = earlier[element.identity] {
        compare(old[position], element, at: path)
      } else {
        add(path, nil, element)
      }
    }
    addRemoved(old.filter { later[$0.identity] == nil }, at: path)
  }

  private mutating func addRemoved(_ elements: [StateValue], at path: String) {
    if !elements.isEmpty { add("\(path).\(StateDifference.removed)", nil, .list(elements)) }
  }

  /// The positions of elements by their identities; nil if identities repeat or one is missing.
  private static func positions(of elements: [StateValue]) -> [StateValue: Int]? {
    var positions = [StateValue: Int](minimumCapacity: elements.count)
    for (position, element) in elements.enumerated() {
      let identity = element.identity
      guard identity != .none, positions.updateValue(position, forKey: identity) == nil else {
        return nil
      }
    }
    return positions
  }

  private static func areAscending(_ positions: [Int]) -> Bool {
    zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }
  }
}

/// The edits between two lists, with the positions of elements in the new one.
private struct ElementChanges {
  /// The elements that were inserted, whose old values are nil, and those that changed; in the order of the new list.
  private(set) var changes: [(position: Int, old: StateValue?, new: StateValue)] = []
  /// In the order of the old list.
  private(set) var removed: [StateValue] = []

  /// - Parameters:
  ///   - edits: The edits, as from `RecordList.edits(since:as:)`: first the removals, and each group in the order of the
  ///     records' sequence numbers.
  ///   - isNewestFirst: Whether this is from the end of the list to its beginning.
  init(_ edits: [ListEdit<StateValue>], isNewestFirst: Bool) {
    // Edits from the beginning of the list to its end don't move the elements of earlier ones; in the other direction,
    // they do.
    var shift = 0
    for edit in isNewestFirst ? edits.reversed() : edits {
      switch edit {
      case .inserted(let position, let element):
        changes.append((position + shift, nil, element))
        if isNewestFirst { shift += 1 }
      case .removed(_, let element):
        removed.append(element)
      case .changed(let position, let old, let new):
        changes.append((position + shift, old, new))
      }
    }
  }

  /// Whether an element was removed and inserted again.
  var hasMoved: Bool {
    guard !removed.isEmpty else { return false }
    let removed = Set(removed.map(\.identity))
    return changes.contains { $0.old == nil && removed.contains($0.new.identity) }
  }
}

extension DerivedSummary {
  var value: StateValue {
    switch self {
    case .value(let value), .members(let value): value
    case .count(let count): .integer(count)
    }
  }
}

extension StateValue {
  /// The value that identifies an element in its list: its id, or the element itself.
  fileprivate var identity: StateValue { self["id"] ?? self }
}
