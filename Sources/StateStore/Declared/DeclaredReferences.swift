/// The references to the records of a declared feature's lists.
///
/// A reference is checked when it is assigned, and followed when its record is removed. Only actions do either: what undo, a
/// document or another process brings stays as it is, so a reference can be to a record that isn't there.
struct DeclaredReferences: Sendable {
  /// A field, or a part of a list's records, that refers to records.
  fileprivate enum Referrer: Sendable {
    case field(name: String, place: Int, ReferenceType)
    /// The groups are the records by what they refer to.
    case part(index: Int, list: DeclaredList, ReferenceType, groups: DeclaredQuery)

    var type: ReferenceType {
      switch self {
      case .field(_, _, let type), .part(_, _, let type, _): type
      }
    }
  }

  private let lists: [DeclaredList]
  /// The references to each list, by the places of the lists.
  private let referrers: [[Referrer]]

  init(in fields: [DeclaredFeature.Field]) {
    lists = fields.compactMap(\.list)
    var all: [Referrer] = []
    for field in fields {
      switch field.kind {
      case .value(let type, let place):
        if let type = type.reference { all.append(.field(name: field.name, place: place, type)) }
      case .list(let list):
        for index in list.record.references {
          guard let type = list.record.parts[index].type.reference else { continue }
          all.append(.part(index: index, list: list, type, groups: .init(.groups([]), over: list)))
        }
      case .set: break
      }
    }
    let referrers = all
    self.referrers = lists.map { list in referrers.filter { $0.type.list == list.name } }
  }

  func list(named name: String) -> DeclaredList? { lists.first { $0.name == name } }

  fileprivate func referrers(to list: DeclaredList) -> [Referrer] { referrers[list.index] }

  /// Whether anything refers to the records of a list.
  func refer(to list: DeclaredList) -> Bool { !referrers[list.index].isEmpty }
}

extension DeclaredFeatureState {
  /// Checks that the record to which a value refers is there; the path is that of the value.
  func checkReference(
    _ value: StateValue, of type: ValueType, at path: @autoclosure () -> String
  ) throws {
    guard case .integer(let id) = value, let reference = type.reference,
      let list = declaration.references.list(named: reference.list)
    else { return }
    guard state.lists[list.index].contains(id: id) else {
      throw ReferenceError.missing(id, reference, at: path())
    }
  }

  func checkReferences(
    _ values: [StateValue], of type: RecordType, at path: @autoclosure () -> String
  ) throws {
    for index in type.references {
      let part = type.parts[index]
      try checkReference(values[index], of: part.type, at: "\(path()).\(part.name)")
    }
  }

  /// Removes records, and removes or clears what refers to them, as the references say.
  ///
  /// Ids that the list doesn't have are ignored.
  ///
  /// - Throws: ``ReferenceError`` if something that stays refers to a record, and isn't cleared; then nothing has changed.
  /// - Complexity: O(records that are removed or changed · log records); O(records) for the first removal from a list to which
  ///   another one refers.
  func remove(_ ids: [Int], from list: DeclaredList) throws {
    guard declaration.references.refer(to: list) else {
      return change(list) { records in for id in ids { records.remove(id: id) } }
    }
    var removal = Removal()
    for id in ids where state.lists[list.index].contains(id: id) { removal.add(id, in: list) }
    // Not by recursion: a chain of references can be of any length.
    var next = 0
    while next < removal.records.count {
      let (list, id) = removal.records[next]
      next += 1
      for referrer in declaration.references.referrers(to: list) {
        try collect(referrer, to: id, in: &removal)
      }
    }
    try removal.check(of: declaration.name)
    for place in removal.clearedFields { state.values[place] = .none }
    for (list, id) in removal.records { _ = change(list) { $0.remove(id: id) } }
    for (list, part, id) in removal.clearedParts where !removal.contains(id, in: list) {
      _ = try set(.none, at: part, ofRecord: id, in: list)
    }
  }

  /// Collects the effects of a record's removal on what refers to it in one way.
  private func collect(
    _ referrer: DeclaredReferences.Referrer, to id: Int, in removal: inout Removal
  ) throws {
    let type = referrer.type
    switch referrer {
    case .field(let name, let place, _):
      guard state.values[place] == .integer(id) else { return }
      guard type.removal != .refuse else {
        throw ReferenceError.referred(id, type, by: "\(declaration.name).\(name) refers to it")
      }
      removal.clearedFields.append(place)
    case .part(let part, let list, _, let groups):
      let found = try groups.ids(ofKey: .integer(id), in: self) { $0.values[part] }
      guard !found.isEmpty else { return }
      switch type.removal {
      case .refuse: removal.kept.append((id, type, list, part, found))
      // A map has no keys without values.
      case .clear where !list.isMap:
        removal.clearedParts += found.map { (list, part, $0) }
      case .clear, .remove: for id in found { removal.add(id, in: list) }
      }
    }
  }
}

extension DeclaredFeature {
  /// Checks that references to and from changed records hold, and that maps have different keys.
  func check(_ changes: [Change], in state: AnyFeatureState) throws {
    let box = DeclaredFeatureState.of(state)
    for change in changes {
      switch change {
      case .value(let path, _, _):
        for case .value(let type, let place) in fields.filter({ "\(name).\($0.name)" == path }).map(
          \.kind)
        {
          try box.checkReference(box.state.values[place], of: type, at: path)
        }
      case .record(let path, let id, _):
        guard let list = references.list(named: String(path.dropFirst(name.utf8.count + 1))),
          path == "\(name).\(list.name)"
        else { continue }
        try box.check(id, in: list)
      case .element, .state, .request: break
      }
    }
  }
}

extension DeclaredFeatureState {
  /// Checks a record that was changed or removed.
  fileprivate func check(_ id: Int, in list: DeclaredList) throws {
    guard let position = state.lists[list.index].position(ofID: id) else {
      var removal = Removal()
      for referrer in declaration.references.referrers(to: list) {
        try collect(referrer, to: id, in: &removal)
        guard removal.isEmpty else {
          throw ReferenceError.referred(
            id, referrer.type, by: "there are references to it since")
        }
      }
      return try removal.check(of: declaration.name)
    }
    let records = state.lists[list.index]
    let values = records[position].values
    try checkReferences(values, of: list.record, at: "\(declaration.name).\(list.name)")
    guard list.isMap else { return }
    for other in [position - 1, position + 1] where records.indices.contains(other) {
      guard records[other].values[0] != values[0] else {
        throw ChangeError.changed(
          "\(declaration.name).\(list.name)[\(values[0].kindPhrase)]")
      }
    }
  }
}

/// The records that go with others, and what is cleared.
private struct Removal {
  private struct Key: Hashable {
    let list: Int
    let id: Int
  }

  private(set) var records: [(list: DeclaredList, id: Int)] = []
  private var keys: Set<Key> = []
  var clearedFields: [Int] = []
  /// The parts of records that are cleared, unless the records go.
  var clearedParts: [(list: DeclaredList, part: Int, id: Int)] = []
  /// The records that keep others from being removed, unless they go themselves.
  var kept: [(id: Int, ReferenceType, list: DeclaredList, part: Int, referring: [Int])] = []

  mutating func add(_ id: Int, in list: DeclaredList) {
    if keys.insert(Key(list: list.index, id: id)).inserted { records.append((list, id)) }
  }

  /// Whether nothing goes, and nothing is cleared.
  var isEmpty: Bool { records.isEmpty && clearedFields.isEmpty && clearedParts.isEmpty }

  func contains(_ id: Int, in list: DeclaredList) -> Bool {
    keys.contains(Key(list: list.index, id: id))
  }

  func check(of feature: String) throws {
    for (id, type, list, part, referring) in kept {
      let count = referring.count { !contains($0, in: list) }
      guard count == 0 else {
        throw ReferenceError.referred(id, type, by: count, in: list, of: feature, part: part)
      }
    }
  }
}

extension DeclaredQuery {
  fileprivate func ids(
    ofKey key: StateValue, in box: AnyFeatureState, _ value: (DeclaredRecord) -> StateValue
  ) throws -> [Int] {
    guard case .groups(let groups) = try result(in: box, { record, _ in value(record) }) else {
      return []
    }
    return groups.ids(ofKey: key).map(Array.init) ?? []
  }
}

/// Why a reference can't be assigned, or its record not be removed.
package typealias ReferenceError = PlainError<ReferenceType>

extension ReferenceError {
  static func missing(_ id: Int, _ type: ReferenceType, at path: String) -> Self {
    Self("not_found", "\(path): \(type.path) has no record with the id \(id)")
  }

  fileprivate static func referred(_ id: Int, _ type: ReferenceType, by others: String) -> Self {
    Self("referred_to", "\(type.path): record \(id) can't be removed: \(others); change that first")
  }

  fileprivate static func referred(
    _ id: Int, _ type: ReferenceType, by count: Int, in list: DeclaredList, of feature: String,
    part: Int
  ) -> Self {
    let name = list.record.parts[part].name
    let records = count == 1 ? "1 record of" : "\(count) records of"
    return .referred(
      id, type,
      by: "\(records) \(feature).\(list.name) \(count == 1 ? "refers" : "refer") to it by \(name)")
  }
}
