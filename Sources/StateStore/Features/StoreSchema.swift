/// The features that an app is made of.
public struct StoreSchema: Sendable {
  /// The parts of the state that can be shown and observed, in the order of the features.
  public let fields: [AnyField]

  /// The fields whose values journals keep for people.
  package var savedFields: [AnyField] { fields.filter(\.isSaved) }

  let features: [SchemaFeature]

  package let initial: States

  /// Composes features, without duplicates, and fields that depend on several of them.
  public init(
    features: [any Feature.Type], derived: [DerivedField] = []
  ) throws(SchemaError) {
    try self.init(features: features, declared: [], derived: derived)
  }

  /// Composes features, some of which are declared at run time: they come last.
  package init(
    features: [any Feature.Type], declared: [DeclaredFeature], derived: [DerivedField]
  ) throws(SchemaError) {
    let lookup = FeatureLookup(features.map { ObjectIdentifier($0) })
    var backends: [any FeatureBackend] = []
    for feature in features { backends.append(Self.box(feature)) }
    backends += declared
    self.features = backends.enumerated().map { SchemaFeature($1, at: $0) }
    initial = States(backends.map(\.initial))
    var derivedFields: [AnyField] = []
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

  /// The fields that depend on several features and are shown under a feature's name.
  package func derivedFields(in feature: String) -> [AnyField] {
    let paths = derived.map(\.path)
    return fields.filter { $0.path.hasPrefix(feature + ".") && paths.contains($0.path) }
  }

  package func fields<F: Feature>(of feature: F.Type) -> [AnyField] {
    lookup.index(of: feature).map { features[$0].fields } ?? []
  }

  package func fields(of feature: DeclaredFeature) -> [AnyField] {
    features.first { $0.backend === feature }?.fields ?? []
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

  /// Applies an action; if it throws, the states are unchanged.
  @discardableResult
  func reduce(_ states: inout States, _ action: StoreAction) throws -> StateDelta {
    switch action.kind {
    case .feature(let box, let index): return try states.apply(box, at: index)
    case .reset:
      let old = states
      states = initial
      (states.unused, states.shapes) = (old.unused, old.shapes)
      for feature in features { feature.renew(&states) }
      return .states(old: old, new: states)
    case .restore(var new, _):
      (new.unused, new.shapes) = (states.unused, states.shapes)
      defer { states = new }
      return .states(old: states, new: new)
    case .takeBack(_, let changes):
      let old = states
      try make(changes, in: &states)
      return .states(old: old, new: states)
    case .migration: return .none
    case .group(let actions):
      var deltas: [StateDelta] = []
      do {
        for action in actions { deltas.append(try reduce(&states, action)) }
      } catch {
        try states.apply(.group(deltas), isUndone: true)
        throw error
      }
      return .group(deltas)
    }
  }

  package var recordKinds: [IdentifierKind] {
    features.flatMap(\.backend.identifierKinds)
  }

  /// The actions that end pending requests whose answers can no longer arrive, with the reason; by default, all pending
  /// requests are such.
  func recoveries(
    of states: States, because reason: String, _ isLost: (_ number: Int) -> Bool = { _ in true }
  ) -> [StoreAction] {
    features.flatMap { feature in
      let states = states.slots[feature.index].requests
      return feature.requests.flatMap { request in
        (states[request.name]?.pending ?? []).filter(isLost).map { number in
          let failure = request.failure(number, reason)
          return StoreAction(.feature(failure, at: feature.index))
        }
      }
    }
  }

  /// All fields of a state as one nested record.
  ///
  /// - Complexity: O(size of the state).
  public func snapshot(of states: States) -> StateValue {
    StateValue(
      leaves: fields.lazy.filter { !$0.isListView }
        .map { (path: $0.path[...], value: $0.value(in: states)) })
  }

  /// All fields of a state as one nested record, of which derived ones that take long to compute are left out.
  package func summary(of states: States) -> StateValue {
    StateValue(
      leaves: fields.compactMap { field in
        field.summary(in: states).map { (path: field.path[...], value: $0.value) }
      })
  }

  package var featureNames: [String] { features.map(\.name) }

  private static func box<F: Feature>(_ feature: F.Type) -> any FeatureBackend {
    FeatureBox<F>()
  }

  /// Places each derived field after the fields of the feature whose name its path begins with.
  private static func fields(
    of features: [SchemaFeature], _ derived: [AnyField]
  ) -> [AnyField] {
    var rest = derived
    var fields: [AnyField] = []
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
      try feature.backend.check()
      let requests = feature.requests.map(\.name)
      for name in requests {
        guard StatePath.isName(name) else { throw .badName(name) }
        guard requests.count(where: { $0 == name }) == 1 else {
          throw .duplicateRequest("\(feature.name).\(name)")
        }
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
    for list in fields where list.isList {
      guard StatePath.isName(list.viewName) else { throw .badName(list.viewName) }
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

/// Why features can't be composed.
public typealias SchemaError = PlainError<StoreSchema>

extension SchemaError {
  static func badName(_ name: String) -> Self {
    Self(
      "bad_name",
      "\"\(name.shortenedForMessage)\" can't name a feature, field or request: names have small "
        + "letters and underscores.")
  }

  static func unknownAction(of feature: String) -> Self {
    Self("unknown_action", "The app doesn't have this action of \(feature) any more.")
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

  /// The path is that of the field, or of a part of it, and then the name of the property.
  static func unlistedProperty(_ path: String) -> Self {
    let dot = path.lastIndex(of: ".") ?? path.startIndex
    let property = String(path[dot...].dropFirst())
    return Self(
      "unlisted_property",
      "The property \(property) of the type of \(path[..<dot]) is in none of its fields, so exports would lose it: add "
        + ".field(\"\(property.inSnakeCase)\", \\.\(property)) to them, or .constant for a let.")
  }

  static func notAssignable(_ part: String, in feature: String) -> Self {
    Self(
      "not_assignable",
      "\(feature): .set has the part \(part) of a record, which isn't a field that can be assigned: declare it with "
        + ".field in the record's fields.")
  }

  static func queryWithoutList(_ path: String) -> Self {
    Self(
      "query_without_list",
      "The query \(path) is over a list that is in none of its feature's fields: add .list with it."
    )
  }

  static func duplicateRequest(_ name: String) -> Self {
    Self("duplicate_request", "Two requests have the name \(name): give each its own name.")
  }

  static func unlistedRequest(_ name: String) -> Self {
    Self(
      "unlisted_request",
      "The request \(name) is in none of its feature's fields: add .request with it.")
  }

  static func unknownGroup(_ path: String, known: [String]) -> Self {
    Self(
      "unknown_group",
      "The derived field \(path) is in no feature: its path begins with one of "
        + "\(known.joined(separator: ", ")).")
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
