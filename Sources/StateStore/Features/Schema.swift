/// The features that an app is made of.
public struct Schema: Sendable {
  /// The parts of the state that can be shown and observed, in the order of the features.
  public let fields: [StateField]

  let features: [SchemaFeature]

  package let initial: States

  /// Composes features.
  ///
  /// - Parameters:
  ///   - features: The features, without duplicates.
  ///   - derived: The fields that depend on several features.
  /// - Throws: ``SchemaError``.
  public init(
    features: [any Feature.Type], derived: [DerivedField] = []
  ) throws(SchemaError) {
    let lookup = FeatureLookup(features.map { ObjectIdentifier($0) })
    self.features = features.enumerated().map { SchemaFeature($1, at: $0) }
    initial = States(self.features.map { $0.initial() })
    var derivedFields: [StateField] = []
    for field in derived { derivedFields.append(try field.field(in: lookup)) }
    fields = Self.fields(of: self.features, derivedFields)
    self.lookup = lookup
    self.derived = derived
    try check()
  }

  @usableFromInline let lookup: FeatureLookup
  private let derived: [DerivedField]

  /// The derived fields under a feature's name, each with the closure that reads it from documents, if any.
  func derivedFields(
    of feature: String
  ) -> [(name: String, restore: ((inout States, any Decoder) throws -> Void)?)] {
    derived.filter { $0.path.hasPrefix(feature + ".") }.map { field in
      let restore = field.restore
      return (
        String(field.path.dropFirst(feature.count + 1)),
        restore.map { restore in { try restore(lookup, &$0, $1) } }
      )
    }
  }

  @inlinable func index<F: Feature>(of feature: F.Type) throws(SchemaError) -> Int {
    guard let index = lookup.index(of: feature) else { throw .unknownFeature(F.name) }
    return index
  }

  /// An action of a feature, ready to be sent or stored.
  ///
  /// - Throws: ``SchemaError`` for an unknown feature.
  public func action<F: Feature>(
    _ action: F.Action, of feature: F.Type
  ) throws(SchemaError) -> StoreAction {
    StoreAction(.feature(FeatureAction<F>(action), at: try index(of: feature)))
  }

  func feature(named name: String) -> SchemaFeature? { features.first { $0.name == name } }

  func reduce(_ states: inout States, _ action: StoreAction) throws {
    switch action.kind {
    case .feature(let box, let index): try states.reduce(box, at: index)
    case .reset:
      states = initial
      for feature in features { feature.renew(&states) }
    case .restore(let new, _): states = new
    }
  }

  /// The actions that end pending requests whose answers can no longer arrive.
  func recoveries(of states: States) -> [StoreAction] {
    features.enumerated().compactMap { index, feature in
      feature.recovery(states).map { StoreAction(.feature($0, at: index)) }
    }
  }

  /// All fields of a state as one nested record.
  ///
  /// - Complexity: O(size of the state).
  public func snapshot(of states: States) -> StateValue {
    StateValue(leaves: fields.map { (path: $0.path[...], value: $0.value(in: states)) })
  }

  /// The names of the features, in their order.
  package var featureNames: [String] { features.map(\.name) }

  /// Places each derived field after the fields of the feature whose name its path begins with.
  private static func fields(
    of features: [SchemaFeature], _ derived: [StateField]
  ) -> [StateField] {
    var rest = derived
    var fields: [StateField] = []
    for feature in features {
      fields += feature.fields
      fields += rest.filter { $0.path.hasPrefix(feature.name + ".") }
      rest.removeAll { $0.path.hasPrefix(feature.name + ".") }
    }
    return fields + rest
  }

  private func check() throws(SchemaError) {
    var names: Set<String> = []
    for feature in features {
      guard StatePath.isName(feature.name) else { throw .badName(feature.name) }
      guard names.insert(feature.name).inserted else { throw .duplicateFeature(feature.name) }
    }
    var paths: Set<String> = []
    for field in fields {
      guard let path = StatePath(field.path), path.consistsOfNames else {
        throw .badName(field.path)
      }
      guard paths.insert(field.path).inserted else { throw .duplicateField(field.path) }
    }
    for list in fields where list.isList {
      let path = "\(list.path).\(StateDifference.removed)"
      if let field = fields.first(where: { $0.path == path || $0.path.hasPrefix(path + ".") }) {
        throw .reservedField(field.path, list: list.path)
      }
    }
  }
}

/// The features of a schema, for finding their indexes.
@usableFromInline struct FeatureLookup: Sendable {
  @usableFromInline let types: [ObjectIdentifier]

  init(_ types: [ObjectIdentifier]) { self.types = types }

  /// O(features), of which there are few; nil for an unknown feature.
  @inlinable func index<F: Feature>(of feature: F.Type) -> Int? {
    types.firstIndex(of: ObjectIdentifier(feature))
  }
}

/// Type-erased access to a feature.
struct SchemaFeature: Sendable {
  let name: String
  let fields: [StateField]
  let initial: @Sendable () -> AnyFeatureState
  let decodeState: @Sendable (any Decoder) throws -> AnyFeatureState
  let decodeAction: @Sendable (any Decoder) throws -> any FeatureActionBox
  let recovery: @Sendable (States) -> (any FeatureActionBox)?
  /// Gives the feature's lists a new lineage: they then replace earlier lists as a whole.
  let renew: @Sendable (inout States) -> Void
  let document: FeatureDocument

  init<F: Feature>(_ feature: F.Type, at index: Int) {
    let own = F.fields
    name = F.name
    fields = own.map { StateField($0, at: index) }
    initial = { FeatureState<F>(F.initial) }
    decodeState = { FeatureState<F>(try F.State(from: $0)) }
    decodeAction = { FeatureAction<F>(try F.Action(from: $0)) }
    recovery = { states in
      F.recovery(of: states.state(of: F.self, at: index)).map {
        FeatureAction<F>($0)
      }
    }
    let renewals = own.compactMap { field -> (@Sendable (inout F.State) -> Void)? in
      if case .list(let list) = field.content { list.renew } else { nil }
    }
    renew = { states in
      guard !renewals.isEmpty else { return }
      states.update(F.self, at: index) { state in
        for renew in renewals { renew(&state) }
      }
    }
    document = FeatureDocument(own, at: index)
  }
}

/// Why features can't be composed.
public typealias SchemaError = PlainError<Schema>

extension SchemaError {
  static func badName(_ name: String) -> Self {
    Self(
      "bad_name",
      "\"\(ExternalText.quoted(name))\" can't name a feature or field: names have small letters "
        + "and underscores.")
  }

  static func duplicateFeature(_ name: String) -> Self {
    Self("duplicate_feature", "Two features have the name \(name): give each its own name.")
  }

  static func duplicateField(_ path: String) -> Self {
    Self("duplicate_field", "Two fields have the path \(path): give each its own name.")
  }

  static func reservedField(_ path: String, list: String) -> Self {
    Self(
      "reserved_field",
      "The path \(path) is that of the records removed from the list \(list): give the field "
        + "another name.")
  }

  @usableFromInline static func unknownFeature(_ name: String) -> Self {
    Self(
      "unknown_feature", "The app has no feature \(name): add it to the list of its features.")
  }
}
