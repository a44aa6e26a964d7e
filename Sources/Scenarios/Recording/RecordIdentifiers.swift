import StateStore

/// The ids that records of a recorded session have when its actions are repeated.
///
/// They can differ: an undone action or another process may have used up an id.
struct RecordIdentifiers {
  /// For each list, by its path, the ids of the repetition by the recorded ones.
  private var lists: [String: [Int: Int]] = [:]
  /// Whether all known ids are the same in the repetition.
  private(set) var isIdentity = true

  /// A recorded action of a Swift feature with the ids of the repetition.
  func repeated(_ action: StoreAction, in schema: StoreSchema) throws -> StoreAction {
    guard !isIdentity, let name = action.featureName else { return action }
    return try action.changed(in: schema) { changed($0, of: name) }
  }

  // MARK: - Finding ids

  /// The encoding of an action with the ids of the repetition.
  ///
  /// Only values with the names of ids are changed, such as `id` or `item_id`: any other integer may be a quantity.
  private func changed(_ encoding: JSONValue, of feature: String) -> JSONValue {
    let call = Call(feature: feature, name: encoding.memberNames?.first ?? "")
    return changed(encoding, at: nil, in: call)
  }

  private struct Call {
    let feature: String
    let name: String
  }

  private static func isOwnIdentifier(_ name: String) -> Bool { name == "id" || name == "ids" }

  private static func isNamedIdentifier(_ name: String) -> Bool {
    isOwnIdentifier(name) || ["ID", "IDs", "_id", "_ids"].contains { name.hasSuffix($0) }
  }

  /// The value of an argument with the ids of the repetition.
  func changed(
    _ argument: ActionCall.Argument, inCall call: String, of feature: String
  ) -> JSONValue {
    guard !isIdentity else { return argument.value }
    if let list = argument.list, case .integer(let id) = argument.value {
      return .integer(lists[list]?[id] ?? id)
    }
    return changed(
      argument.value, at: Self.isNamedIdentifier(argument.name) ? argument.name : nil,
      in: Call(feature: feature, name: call))
  }

  /// Changes a value; `name` is its name if that is the name of an id.
  private func changed(_ json: JSONValue, at name: String?, in call: Call) -> JSONValue {
    switch json {
    case .integer(let id): .integer(name.map { image(of: id, at: $0, in: call) } ?? id)
    case .list(let elements): .list(elements.map { changed($0, at: name, in: call) })
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { member in
            let inner = Self.isNamedIdentifier(member.key) ? member.key : nil
            // The ids of new records are the kit's own.
            let isKept = member.key.hasPrefix("#")
            return (member.key, isKept ? member.value : changed(member.value, at: inner, in: call))
          }))
    default: json
    }
  }

  /// The id of the repetition; the same if no record had the recorded one.
  private func image(of id: Int, at name: String, in call: Call) -> Int {
    func isOfFeature(_ path: String) -> Bool {
      path == call.feature || path.hasPrefix(call.feature + ".")
    }
    let known = lists.filter {
      $0.value[id] != nil && (isOfFeature($0.key) || !Self.isOwnIdentifier(name))
    }
    // With several lists, one that the value or the action names, or else one of the same feature.
    func rank(_ path: String) -> Int {
      let list = path.split(separator: ".").last ?? ""
      let stem = list.hasSuffix("s") ? list.dropLast() : list
      if !stem.isEmpty, name.hasPrefix(stem) { return 0 }
      guard isOfFeature(path) else { return 3 }
      return !stem.isEmpty && call.name.contains(stem) ? 1 : 2
    }
    let list = known.min { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
    return list?.value[id] ?? id
  }

  // MARK: - Comparing

  /// Whether a step of the session and its repetition, whose ids are paired, changed the same but for the ids of records.
  func areSame(_ recorded: SessionChange, _ repeated: SessionChange) -> Bool {
    recorded.differences.elementsEqual(repeated.differences) { recorded, repeated in
      recorded.path == repeated.path
        && isSame(recorded.old ?? .none, repeated.old ?? .none)
        && isSame(recorded.new ?? .none, repeated.new ?? .none)
    }
  }

  private func isSame(_ recorded: StateValue, _ repeated: StateValue) -> Bool {
    switch (recorded, repeated) {
    case (.integer(let id), .integer(let other)):
      id == other || lists.values.contains { $0[id] == other }
    case (.list(let recorded, let members), .list(let repeated, let otherMembers)):
      recorded.elementsEqual(repeated, by: isSame) && areSame(members, otherMembers)
    case (.record(let members), .record(let otherMembers)): areSame(members, otherMembers)
    // Secrets have placeholders.
    case (.secret, .secret): true
    default: recorded == repeated
    }
  }

  private func areSame(_ recorded: [StateValue.Member], _ repeated: [StateValue.Member]) -> Bool {
    recorded.elementsEqual(repeated) { $0.name == $1.name && isSame($0.value, $1.value) }
  }

  // MARK: - Pairing ids

  /// Pairs the ids of the records that a step of the session added.
  mutating func pair(_ recorded: SessionChange, _ repeated: SessionChange, in schema: StoreSchema) {
    guard recorded.differences.map(\.path) == repeated.differences.map(\.path),
      !recorded.differences.contains(where: { Self.isList($0.new) })
    else { return pairAll(recorded.states, repeated.states, in: schema) }
    for (recorded, repeated) in zip(recorded.differences, repeated.differences)
    where recorded.old == nil {
      pair(recorded.new, repeated.new, at: String(recorded.path.prefix { $0 != "[" }))
    }
  }

  /// Whether a list may have been replaced as a whole, so that its records are others.
  private static func isList(_ value: StateValue?) -> Bool {
    if case .list? = value { true } else { false }
  }

  /// Pairs each id with itself: the repetition has the same state.
  mutating func pairImported(of states: States, in schema: StoreSchema) {
    self = Self()
    pairAll(states, states, in: schema)
  }

  private mutating func pairAll(_ recorded: States, _ repeated: States, in schema: StoreSchema) {
    for field in schema.fields where field.isList {
      guard case .list(let recorded, _) = field.value(in: recorded),
        case .list(let repeated, _) = field.value(in: repeated)
      else { continue }
      for (recorded, repeated) in zip(recorded, repeated) {
        pair(recorded, repeated, at: field.path)
      }
    }
    isIdentity = lists.values.allSatisfy { $0.allSatisfy { $0 == $1 } }
  }

  private mutating func pair(_ recorded: StateValue?, _ repeated: StateValue?, at list: String) {
    guard case .integer(let id)? = recorded?["id"], case .integer(let other)? = repeated?["id"]
    else { return }
    lists[list, default: [:]][id] = other
    if id != other { isIdentity = false }
  }
}

extension JSONValue {
  fileprivate var memberNames: [String]? {
    if case .object(let members) = self { Array(members.keys) } else { nil }
  }
}

struct SessionChange {
  /// The states after it.
  let states: States
  let differences: [StateDifference]

  init(from old: States, to new: States, in schema: StoreSchema) {
    states = new
    differences = schema.differences(from: old, to: new)
  }
}
