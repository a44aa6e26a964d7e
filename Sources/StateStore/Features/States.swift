/// The states of all features of an app.
///
/// Copies share what they have in common, so keeping old ones costs almost nothing.
public struct States: Sendable {
  /// In the order of the schema's features.
  @usableFromInline var slots: [AnyFeatureState]

  /// In an array of one, so that it is behind one reference: states are copied for every action.
  private var saved = [SavedForm()]

  private struct SavedForm: Sendable {
    var unused = SavedState()
    var shapes: [String: SavedShape] = [:]
  }

  /// The saved values that the schema doesn't have.
  package internal(set) var unused: SavedState {
    get { saved[0].unused }
    // In place, as a list has many records.
    _modify { yield &saved[0].unused }
  }

  /// The types of the saved values, by the names of features.
  var shapes: [String: SavedShape] {
    get { saved[0].shapes }
    _modify { yield &saved[0].shapes }
  }

  init(_ slots: [AnyFeatureState]) { self.slots = slots }

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

  /// Applies an action; the index is nil for a feature that the schema doesn't have.
  ///
  /// If it throws, the state is unchanged.
  mutating func apply(
    _ action: any FeatureActionBox, at index: Int?, choosing new: NewIdentifiers? = nil
  ) throws -> StateDelta {
    guard let index else { throw SchemaError.unknownAction(of: action.name) }
    makeUnique(index)
    return try slots[index].change(by: action, new).map { .feature($0, at: index) } ?? .none
  }
}

/// The changes of an action in the states, by which it is undone and redone without running a feature's code.
enum StateDelta: Sendable {
  case none
  case feature(FeatureDelta, at: Int)
  /// The parts of a group changed something, in this order.
  case group([StateDelta])
  indirect case states(old: States, new: States)
  /// The change was read from a journal: that of an action, or of a part of a group.
  case saved(SavedStep, part: Int?)

  /// The changes of a group's actions, in their order; of any other action, the change itself.
  var parts: [StateDelta] {
    switch self {
    case .group(let parts): parts
    case .saved(let step, nil) where step.partCount > 1:
      (0..<step.partCount).map { .saved(step, part: $0) }
    default: [self]
    }
  }
}

extension States {
  /// Takes a change back from the states that it led to, or makes it again in those before it.
  ///
  /// - Throws: Why a change that was read from a journal can't be applied; the states are then unchanged.
  /// - Complexity: O(records that changed · log records).
  mutating func apply(_ delta: StateDelta, isUndone: Bool) throws {
    switch delta {
    case .none: break
    case .feature(let delta, let index):
      makeUnique(index)
      slots[index].apply(delta, isUndone: isUndone)
    case .group(let parts):
      for part in isUndone ? parts.reversed() : parts { try apply(part, isUndone: isUndone) }
    case .states(let old, let new): self = isUndone ? old : new
    case .saved(let step, let part): try step.apply(to: &self, part: part, isUndone: isUndone)
    }
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
    left.unused == right.unused && left.slots.count == right.slots.count
      && zip(left.slots, right.slots).allSatisfy { $0.isEqual(to: $1) }
  }
}

extension States: Codable {
  private enum CodingKeys: CodingKey {
    case features
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
  }

  /// Decodes the states of the features of the decoder's schema.
  ///
  /// Missing features get their initial states.
  public init(from decoder: any Decoder) throws {
    let schema = try decoder.schema
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let features = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .features)
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
    }
  }
}
