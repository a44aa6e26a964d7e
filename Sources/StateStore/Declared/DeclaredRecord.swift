import PrimereplFoundation

/// A record of a declared list.
package struct DeclaredRecord: Record {
  /// The id, which the list gives it.
  package let id: Int

  /// The values of the type's parts, in their order.
  package internal(set) var values: [StateValue]

  /// The type, which all records of a list share.
  let type: RecordType

  init(id: Int, _ values: [StateValue], of type: RecordType) {
    (self.id, self.values, self.type) = (id, values, type)
  }

  package var stateValue: StateValue {
    .record([StateValue.Member(name: "id", value: .integer(id))] + type.members(of: values))
  }

  /// Whether two records of a list are the same.
  package static func == (left: DeclaredRecord, right: DeclaredRecord) -> Bool {
    left.id == right.id && left.values == right.values
  }

  package func encode(to encoder: any Encoder) throws {
    try EncodedStateValue(stateValue).encode(to: encoder)
  }

  /// Throws: a declared record is decoded by its type.
  package init(from decoder: any Decoder) throws {
    throw DocumentError(decoder.codingPath, "its type isn't known")
  }
}

extension DeclaredRecord: DecodableWithConfiguration {
  /// Decodes a record of a type; missing parts have their initial values.
  package init(from decoder: any Decoder, configuration type: RecordType) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    self.init(
      id: try container.decode(Int.self, forKey: AnyKey("id")), try type.values(in: container),
      of: type)
  }
}

/// The elements of a declared set, integers or texts, in ascending order.
package struct DeclaredSet: Equatable, Sendable {
  private(set) var tree = SortedTree<SortKey, SortKey>()

  init() {}

  init(_ elements: [SortKey]) {
    for element in elements { tree.set(element, for: element) }
  }

  var count: Int { tree.count }

  subscript(position: Int) -> SortKey { tree[position: position].value }

  func contains(_ element: SortKey) -> Bool { tree.contains(element) }

  /// Adds an element; returns false if the set has it already.
  package mutating func insert(_ element: SortKey) -> Bool {
    guard !contains(element) else { return false }
    tree.set(element, for: element)
    return true
  }

  /// Removes an element; returns false if the set doesn't have it.
  package mutating func remove(_ element: SortKey) -> Bool { tree.remove(element) != nil }

  package mutating func removeAll() { tree = SortedTree() }

  package static func == (left: DeclaredSet, right: DeclaredSet) -> Bool {
    left.tree == right.tree
      || left.count == right.count && (0..<left.count).allSatisfy { left[$0] == right[$0] }
  }

  var elements: ListElements<StateValue> {
    ListElements(count: count) { [self] in self[$0].stateValue }
  }

  /// The edits from another set to this one, the removals first; nil if they are the same.
  func edits(since old: DeclaredSet) -> ListEdits<StateValue>? {
    var removals: [ListEdit<StateValue>] = []
    var insertions: [ListEdit<StateValue>] = []
    tree.compare(with: old.tree, areSame: ==) { position, _, difference in
      switch difference {
      case .inserted(let element):
        insertions.append(.inserted(position: position, element.stateValue))
      case .removed(let element):
        removals.append(
          .removed(position: position - insertions.count, element.stateValue))
      case .changed: break
      }
    }
    return removals.isEmpty && insertions.isEmpty ? nil : .edits(removals + insertions)
  }
}

// MARK: - Sorted lists

extension RecordList<DeclaredRecord> {
  /// The position at which a record belongs in a list that is sorted by a part: after all that aren't greater.
  ///
  /// - Complexity: O(log² `count`).
  func position(of value: StateValue, by part: Int) -> Int {
    partitioningIndex { value.sorts(before: $0.values[part]) }
  }

  /// The id of the record with a key in a map, which is sorted by the keys; nil if there is none.
  ///
  /// - Complexity: O(log² `count`).
  func id(ofKey key: StateValue) -> Int? {
    let position = position(of: key, by: 0)
    guard position > 0, self[position - 1].values[0] == key else { return nil }
    return self[position - 1].id
  }

  /// Moves a record, whose value of a part has changed, to where it belongs.
  mutating func sort(id: Int, by part: Int) throws {
    guard let position = position(ofID: id) else { return }
    let value = self[position].values[part]
    let isInOrder =
      (position == 0 || !value.sorts(before: self[position - 1].values[part]))
      && (position + 1 == count || !self[position + 1].values[part].sorts(before: value))
    guard !isInOrder, let record = remove(id: id) else { return }
    try insert(record, at: self.position(of: value, by: part))
  }
}

extension [DeclaredRecord] {
  /// The records in the order of a part; those with equal values keep their order.
  func sorted(by part: Int) -> [DeclaredRecord] {
    enumerated().sorted { left, right in
      let (value, other) = (left.element.values[part], right.element.values[part])
      if value.sorts(before: other) { return true }
      return !other.sorts(before: value) && left.offset < right.offset
    }.map(\.element)
  }
}

extension StateValue {
  /// Whether the value comes before another one of the same type in a sorted list; none comes first.
  package func sorts(before other: StateValue) -> Bool {
    switch (self, other) {
    case (.none, .none): false
    case (.none, _): true
    case (.boolean(let value), .boolean(let other)): !value && other
    case (.integer(let value), .integer(let other)): value < other
    case (.number(let value), .number(let other)): value < other
    case (.text(let value), .text(let other)): value.isBefore(other)
    default: false
    }
  }
}
