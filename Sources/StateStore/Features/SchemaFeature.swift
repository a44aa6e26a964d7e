@_spi(Reflection) import Swift

/// A feature of a schema, whatever its types.
///
/// It consists of closures because a feature has types of its own, or none: those that are declared at run time.
struct SchemaFeature: Sendable {
  let name: String
  let index: Int
  let fields: [StateField]
  /// The names and contents of the fields that aren't hidden.
  let contents: [(name: String, content: FieldContent)]
  /// The stored properties of the state that are in no field; empty if that can't be determined.
  let unlisted: [String]
  /// The stored properties of records and other values that none of their fields shows, after their fields' paths.
  let unlistedInValues: [String]
  /// The requests that the feature declares.
  let requests: [FeatureRequest]
  /// The parts of records for which an assignment is declared although they can't be assigned.
  let unassignable: [String]
  /// Nil for a feature of Swift types.
  let declared: DeclaredFeature?
  private let lists: [StateList]

  private let makeInitial: @Sendable () -> AnyFeatureState
  private let stateDecoder: @Sendable (any Decoder) throws -> AnyFeatureState
  private let actionDecoder: @Sendable (any Decoder) throws -> any FeatureActionBox
  /// Validates a state in a box with one owner.
  private let validator: @Sendable (AnyFeatureState) throws -> Void

  init<F: Feature>(_ feature: F.Type, at index: Int) {
    var fields: [StateField] = []
    var contents: [(name: String, content: FieldContent)] = []
    var requests: [FeatureRequest] = []
    var lists: [StateList] = []
    var unassignable: [String] = []
    var properties: [any AnyKeyPath & Sendable] = []
    var unlistedInValues: [String] = []
    // Loops, as generic algorithms would look up protocols at run time here, at each start of the program.
    for field in F.fields {
      if let request = field.request { requests.append(request) }
      for name in field.unassignable { unassignable.append(name) }
      for part in field.parts {
        if let property = part.property { properties.append(property) }
        guard let shown = StateField(part, at: index) else { continue }
        fields.append(shown)
        contents.append((part.name, part.content))
        if case .list(let list) = part.content { lists.append(list) }
        guard part.content.restore != nil, let type = part.valueType else { continue }
        for property in type.unlistedProperties {
          unlistedInValues.append("\(shown.path).\(property)")
        }
      }
    }
    self.unlistedInValues = unlistedInValues
    (name, self.index, declared) = (F.name, index, nil)
    (self.fields, self.contents) = (fields, contents)
    (self.requests, self.lists, self.unassignable) = (requests, lists, unassignable)
    unlisted = Self.unlisted(in: F.State.self, properties)
    let stored = StoredForm<F>(lists: lists)
    makeInitial = { [lists] in FeatureState<F>(F.initial, lists: lists) }
    stateDecoder = { [lists] in FeatureState<F>(try stored.state(from: $0), lists: lists) }
    actionDecoder = { try stored.action(from: $0) }
    validator = { try F.validate(&FeatureState<F>.of($0).state) }
  }

  init(_ feature: DeclaredFeature, at index: Int) {
    var fields: [StateField] = []
    var contents: [(name: String, content: FieldContent)] = []
    var lists: [StateList] = []
    for part in feature.parts(at: index) {
      fields.append(part.field)
      contents.append((part.name, part.content))
      if case .list(let list) = part.content { lists.append(list) }
    }
    (name, self.index, declared) = (feature.name, index, feature)
    (self.fields, self.contents, self.lists) = (fields, contents, lists)
    (unlisted, unlistedInValues, unassignable) = ([], [], [])
    let requests = feature.requestHandlers.map { FeatureRequest($0) }
    self.requests = requests
    makeInitial = { DeclaredFeatureState(feature.initial, of: feature) }
    stateDecoder = { try feature.decodeState(from: $0) }
    actionDecoder = { decoder in
      for request in requests {
        if let event = try request.event(decoder) { return event }
      }
      return try feature.decodeAction(from: decoder)
    }
    validator = { _ in }
  }

  /// The stored properties of a state or record that none of the key paths leads to; empty if that can't be determined.
  static func unlisted<State>(
    in state: State.Type, _ paths: [any AnyKeyPath & Sendable]
  ) -> [String] {
    var offsets: [Int] = []
    var names: [String] = []
    for path in paths {
      if let path = path as AnyKeyPath as? PartialKeyPath<State>,
        let offset = MemoryLayout<State>.offset(of: path)
      {
        offsets.append(offset)
      } else {
        // A property with observers has no offset.
        guard let name = path.propertyName else { return [] }
        names.append(name)
      }
    }
    var unlisted: [String] = []
    // Not by a mirror, which would cost a tenth of the start of a program.
    _forEachField(of: state, options: _EachFieldOptions(rawValue: 0)) { label, offset, _, _ in
      let name = String(cString: label)
      if !offsets.contains(offset), !names.contains(name) { unlisted.append(name) }
      return true
    }
    return unlisted
  }

  var initial: AnyFeatureState { makeInitial() }

  func decodeState(from decoder: any Decoder) throws -> AnyFeatureState {
    try stateDecoder(decoder)
  }

  func decodeAction(from decoder: any Decoder) throws -> any FeatureActionBox {
    try actionDecoder(decoder)
  }

  /// Gives the feature's lists a new lineage: they then replace earlier lists as a whole.
  func renew(_ states: inout States) {
    for list in lists {
      states.makeUnique(index)
      list.renew(states.slots[index])
    }
  }

  /// The greatest id of a record in the feature's lists.
  func greatestID(in states: States) -> Int? {
    lists.compactMap { $0.greatestID(states.slots[index]) }.max()
  }

  /// Whether a record of the feature's lists has an id.
  func containsID(_ id: Int, in states: States) -> Bool {
    lists.contains { $0.containsID(states.slots[index], id) }
  }

  /// Validates a state that was read from a document.
  ///
  /// - Throws: ``DocumentError``.
  func validate(_ states: inout States) throws {
    do {
      states.makeUnique(index)
      try validator(states.slots[index])
    } catch let error as DocumentError {
      throw DocumentError([AnyKey(name)] + error.path, error.reason)
    } catch {
      throw DocumentError(name, error.userMessage)
    }
  }
}
