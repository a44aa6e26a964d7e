/// The state of a declared feature while an action changes it.
///
/// Changes are made in place: the state is a persistent one, so they cost what they change, whatever its size.
package final class DeclaredDraft {
  private let feature: String
  private let identifiers: NewIdentifiers
  /// Nil after the end of the action.
  ///
  /// A draft that code keeps mustn't keep the state, as changing that would copy it, nor the feature, whose code keeps the
  /// draft.
  private var box: DeclaredFeatureState?
  init(_ box: DeclaredFeatureState, _ identifiers: NewIdentifiers) {
    (self.box, self.identifiers, feature) = (box, identifiers, box.name)
  }

  /// Whether the action was done before, and is only repeated.
  package var isRepeated: Bool { identifiers.isRepeated }

  /// Ends the action: the draft can't be used any more.
  func end() { box = nil }

  /// - Throws: ``DraftError`` after the end of the action.
  private func activeBox() throws -> DeclaredFeatureState {
    guard let box else { throw DraftError.ended(feature) }
    return box
  }

  /// - Throws: ``DraftError`` after the end of the action.
  package var state: AnyFeatureState {
    get throws { try activeBox() }
  }

  /// Assigns the value at an index; it must be of its type.
  ///
  /// - Throws: ``ReferenceError``, or ``DraftError`` after the end of the action.
  package func set(_ value: StateValue, at index: Int, of type: ValueType, path: String) throws {
    let box = try activeBox()
    try box.checkReference(value, of: type, at: path)
    box.state.values[index] = value
  }

  /// Inserts a record, and returns its id, the next one of its list; the values must be of the parts' types.
  ///
  /// Without a position, which counts from 0, the record is appended. A sorted list has its own order.
  ///
  /// - Throws: ``ReferenceError``, or ``DraftError`` after the end of the action.
  package func insert(
    _ values: [StateValue], at position: Int? = nil, in list: DeclaredList
  ) throws -> Int {
    let box = try activeBox()
    try box.checkReferences(values, of: list.record, at: "\(feature).\(list.name)")
    return try box.change(list) { records in
      let id = identifiers.next(
        IdentifierKind("\(feature).\(list.name)"), after: records.maximumID ?? 0
      ) { records.contains(id: $0) }
      let record = DeclaredRecord(id: id, values, of: list.record)
      let sorted = list.sortingPart.map { records.position(of: values[$0], by: $0) }
      if let position = sorted ?? position {
        try records.insert(record, at: position)
      } else {
        try records.append(record)
      }
      return id
    }
  }

  /// Assigns a part of a record; the value must be of the part's type.
  ///
  /// - Returns: Whether the list has the record.
  /// - Throws: ``ReferenceError``, or ``DraftError`` after the end of the action.
  package func set(
    _ value: StateValue, at part: Int, ofRecord id: Int, in list: DeclaredList
  ) throws -> Bool {
    try activeBox().assign(value, to: part, ofRecord: id, in: list)
  }

  /// Moves a record to a position from 0.
  ///
  /// - Returns: Whether the list has the record.
  package func move(_ id: Int, to position: Int, in list: DeclaredList) throws -> Bool {
    try activeBox().change(list) { try $0.move(id: id, to: position) }
  }

  /// Removes records, and removes or clears what refers to them, as the references say.
  ///
  /// - Throws: ``ReferenceError``, or ``DraftError`` after the end of the action.
  package func remove(_ ids: [Int], from list: DeclaredList) throws {
    try activeBox().remove(ids, from: list)
  }

  /// Removes all records; see ``remove(_:from:)``.
  package func removeAll(from list: DeclaredList) throws {
    let box = try activeBox()
    guard box.declaration.references.refer(to: list) else {
      return box.change(list) { $0.removeAll() }
    }
    try box.remove(box.state.lists[list.index].map(\.id), from: list)
  }

  package func changeSet<Result>(
    at index: Int, _ change: (inout DeclaredSet) -> Result
  ) throws -> Result {
    change(&(try activeBox()).state.sets[index])
  }
}

extension DeclaredFeatureState {
  func change<Result>(
    _ list: DeclaredList, _ body: (inout RecordList<DeclaredRecord>) throws -> Result
  ) rethrows -> Result {
    startLog(list.index)
    return try body(&state.lists[list.index])
  }

  /// Assigns a part of a record as a part of an action; the value must be of the part's type.
  ///
  /// - Returns: Whether the list has the record.
  /// - Throws: ``ReferenceError`` if it is to refer to a record that isn't there.
  func assign(
    _ value: StateValue, to part: Int, ofRecord id: Int, in list: DeclaredList
  ) throws -> Bool {
    let type = list.record.parts[part]
    try checkReference(
      value, of: type.type, at: "\(declaration.name).\(list.name): \(type.name)")
    return try set(value, at: part, ofRecord: id, in: list)
  }

  /// Assigns a part of a record, without a check of what it refers to.
  func set(
    _ value: StateValue, at part: Int, ofRecord id: Int, in list: DeclaredList
  ) throws -> Bool {
    try change(list) { records in
      let found = records.update(id: id) { $0.values[part] = value }
      if part == list.sortingPart { try records.sort(id: id, by: part) }
      return found
    }
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
