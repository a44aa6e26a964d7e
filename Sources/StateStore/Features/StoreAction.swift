/// Something that happened to a store: an action of a feature, or of all of them.
public struct StoreAction: Sendable {
  @usableFromInline enum Kind: Sendable {
    /// Something happened to the feature with an index; nil for one that the schema doesn't have.
    case feature(any FeatureActionBox, at: Int?)
    /// All features went back to their initial states.
    case reset
    /// All states became others, which are in a box, as other actions are small.
    indirect case restore(States, source: String?)
  }

  @usableFromInline let kind: Kind

  @inlinable init(_ kind: Kind) { self.kind = kind }

  /// All features go back to their initial states.
  public static let reset = StoreAction(.reset)

  /// All states become others.
  ///
  /// - Parameters:
  ///   - states: The states.
  ///   - source: Where they are from, for the text of the action; nil for a state file that had lost them.
  /// - Returns: The action.
  public static func restore(_ states: States, source: String?) -> StoreAction {
    StoreAction(.restore(states, source: source))
  }

  /// The action, where it is one of a feature; else nil.
  public func action<F: Feature>(of feature: F.Type) -> F.Action? {
    guard case .feature(let box, _) = kind else { return nil }
    return (box as? FeatureAction<F>)?.action
  }

  /// The name of the feature whose action it is; nil for one of all features.
  public var featureName: String? {
    guard case .feature(let box, _) = kind else { return nil }
    return box.name
  }

  /// The feature whose action it is; nil for one of all features, or of one that the program doesn't have.
  public var feature: (any Feature.Type)? {
    guard case .feature(let box, _) = kind else { return nil }
    return box.feature
  }

  /// An action of a feature that the program doesn't have, as it was written; nil for others.
  package var encoded: JSONValue? {
    guard case .feature(let box, _) = kind else { return nil }
    return (box as? UnknownAction)?.json
  }

  /// Whether all states became others.
  public var isRestoring: Bool {
    if case .restore = kind { true } else { false }
  }

  /// Where states are from that all became others; nil where nobody said, and for other actions.
  public var restoredSource: String? {
    if case .restore(_, let source) = kind { source } else { nil }
  }

  /// The features that it changes.
  var sources: FeatureSet {
    guard case .feature(_, let index) = kind else { return .all }
    return index.map(FeatureSet.init) ?? .none
  }

  /// Whether another one is the same action of a feature, sent again, or a reset as well.
  func isIdentical(to other: StoreAction) -> Bool {
    switch (kind, other.kind) {
    case (.feature(let box, _), .feature(let other, _)): box === other
    case (.reset, .reset): true
    default: false
    }
  }

  /// Whether another one is the same when it is written down, where secrets aren't.
  func isEncodedAs(_ other: StoreAction) -> Bool {
    guard featureName == other.featureName else { return false }
    do {
      return try StateCoding.areSame(self, other)
    } catch {
      // What can't be written down is the same only where it is equal.
      return false
    }
  }
}

extension StoreAction: Equatable {
  /// Whether both do the same.
  public static func == (left: StoreAction, right: StoreAction) -> Bool {
    switch (left.kind, right.kind) {
    case (.feature(let left, _), .feature(let right, _)): left.isEqual(to: right)
    case (.reset, .reset): true
    case (.restore(let left, let leftSource), .restore(let right, let rightSource)):
      leftSource == rightSource && left == right
    default: false
    }
  }
}

extension StoreAction: Codable {
  private enum CodingKeys: CodingKey {
    case feature, action, reset, restore, source
  }

  /// Encodes the action with the name of its feature.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch kind {
    case .feature(let box, _):
      try container.encode(box.name, forKey: .feature)
      try box.encode(to: container.superEncoder(forKey: .action))
    case .reset:
      try container.encode(true, forKey: .reset)
    case .restore(let states, let source):
      try container.encode(states, forKey: .restore)
      try container.encodeIfPresent(source, forKey: .source)
    }
  }

  /// Decodes an action of the decoder's schema; one of another feature is kept as it is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.reset) {
      self = .reset
    } else if container.contains(.restore) {
      self = .restore(
        try container.decode(States.self, forKey: .restore),
        source: try container.decodeIfPresent(String.self, forKey: .source))
    } else {
      let name = try container.decode(String.self, forKey: .feature)
      let action = try container.superDecoder(forKey: .action)
      let features = try decoder.schema.features
      if let index = features.firstIndex(where: { $0.name == name }) {
        self.init(.feature(try features[index].decodeAction(action), at: index))
      } else {
        self.init(.feature(UnknownAction(try JSONValue(from: action), of: name), at: nil))
      }
    }
  }
}
