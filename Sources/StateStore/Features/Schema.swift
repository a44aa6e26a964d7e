/// What an app is made of: its features, side by side.
public struct Schema: Sendable {
  /// The pieces of state that can be shown and observed, in the order of the features.
  public let fields: [StateField]

  let features: [SchemaFeature]

  /// What stores start with.
  let initial: States

  /// Composes features.
  ///
  /// - Parameters:
  ///   - features: The features, each once.
  ///   - derived: What depends on several of them.
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

  /// The derived fields under the name of a feature, with what reads them from documents, where that is done.
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

  /// The index of a feature.
  ///
  /// - Throws: ``SchemaError``, for a feature that isn't there.
  @inlinable func index<F: Feature>(of feature: F.Type) throws(SchemaError) -> Int {
    guard let index = lookup.index(of: feature) else { throw .unknownFeature(F.name) }
    return index
  }

  /// An action of a feature, as it is sent and written down.
  ///
  /// - Throws: ``SchemaError``, for a feature that isn't there.
  public func action<F: Feature>(
    _ action: F.Action, of feature: F.Type
  ) throws(SchemaError) -> StoreAction {
    StoreAction(.feature(FeatureAction<F>(action), at: try index(of: feature)))
  }

  /// The feature of a name, or nil.
  func feature(named name: String) -> SchemaFeature? { features.first { $0.name == name } }

  /// Changes states as an action says.
  func reduce(_ states: inout States, _ action: StoreAction) throws {
    switch action.kind {
    case .feature(let box, let index): try states.reduce(box, at: index)
    case .reset:
      states = initial
      for feature in features { feature.renew(&states) }
    case .restore(let new, _): states = new
    }
  }

  /// The actions that end the requests for which states await answers, where nobody will give them any more.
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

  /// A derived field stands after those of the feature under whose name it is.
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
  }
}

/// Which features a schema has, to find their indexes.
@usableFromInline struct FeatureLookup: Sendable {
  @usableFromInline let types: [ObjectIdentifier]

  init(_ types: [ObjectIdentifier]) { self.types = types }

  /// The index of a feature; nil for one that isn't there.
  ///
  /// - Complexity: O(features), of which there are few.
  @inlinable func index<F: Feature>(of feature: F.Type) -> Int? {
    types.firstIndex(of: ObjectIdentifier(feature))
  }
}

/// What can be done with a feature without knowing its types.
struct SchemaFeature: Sendable {
  let name: String
  let fields: [StateField]
  let initial: @Sendable () -> AnyFeatureState
  let decodeState: @Sendable (any Decoder) throws -> AnyFeatureState
  let decodeAction: @Sendable (any Decoder) throws -> any FeatureActionBox
  let recovery: @Sendable (States) -> (any FeatureActionBox)?
  /// Makes its lists ones that no others have become.
  let renew: @Sendable (inout States) -> Void
  /// How its state is read from documents.
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

  @usableFromInline static func unknownFeature(_ name: String) -> Self {
    Self(
      "unknown_feature", "The app has no feature \(name): add it to the list of its features.")
  }
}
