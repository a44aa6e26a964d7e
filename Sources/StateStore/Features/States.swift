/// The states of all features of an app.
///
/// Copies share what they have in common, so keeping old ones costs almost nothing.
public struct States: Sendable {
  /// In the order of the schema's features.
  @usableFromInline var slots: [AnyFeatureState]

  /// The states of features that the schema doesn't have, by name.
  var unknown: [String: UnknownState]

  init(_ slots: [AnyFeatureState], unknown: [String: UnknownState] = [:]) {
    self.slots = slots
    self.unknown = unknown
  }

  @inlinable func state<F: Feature>(of feature: F.Type, at index: Int) -> F.State {
    FeatureState<F>.of(slots[index]).state
  }

  /// Reads the state of the feature with an index, without copying it.
  @inlinable func read<F: Feature, Result>(
    _ feature: F.Type, at index: Int, _ body: (F.State) throws -> Result
  ) rethrows -> Result {
    try body(FeatureState<F>.of(slots[index]).state)
  }

  @inlinable mutating func update<F: Feature, Result>(
    _ feature: F.Type, at index: Int, _ body: (inout F.State) throws -> Result
  ) rethrows -> Result {
    makeMutable(index)
    return try body(&FeatureState<F>.of(slots[index]).state)
  }

  /// Gives the box of a feature one owner, for an action.
  @inlinable mutating func makeUnique(_ index: Int) {
    if !isKnownUniquelyReferenced(&slots[index]) { slots[index] = slots[index].copy() }
  }

  /// Gives the box of a feature one owner, for a change that isn't an action.
  @inlinable mutating func makeMutable(_ index: Int) {
    makeUnique(index)
    slots[index].version = nil
  }

  /// Applies an action to the state of the feature with an index; for nil, an unknown feature, it keeps the action.
  ///
  /// - Returns: What it changed.
  /// - Throws: Why the action can't be applied; the state is then unchanged.
  mutating func apply(
    _ action: any FeatureActionBox, at index: Int?, choosing new: NewIdentifiers? = nil
  ) throws -> StateDelta {
    if let index {
      makeUnique(index)
      return try slots[index].change(by: action, new).map { .feature($0, at: index) } ?? .none
    }
    guard let action = action as? UnknownAction else { return .none }
    let old = unknown[action.name]
    unknown[action.name, default: UnknownState()].actions.append(action.json)
    return .unknown(action.name, old: old, new: unknown[action.name])
  }
}

extension States {
  /// The features whose states the two don't share; others are the same.
  func features(differingFrom other: States) -> FeatureSet {
    var features = FeatureSet.none
    for (index, (slot, other)) in zip(slots, other.slots).enumerated() where slot !== other {
      features.formUnion(FeatureSet(index))
    }
    return features
  }
}

extension States: Equatable {
  /// Whether all features have the same states.
  ///
  /// - Complexity: O(size of the parts that the two don't share).
  public static func == (left: States, right: States) -> Bool {
    left.unknown == right.unknown && left.slots.count == right.slots.count
      && zip(left.slots, right.slots).allSatisfy { $0.isEqual(to: $1) }
  }
}

extension States: Codable {
  private enum CodingKeys: CodingKey {
    case features
    /// The actions of unknown features, which aren't applied yet.
    case pending
  }

  /// Encodes each state under the name of its feature, and that of a request under "feature.request".
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var features = container.nestedContainer(keyedBy: AnyKey.self, forKey: .features)
    for slot in slots {
      try slot.feature.encode(slot, to: features.superEncoder(forKey: AnyKey(slot.name)))
      for (name, request) in slot.requests {
        try features.encode(request, forKey: AnyKey("\(slot.name).\(name)"))
      }
    }
    for (name, state) in unknown {
      try features.encodeIfPresent(state.json, forKey: AnyKey(name))
    }
    let pending = unknown.filter { !$0.value.actions.isEmpty }.mapValues(\.actions)
    if !pending.isEmpty { try container.encode(pending, forKey: .pending) }
  }

  /// Decodes the states of the features of the decoder's schema.
  ///
  /// Missing features get their initial states; the states of unknown features are kept as they are.
  ///
  /// - Throws: `DecodingError`, or the error of an action that can't be applied.
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
        slots[index] = try feature.backend.decodeState(
          from: features.superDecoder(forKey: key))
      }
      for request in feature.requests {
        let state = try features.decodeIfPresent(
          RequestState.self, forKey: AnyKey("\(feature.name).\(request.name)"))
        if let state {
          makeMutable(index)
          slots[index].setRequest(request.name, to: state)
        }
      }
      if let pending, pending.contains(key) {
        var actions = try pending.nestedUnkeyedContainer(forKey: key)
        while !actions.isAtEnd {
          _ = try apply(feature.backend.decodeAction(from: actions.superDecoder()), at: index)
        }
      }
    }
    let known = schema.storedNames
    for key in features.allKeys where !known.contains(key.stringValue) {
      unknown[key.stringValue, default: UnknownState()].json = try features.decode(
        JSONValue.self, forKey: key)
    }
    for key in pending?.allKeys ?? [] where schema.feature(named: key.stringValue) == nil {
      unknown[key.stringValue, default: UnknownState()].actions =
        try pending?.decode([JSONValue].self, forKey: key) ?? []
    }
  }
}
