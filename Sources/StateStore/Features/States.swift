/// The states of all features of an app.
///
/// Copies share what they have in common, so that old ones can be kept at next to no cost.
public struct States: Sendable {
  /// In the order of the schema.
  @usableFromInline var slots: [AnyFeatureState]

  /// Those of features that the schema doesn't have, by their names.
  private var unknown: [String: UnknownState]

  init(_ slots: [AnyFeatureState], unknown: [String: UnknownState] = [:]) {
    self.slots = slots
    self.unknown = unknown
  }

  /// The state of the feature with an index.
  @inlinable func state<F: Feature>(of feature: F.Type, at index: Int) -> F.State {
    FeatureState<F>.of(slots[index]).state
  }

  /// Reads the state of the feature with an index, which isn't copied for that.
  @inlinable func read<F: Feature, Result>(
    _ feature: F.Type, at index: Int, _ body: (F.State) throws -> Result
  ) rethrows -> Result {
    try body(FeatureState<F>.of(slots[index]).state)
  }

  /// Changes the state of the feature with an index.
  @inlinable mutating func update<F: Feature, Result>(
    _ feature: F.Type, at index: Int, _ body: (inout F.State) throws -> Result
  ) rethrows -> Result {
    makeUnique(index)
    return try body(&FeatureState<F>.of(slots[index]).state)
  }

  @inlinable mutating func makeUnique(_ index: Int) {
    if !isKnownUniquelyReferenced(&slots[index]) { slots[index] = slots[index].copy() }
  }

  /// Changes the state of a feature as an action says; what happens to an unknown feature is kept.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - index: The index of its feature; nil for an unknown one.
  /// - Throws: Why the action can't be done; then the state is unchanged.
  mutating func reduce(_ action: any FeatureActionBox, at index: Int?) throws {
    if let index {
      makeUnique(index)
      try slots[index].reduce(action)
    } else if let action = action as? UnknownAction {
      unknown[action.name, default: UnknownState()].actions.append(action.json)
    }
  }
}

extension States: Equatable {
  /// Whether all features have the same states.
  ///
  /// - Complexity: O(size of what the two don't share).
  public static func == (left: States, right: States) -> Bool {
    left.unknown == right.unknown && left.slots.count == right.slots.count
      && zip(left.slots, right.slots).allSatisfy { $0.isEqual(to: $1) }
  }
}

extension States: Codable {
  private enum CodingKeys: CodingKey {
    case features
    /// What happened to unknown features since.
    case pending
  }

  /// Encodes each state under the name of its feature.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var features = container.nestedContainer(keyedBy: AnyKey.self, forKey: .features)
    for slot in slots { try slot.encode(to: features.superEncoder(forKey: AnyKey(slot.name))) }
    for (name, state) in unknown {
      try features.encodeIfPresent(state.json, forKey: AnyKey(name))
    }
    let pending = unknown.filter { !$0.value.actions.isEmpty }.mapValues(\.actions)
    if !pending.isEmpty { try container.encode(pending, forKey: .pending) }
  }

  /// Decodes the states of the features of the decoder's schema; those that aren't there are the initial ones, and those of
  /// other features are kept as they are.
  ///
  /// - Throws: `DecodingError`, also for actions that can't be done.
  public init(from decoder: any Decoder) throws {
    let schema = try decoder.schema
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let features = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .features)
    let pending =
      try container.contains(.pending)
      ? container.nestedContainer(keyedBy: AnyKey.self, forKey: .pending) : nil
    self = schema.initial
    for (index, feature) in schema.features.enumerated() {
      let key = AnyKey(feature.name)
      if features.contains(key) {
        slots[index] = try feature.decodeState(features.superDecoder(forKey: key))
      }
      if let pending, pending.contains(key) {
        var actions = try pending.nestedUnkeyedContainer(forKey: key)
        while !actions.isAtEnd {
          try reduce(feature.decodeAction(actions.superDecoder()), at: index)
        }
      }
    }
    for key in features.allKeys where schema.feature(named: key.stringValue) == nil {
      unknown[key.stringValue, default: UnknownState()].json = try features.decode(
        JSONValue.self, forKey: key)
    }
    for key in pending?.allKeys ?? [] where schema.feature(named: key.stringValue) == nil {
      unknown[key.stringValue, default: UnknownState()].actions =
        try pending?.decode([JSONValue].self, forKey: key) ?? []
    }
  }
}
