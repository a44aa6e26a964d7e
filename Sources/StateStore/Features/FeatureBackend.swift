/// A feature of a schema, whether its types are written in Swift or declared at run time.
///
/// Whoever holds states, actions and fields needs no more of a feature than this: ``FeatureBox`` and ``DeclaredFeature``
/// are the only kinds. States and actions are in boxes, of which each kind has its own; those of another feature mustn't be
/// given.
protocol FeatureBackend: AnyObject, Sendable {
  var name: String { get }

  /// The version of the state's types, from 1.
  var version: Int { get }

  /// The parts of the state that are shown, in display order, with the feature at an index of a schema.
  func fields(at index: Int) -> [AnyField]

  var requests: [FeatureRequest] { get }

  /// The functions of the feature, if they are declared at run time.
  var calls: [DeclaredFeature.Call] { get }

  var identifierKinds: [IdentifierKind] { get }

  /// Whether the state has properties that no field shows.
  var hasHiddenState: Bool { get }

  /// Whether those properties have the same bits in two states, and so are unchanged.
  func hasSameHiddenBits(_ left: AnyFeatureState, _ right: AnyFeatureState) -> Bool

  /// Checks that the declaration loses nothing.
  func check() throws(SchemaError)

  // MARK: States

  /// A new box with the initial state.
  var initial: AnyFeatureState { get }

  func copy(_ state: AnyFeatureState) -> AnyFeatureState

  func areEqual(_ left: AnyFeatureState, _ right: AnyFeatureState) -> Bool

  func encode(_ state: AnyFeatureState, to encoder: any Encoder) throws

  func decodeState(from decoder: any Decoder) throws -> AnyFeatureState

  /// Validates a state that was read from a document, in a box with one owner.
  func validate(_ state: AnyFeatureState) throws

  // MARK: Versions

  /// The lists of records, each of which logs the changes of an action.
  var lists: [StateRecords] { get }

  /// Starts the logs of the lists that an action can change without starting them itself.
  func startLogs(of state: AnyFeatureState)

  /// A copy of a state without the records of its lists; an earlier version if that is the same.
  func version(of state: AnyFeatureState, after earlier: AnyFeatureState?) -> AnyFeatureState

  /// Replaces a state, in a box with one owner, by a version of it; the lists stay as they are.
  func restore(_ version: AnyFeatureState, in state: AnyFeatureState)

  // MARK: Actions

  /// Decodes a stored action that is no step of a request.
  func decodeAction(from decoder: any Decoder) throws -> any FeatureActionBox

  /// Checks a state after changes, also of other features, that were made apart from what came later.
  func check(_ changes: [Change], in state: AnyFeatureState) throws

  // MARK: Other versions

  /// Converts an earlier version's saved values, by the names of fields; nil if the feature doesn't migrate any.
  func migrated(_ state: JSONValue, from version: Int) throws -> JSONValue?
}

extension FeatureBackend {
  /// Accepts all: only what declares references or maps has more to check.
  func check(_ changes: [Change], in state: AnyFeatureState) throws {}
}

/// A feature with its place in a schema.
struct SchemaFeature: Sendable {
  let backend: any FeatureBackend
  let index: Int
  let fields: [AnyField]
  let requests: [FeatureRequest]
  /// The fields that are lists of records, in the order of the feature's lists.
  let recordLists: [AnyField]

  init(_ backend: any FeatureBackend, at index: Int) {
    (self.backend, self.index) = (backend, index)
    (fields, requests) = (backend.fields(at: index), backend.requests)
    recordLists = fields.filter { $0.list?.records != nil }
  }

  var name: String { backend.name }

  /// Gives the feature's lists a new lineage: they then replace earlier lists as a whole.
  func renew(_ states: inout States) {
    for records in backend.lists {
      states.makeMutable(index)
      records.renew(states.slots[index])
    }
  }

  func maximumID(in states: States) -> Int? {
    backend.lists.compactMap { $0.maximumID(states.slots[index]) }.max()
  }

  func containsID(_ id: Int, in states: States) -> Bool {
    backend.lists.contains { $0.contains(states.slots[index], id) }
  }

  func decodeAction(from decoder: any Decoder) throws -> any FeatureActionBox {
    for request in requests {
      if let step = try request.event(decoder) { return step }
    }
    return try backend.decodeAction(from: decoder)
  }

  /// Validates a state that was read from a document.
  func validate(_ states: inout States) throws {
    do {
      states.makeMutable(index)
      try backend.validate(states.slots[index])
    } catch let error as DocumentError {
      throw DocumentError([AnyKey(name)] + error.path, error.reason)
    } catch {
      throw DocumentError(name, error.userMessage)
    }
  }
}

/// The place of a feature's state in a store.
package struct FeaturePlace: Sendable {
  fileprivate let backend: any FeatureBackend
  fileprivate let index: Int
}

extension StoreSchema {
  package func place(of feature: String) -> FeaturePlace? {
    self.feature(named: feature).map { FeaturePlace(backend: $0.backend, index: $0.index) }
  }
}

extension Store {
  /// Throws if the store has another declaration of the feature by now.
  package func box(at place: FeaturePlace) throws(SchemaError) -> AnyFeatureState {
    // Features of Swift types come first, and no reload replaces them.
    if place.index < lookup.types.count { return states.slots[place.index] }
    if place.index < states.slots.count {
      let box = states.slots[place.index]
      if box.feature === place.backend { return box }
    }
    return try states.slots[index(of: place.backend)]
  }

  func index(of feature: any FeatureBackend) throws(SchemaError) -> Int {
    guard let index = schema.features.firstIndex(where: { $0.backend === feature }) else {
      throw schema.feature(named: feature.name) == nil
        ? .unknownFeature(feature.name) : .reloaded(feature.name)
    }
    return index
  }
}
