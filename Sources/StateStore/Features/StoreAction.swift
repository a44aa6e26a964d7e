import PrimereplFoundation

/// An action of a store: of one feature, or of all of them, or a group of actions.
public struct StoreAction: Sendable {
  @usableFromInline enum Kind: Sendable {
    /// An action of the feature with an index; nil for a feature that the schema doesn't have.
    case feature(any FeatureActionBox, at: Int?)
    case reset
    /// All states are replaced; indirect, as the other actions are small.
    indirect case restore(States, source: String?)
    /// The changes of the earlier actions with these numbers are taken back.
    indirect case takeBack(ClosedRange<Int>, [Change])
    /// The states of some features were converted from those of earlier versions.
    case migration([String])
    /// Several actions, none of which is a group: all are done, or none.
    case group([StoreAction])
  }

  @usableFromInline let kind: Kind

  @inlinable init(_ kind: Kind) { self.kind = kind }

  /// Resets all features to their initial states.
  public static let reset = StoreAction(.reset)

  /// Replaces all states.
  ///
  /// The source is where they come from, for the text of the action; nil for what today's reducers make of the history.
  public static func restore(_ states: States, source: String?) -> StoreAction {
    StoreAction(.restore(states, source: source))
  }

  /// The action of a feature; nil if this is another action.
  public func action<F: Feature>(of feature: F.Type) -> F.Action? {
    (box as? FeatureAction<F>)?.action
  }

  private var box: (any FeatureActionBox)? {
    if case .feature(let box, _) = kind { box } else { nil }
  }

  /// The name of the action's feature; nil for an action of all features.
  public var featureName: String? { box?.name }

  /// The action's feature; nil for an action of all features, or of a feature that the program doesn't have.
  public var feature: (any Feature.Type)? { box?.feature }

  /// The saved code of an action that the program doesn't have; nil for other actions.
  package var savedText: String? { (box as? UnknownAction)?.text }

  /// The step of a request that the action is; nil for other actions.
  package func request(showing secret: (Secret) -> String) throws -> RequestStep? {
    try box?.step(showing: secret)
  }

  /// The code that sends the action of a feature, with dates as seconds since 1970; nil if there is none.
  package func call(showing secret: (Secret) -> String) throws -> ActionCall? {
    try box?.call(showing: secret)
  }

  /// Whether the action replaces all states.
  public var isRestoring: Bool {
    if case .restore = kind { true } else { false }
  }

  /// Where the states of an action that replaces all states come from; nil if unknown, and for other actions.
  public var restoredSource: String? {
    if case .restore(_, let source) = kind { source } else { nil }
  }

  package var restoredStates: States? {
    if case .restore(let states, _) = kind { states } else { nil }
  }

  /// The numbers of the earlier actions whose changes this one has taken back; nil for other actions.
  package var takenBack: ClosedRange<Int>? {
    if case .takeBack(let numbers, _) = kind { numbers } else { nil }
  }

  package var migratedFeatures: [String]? {
    if case .migration(let features) = kind { features } else { nil }
  }

  /// The action when earlier actions have got other numbers.
  func renumbered(_ number: (Int) -> Int) -> StoreAction {
    guard case .takeBack(let numbers, let changes) = kind else { return self }
    let ends = [number(numbers.lowerBound), number(numbers.upperBound)]
    return StoreAction(.takeBack(min(ends[0], ends[1])...max(ends[0], ends[1]), changes))
  }

  /// The features whose states the action changes.
  var sources: FeatureSet {
    switch kind {
    // One that the program doesn't have may have changed any.
    case .feature(_, let index): index.map(FeatureSet.init) ?? .all
    case .reset, .restore, .takeBack, .migration: .all
    case .group(let actions): actions.reduce(into: .none) { $0.formUnion($1.sources) }
    }
  }

  func recording(_ new: NewIdentifiers) -> StoreAction {
    guard case .feature(let box, let index) = kind else { return self }
    return StoreAction(.feature(box.recording(new.chosen), at: index))
  }

  /// Whether both are the same action of a feature, sent again, or both are resets.
  func isIdentical(to other: StoreAction) -> Bool {
    switch (kind, other.kind) {
    case (.feature(let box, _), .feature(let other, _)): box === other
    case (.reset, .reset): true
    default: false
    }
  }
}

extension StoreAction: Equatable {
  /// Whether both have the same effect.
  public static func == (left: StoreAction, right: StoreAction) -> Bool {
    switch (left.kind, right.kind) {
    case (.feature(let left, _), .feature(let right, _)): left.isEqual(to: right)
    case (.reset, .reset): true
    case (.restore(let left, let leftSource), .restore(let right, let rightSource)):
      leftSource == rightSource && left == right
    case (.takeBack(let leftNumbers, let left), .takeBack(let rightNumbers, let right)):
      leftNumbers == rightNumbers && left == right
    case (.migration(let left), .migration(let right)): left == right
    case (.group(let left), .group(let right)): left == right
    default: false
    }
  }
}

extension StoreAction: Codable {
  private enum CodingKeys: CodingKey {
    case feature, action, reset, restore, source, group, takeBack, changes, migration
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
    case .takeBack(let numbers, let changes):
      try container.encode([numbers.lowerBound, numbers.upperBound], forKey: .takeBack)
      try container.encode(changes, forKey: .changes)
    case .migration(let features):
      try container.encode(features, forKey: .migration)
    case .group(let actions):
      try container.encode(actions, forKey: .group)
    }
  }

  func savedJSON() throws -> String {
    guard let box else {
      return String(decoding: try StateCoding.encoder.encode(self), as: UTF8.self)
    }
    let (action, feature) = (CodingKeys.action.stringValue, CodingKeys.feature.stringValue)
    let name = StateValue.text(box.name).savedJSON
    return "{\"\(action)\":\(try box.savedJSON()),\"\(feature)\":\(name)}"
  }

  /// Decodes an action of the decoder's schema; an action of an unknown feature is kept as it is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.reset) {
      self = .reset
    } else if container.contains(.restore) {
      self = .restore(
        try container.decode(States.self, forKey: .restore),
        source: try container.decodeIfPresent(String.self, forKey: .source))
    } else if container.contains(.takeBack) {
      let ends = try container.decode([Int].self, forKey: .takeBack)
      guard ends.count == 2, ends[0] <= ends[1] else {
        throw DocumentError(decoder.codingPath, "it takes no actions back")
      }
      self.init(
        .takeBack(ends[0]...ends[1], try container.decode([Change].self, forKey: .changes)))
    } else if container.contains(.migration) {
      self.init(.migration(try container.decode([String].self, forKey: .migration)))
    } else if container.contains(.group) {
      self.init(.group(try container.decode([StoreAction].self, forKey: .group)))
    } else {
      let name = try container.decode(String.self, forKey: .feature)
      let action = try container.superDecoder(forKey: .action)
      if let feature = try decoder.schema.feature(named: name) {
        self.init(.feature(try feature.decodeAction(from: action), at: feature.index))
      } else {
        self.init(.feature(UnknownAction(try JSONValue(from: action), of: name), at: nil))
      }
    }
  }
}
