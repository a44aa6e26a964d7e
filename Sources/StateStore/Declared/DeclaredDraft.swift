/// The state of a declared feature while an action changes it.
///
/// Changes are made in place: the state is a persistent one, so they cost what they change, whatever its size.
package final class DeclaredDraft {
  /// The name of the feature.
  private let feature: String
  private let identifiers: IdentifierTape
  /// Nil after the end of the action.
  ///
  /// A draft that code keeps mustn't keep the state, as changing that would copy it, nor the feature, whose code keeps the
  /// draft.
  private var box: DeclaredFeatureState?
  /// The inverses of the changes so far.
  private var inverses: [Inverse] = []
  /// Whether the inverses contain all values, and the indexes of the lists and sets that they contain as a whole: further
  /// changes of those need no inverse.
  private var saved: (values: Bool, lists: [Int], sets: [Int]) = (false, [], [])

  /// The inverse of a change.
  ///
  /// Keeping the earlier lists instead makes the first changes copy parts of them, which only pays for many changes.
  private enum Inverse {
    case values([StateValue])
    case part(StateValue, at: Int, id: Int, list: Int)
    case append(id: Int, nextNumber: Int, list: Int)
    indirect case list(RecordList<DeclaredRecord>, at: Int)
    case set(DeclaredSet, at: Int)

    func apply(to state: inout DeclaredState) {
      switch self {
      case .values(let values): state.values = values
      case .part(let value, let part, let id, let list):
        state.lists[list].update(id: id) { $0.values[part] = value }
      case .append(let id, let nextNumber, let list):
        _ = state.lists[list].remove(id: id)
        state.lists[list].nextNumber = nextNumber
      case .list(let list, let index): state.lists[index] = list
      case .set(let set, let index): state.sets[index] = set
      }
    }
  }

  /// The number of inverses from which on changed lists are kept as a whole.
  private static let greatestCount = 100

  init(_ box: DeclaredFeatureState, _ identifiers: IdentifierTape) {
    (self.box, self.identifiers, feature) = (box, identifiers, box.name)
  }

  /// Whether the action was done before, and is only repeated.
  package var isRepeated: Bool { identifiers.isRepeated }

  /// Takes back all changes, the last ones first.
  func revert() {
    guard let box else { return }
    while let inverse = inverses.popLast() { inverse.apply(to: &box.state) }
  }

  /// Ends the action: the draft can't be used any more.
  func end() { (box, inverses) = (nil, []) }

  /// - Throws: ``DraftError`` after the end of the action.
  private func activeBox() throws -> DeclaredFeatureState {
    guard let box else { throw DraftError.ended(feature) }
    return box
  }

  /// The box that the action changes.
  ///
  /// - Throws: ``DraftError`` after the end of the action.
  package var state: AnyFeatureState {
    get throws { try activeBox() }
  }

  /// The ids of the records of a list now.
  package func ids(in list: DeclaredList) throws -> [Int] {
    try activeBox().state.lists[list.index].map(\.id)
  }

  /// Assigns the value at an index; it must be of its type.
  package func set(_ value: StateValue, at index: Int) throws {
    let box = try activeBox()
    if !saved.values {
      inverses.append(.values(box.state.values))
      saved.values = true
    }
    box.state.values[index] = value
  }

  /// Inserts a record, with the next id of its list.
  ///
  /// - Parameters:
  ///   - values: The values of its parts, which must be of their types.
  ///   - position: The position from 0; nil to append it. A sorted list has its own order.
  ///   - list: The list's field.
  /// - Returns: The id.
  /// - Throws: ``DraftError`` after the end of the action.
  package func insert(
    _ values: [StateValue], at position: Int? = nil, in list: DeclaredList
  ) throws -> Int {
    let box = try activeBox()
    let id = identifiers.next(for: list, in: box.state.lists[list.index], of: feature)
    let record = DeclaredRecord(id: id, values, of: list.type.record)
    let sorted = list.type.sortingPart.map {
      box.state.lists[list.index].position(of: values[$0], by: $0)
    }
    if let position = sorted ?? position {
      save(list: list.index, of: box)
      try box.state.lists[list.index].insert(record, at: position)
    } else {
      if inverses.count >= Self.greatestCount { save(list: list.index, of: box) }
      let nextNumber = box.state.lists[list.index].nextNumber
      try box.state.lists[list.index].append(record)
      if !saved.lists.contains(list.index) {
        inverses.append(.append(id: id, nextNumber: nextNumber, list: list.index))
      }
    }
    return id
  }

  /// Assigns a part of a record; the value must be of the part's type.
  ///
  /// - Returns: Whether the list has the record.
  package func set(
    _ value: StateValue, at part: Int, ofRecord id: Int, in list: DeclaredList
  ) throws -> Bool {
    let box = try activeBox()
    let isSorting = part == list.type.sortingPart
    if isSorting || inverses.count >= Self.greatestCount { save(list: list.index, of: box) }
    var earlier = StateValue.none
    let found = box.state.lists[list.index].update(id: id) { record in
      earlier = record.values[part]
      record.values[part] = value
    }
    if isSorting {
      try box.state.lists[list.index].sort(id: id, by: part)
    } else if found, !saved.lists.contains(list.index) {
      inverses.append(.part(earlier, at: part, id: id, list: list.index))
    }
    return found
  }

  /// Moves a record to a position from 0.
  ///
  /// - Returns: Whether the list has the record.
  package func move(_ id: Int, to position: Int, in list: DeclaredList) throws -> Bool {
    try changeList(at: list.index) { try $0.move(id: id, to: position) }
  }

  /// Removes a record.
  ///
  /// - Returns: Whether the list had it.
  package func remove(_ id: Int, from list: DeclaredList) throws -> Bool {
    try changeList(at: list.index) { $0.remove(id: id) != nil }
  }

  /// Removes all records.
  package func removeAll(from list: DeclaredList) throws {
    try changeList(at: list.index) { $0.removeAll() }
  }

  private func changeList<Result>(
    at index: Int, _ change: (inout RecordList<DeclaredRecord>) throws -> Result
  ) throws -> Result {
    let box = try activeBox()
    save(list: index, of: box)
    return try change(&box.state.lists[index])
  }

  private func save(list index: Int, of box: DeclaredFeatureState) {
    guard !saved.lists.contains(index) else { return }
    saved.lists.append(index)
    inverses.append(.list(box.state.lists[index], at: index))
  }

  /// Changes the set at an index.
  package func changeSet<Result>(
    at index: Int, _ change: (inout DeclaredSet) -> Result
  ) throws -> Result {
    let box = try activeBox()
    if !saved.sets.contains(index) {
      saved.sets.append(index)
      inverses.append(.set(box.state.sets[index], at: index))
    }
    return change(&box.state.sets[index])
  }
}

/// A list of a declared state: its place, its name and its type.
package struct DeclaredList: Sendable {
  package let name: String
  package let index: Int
  package let type: DeclaredListType

  /// The list of a field; nil for another field.
  package init?(_ field: DeclaredFeature.Field) {
    guard case .list(let type, let index) = field.kind else { return nil }
    (name, self.index, self.type) = (field.name, index, type)
  }
}

/// Why a draft can't be used.
package typealias DraftError = PlainError<DeclaredDraft>

extension DraftError {
  static func ended(_ feature: String) -> Self {
    Self(
      "draft_ended",
      "This is the state of an action of \(feature) that has ended: use the module \(feature) instead."
    )
  }
}

/// The identifiers of the records that an action adds, in the order in which it adds them.
///
/// They are chosen when the action is first done, and belong to it from then on: repeated on top of other actions, it
/// gives its records the same ones.
package final class IdentifierTape: @unchecked Sendable {
  // Unchecked: it is written while its action is first done, before anything else knows the action, and only read
  // afterwards; the position belongs to the actor of the store that repeats it.
  private(set) var identifiers: [Int]
  /// Whether the action was done before.
  var isRepeated: Bool { source == nil }
  private var source: (any IdentifierSource)?
  private var unused: [IdentifierKind: [Int]] = [:]
  /// The identifiers that the source gave.
  private(set) var taken: [(IdentifierKind, Int)] = []
  private var position = 0

  /// The action's result when it was first done, for the script that sent it.
  fileprivate(set) var result: DeclaredResult?

  /// Makes the tape of an action that is being done for the first time.
  init(from source: any IdentifierSource, unused: [IdentifierKind: [Int]]) {
    (self.source, self.unused) = (source, unused)
    identifiers = []
  }

  /// Makes the tape of a stored action.
  init(_ identifiers: [Int]) { self.identifiers = identifiers }

  /// Returns to the beginning, to repeat the action.
  func rewind() { position = 0 }

  /// Notes the action's result, unless it is repeated.
  func note(_ result: DeclaredResult) { if !isRepeated { self.result = result } }

  /// Ends the choice of identifiers, and returns the action's result.
  func seal(leaving unused: inout [IdentifierKind: [Int]]) -> DeclaredResult? {
    unused = self.unused
    (source, self.unused, taken) = (nil, [:], [])
    defer { result = nil }
    return result
  }

  fileprivate func next(
    for list: DeclaredList, in records: RecordList<DeclaredRecord>, of feature: String
  ) -> Int {
    defer { position += 1 }
    if position < identifiers.count, !records.contains(id: identifiers[position]) {
      return identifiers[position]
    }
    let greatest = records.greatestID ?? 0
    guard let source else {
      // A reducer that adds more records now than when the action was first done.
      var id = greatest == .max ? 1 : greatest + 1
      while records.contains(id: id) { id += 1 }
      return id
    }
    let kind = IdentifierKind("\(feature).\(list.name)")
    let id: Int
    if let known = unused.removeFirst(of: kind), known > greatest, !records.contains(id: known) {
      id = known
    } else {
      id = source.next(kind, after: greatest) { records.contains(id: $0) }
      taken.append((kind, id))
    }
    identifiers.append(id)
    return id
  }
}
