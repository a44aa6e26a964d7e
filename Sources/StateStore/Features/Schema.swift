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
      if let property = feature.unlisted.first {
        throw .unlistedProperty(property, of: feature.name)
      }
    }
    for field in derived where !names.contains(where: { field.path.hasPrefix($0 + ".") }) {
      throw .unknownGroup(field.path, known: featureNames)
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
    try checkViews()
  }

  /// Checks that no view of the state file replaces another.
  private func checkViews() throws(SchemaError) {
    var paths: [String: String] = [:]
    for list in fields where list.isList {
      let name = list.viewName
      guard StatePath.isName(name) else { throw .badName(name) }
      if let other = paths.updateValue(list.path, forKey: name) {
        throw .duplicateView(name, other, list.path)
      }
      let owner = features.first { $0.name == name && !$0.fields.contains { $0.path == list.path } }
      if let owner { throw .duplicateView(name, owner.name, list.path) }
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
  /// The greatest id of a record in the feature's lists.
  let greatestID: @Sendable (States) -> Int?
  /// Whether a record of the feature's lists has an id.
  let containsID: @Sendable (States, Int) -> Bool
  let document: FeatureDocument
  /// The stored properties of the state that are in no field.
  let unlisted: [String]

  init<F: Feature>(_ feature: F.Type, at index: Int) {
    let own = F.fields
    let lists = own.compactMap(\.list)
    name = F.name
    unlisted = Self.unlisted(in: F.initial, own)
    fields = own.compactMap { StateField($0, at: index) }
    initial = { FeatureState<F>(F.initial) }
    let stored = StoredForm<F>(records: lists.compactMap(\.initialRecord))
    decodeState = { FeatureState<F>(try stored.state(from: $0)) }
    decodeAction = { FeatureAction<F>(try stored.action(from: $0)) }
    recovery = { states in
      F.recovery(of: states.state(of: F.self, at: index)).map {
        FeatureAction<F>($0)
      }
    }
    let renewals = lists.map(\.renew)
    greatestID = { states in lists.compactMap { $0.greatestID(states.slots[index]) }.max() }
    containsID = { states, id in lists.contains { $0.containsID(states.slots[index], id) } }
    renew = { states in
      guard !renewals.isEmpty else { return }
      states.update(F.self, at: index) { state in
        for renew in renewals { renew(&state) }
      }
    }
    document = FeatureDocument(own, at: index)
  }

  /// The stored properties of a state that no field shows or hides; none if that can't be determined.
  private static func unlisted<F: Feature>(in state: Any, _ fields: [Field<F>]) -> [String] {
    let properties = fields.compactMap(\.property)
    let names = properties.compactMap(\.propertyName)
    let mirror = Mirror(reflecting: state)
    guard mirror.displayStyle == .struct, names.count == properties.count else { return [] }
    return mirror.children.compactMap(\.label).filter { !names.contains($0) }
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

  static func unlistedProperty(_ property: String, of feature: String) -> Self {
    Self(
      "unlisted_property",
      "The property \(property) of the state of \(feature) is in none of its fields, so exports would lose it: add "
        + ".value(\"\(property.inSnakeCase)\", \\.\(property)), or .hidden(\\.\(property)).")
  }

  static func unknownGroup(_ path: String, known: [String]) -> Self {
    Self(
      "unknown_group",
      "The derived field \(path) is in no feature: its path begins with one of "
        + "\(known.joined(separator: ", ")).")
  }

  static func duplicateView(_ name: String, _ first: String, _ second: String) -> Self {
    Self(
      "duplicate_view",
      "\(first) and \(second) have the same view \(name) in the state file: give the list another with inView."
    )
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
