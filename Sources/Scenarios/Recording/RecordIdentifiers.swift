import StateStore

/// The ids that records of a recorded session have when its actions are repeated.
///
/// They can differ: an undone action or another process may have used up an id.
struct RecordIdentifiers {
  /// For each feature, the ids of the repetition by the recorded ones; ids that are the same are missing.
  private var identifiers: [String: [Int: Int]] = [:]

  /// Whether all known ids are the same in the repetition.
  var isIdentity: Bool { identifiers.values.allSatisfy(\.isEmpty) }

  /// A recorded action with the ids of the repetition.
  ///
  /// - Throws: `EncodingError` or `DecodingError`.
  func repeated(_ action: StoreAction, in schema: StoreSchema) throws -> StoreAction {
    guard let name = action.featureName, let known = identifiers[name], !known.isEmpty else {
      return action
    }
    return try action.changed(in: schema) { Self.changed($0, known) }
  }

  private static func changed(_ json: JSONValue, _ identifiers: [Int: Int]) -> JSONValue {
    switch json {
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, value in
            (
              name,
              isIdentifiers(name)
                ? identifier(value, identifiers) : changed(value, identifiers)
            )
          }))
    case .list(let elements): .list(elements.map { changed($0, identifiers) })
    default: json
    }
  }

  private static func isIdentifiers(_ name: String) -> Bool {
    ["id", "ids"].contains(name) || ["ID", "IDs", "_id", "_ids"].contains { name.hasSuffix($0) }
  }

  private static func identifier(_ json: JSONValue, _ identifiers: [Int: Int]) -> JSONValue {
    switch json {
    case .integer(let id): .integer(identifiers[id] ?? id)
    case .list(let elements): .list(elements.map { identifier($0, identifiers) })
    default: changed(json, identifiers)
    }
  }

  /// Notes the ids of the records that a step of the session added.
  mutating func note(_ recorded: SessionChange, _ repeated: SessionChange, in schema: StoreSchema) {
    guard recorded.differences.map(\.path) == repeated.differences.map(\.path),
      !recorded.differences.contains(where: { Self.isList($0.new) })
    else { return noteAll(recorded.states, repeated.states, in: schema) }
    for (recorded, repeated) in zip(recorded.differences, repeated.differences)
    where recorded.old == nil {
      note(recorded.new, repeated.new, at: recorded.path)
    }
  }

  /// Whether a list may have been replaced as a whole, so that its records are others.
  private static func isList(_ value: StateValue?) -> Bool {
    if case .list? = value { true } else { false }
  }

  private mutating func noteAll(_ recorded: States, _ repeated: States, in schema: StoreSchema) {
    for field in schema.fields where field.isList {
      guard case .list(let recorded, _) = field.value(in: recorded),
        case .list(let repeated, _) = field.value(in: repeated)
      else { continue }
      for (recorded, repeated) in zip(recorded, repeated) {
        note(recorded, repeated, at: field.path)
      }
    }
  }

  private mutating func note(_ recorded: StateValue?, _ repeated: StateValue?, at path: String) {
    guard case .integer(let id)? = recorded?["id"], case .integer(let other)? = repeated?["id"]
    else { return }
    let feature = String(path.prefix { $0 != "." && $0 != "[" })
    identifiers[feature, default: [:]][id] = id == other ? nil : other
  }
}

/// The changes of a step of a session.
struct SessionChange {
  /// The states after it.
  let states: States
  let differences: [StateDifference]

  init(from old: States, to new: States, in schema: StoreSchema) {
    states = new
    differences = schema.differences(from: old, to: new)
  }
}
