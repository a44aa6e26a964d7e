@_spi(Reflection) import Swift

/// A feature of Swift types.
final class FeatureBox<F: Feature>: FeatureBackend {
  private let declared: [AnyField]
  let requests: [FeatureRequest]
  private let stateLists: [StateList]
  /// Whether the properties that no field shows have the same bits in two states, for each.
  private let hidden: [@Sendable (F.State, F.State) -> Bool]
  let lists: [StateRecords]
  /// The stored properties of the state that are in no field; empty if that can't be determined.
  private let unlisted: [String]
  /// The parts of records for which an assignment is declared although they can't be assigned.
  private let unassignable: [String]

  init() {
    var fields: [AnyField] = []
    var requests: [FeatureRequest] = []
    var lists: [StateList] = []
    var unassignable: [String] = []
    var properties: [any AnyKeyPath & Sendable] = []
    var hidden: [@Sendable (F.State, F.State) -> Bool] = []
    // Loops, as generic algorithms would look up protocols at run time here, at each start of the program.
    for field in F.fields {
      if let request = field.request { requests.append(request) }
      for name in field.unassignable { unassignable.append(name) }
      if let property = field.property { properties.append(property) }
      if let isSame = field.isSameHidden { hidden.append(isSame) }
      for field in field.fields {
        fields.append(field)
        if case .list(let list) = field.content { lists.append(list) }
      }
    }
    (declared, self.requests, self.unassignable) = (fields, requests, unassignable)
    (stateLists, self.hidden) = (lists, hidden)
    self.lists = lists.compactMap { $0.records }
    unlisted = unlistedProperties(of: F.State.self, properties)
  }

  var name: String { F.name }

  var version: Int { F.version }

  func fields(at index: Int) -> [AnyField] {
    declared.map { $0.placed(in: F.name, at: index) }
  }

  /// None: the functions of Swift types are declared in no schema.
  var calls: [DeclaredFeature.Call] { [] }

  /// One kind for all lists.
  var identifierKinds: [IdentifierKind] { lists.isEmpty ? [] : [IdentifierKind(F.name)] }

  func check() throws(SchemaError) {
    if let property = unlisted.first { throw .unlistedProperty(property, of: name) }
    for field in declared where field.restore != nil {
      guard let property = field.swiftType?.unlistedProperties.first else { continue }
      throw .unlistedProperty("\(field.placed(in: name, at: 0).path).\(property)")
    }
    if let part = unassignable.first { throw .notAssignable(part, in: name) }
    for field in declared {
      guard let query = field.query, !declared.contains(where: query.isOver) else { continue }
      throw .queryWithoutList(field.placed(in: name, at: 0).path)
    }
  }

  // MARK: - States

  var initial: AnyFeatureState { box(F.initial) }

  private func box(_ state: F.State) -> FeatureState<F> { FeatureState(state, of: self) }

  var hasHiddenState: Bool { !hidden.isEmpty }

  func hasSameHiddenBits(_ left: AnyFeatureState, _ right: AnyFeatureState) -> Bool {
    let (left, right) = (FeatureState<F>.of(left).state, FeatureState<F>.of(right).state)
    return hidden.allSatisfy { $0(left, right) }
  }

  func copy(_ state: AnyFeatureState) -> AnyFeatureState {
    let state = FeatureState<F>.of(state)
    return state.with(state.state)
  }

  func areEqual(_ left: AnyFeatureState, _ right: AnyFeatureState) -> Bool {
    FeatureState<F>.of(left).state == FeatureState<F>.of(right).state
  }

  func encode(_ state: AnyFeatureState, to encoder: any Encoder) throws {
    try FeatureState<F>.of(state).state.encode(to: encoder)
  }

  func decodeState(from decoder: any Decoder) throws -> AnyFeatureState {
    box(try F.storedState(from: decoder))
  }

  func validate(_ state: AnyFeatureState) throws {
    try F.validate(&FeatureState<F>.of(state).state)
  }

  // MARK: - Versions

  func version(of state: AnyFeatureState, after earlier: AnyFeatureState?) -> AnyFeatureState {
    FeatureState<F>.of(state).version(without: stateLists, after: earlier)
  }

  /// Starts all: nobody sees which lists a reducer changes.
  func startLogs(of state: AnyFeatureState) {
    for index in lists.indices { state.startLog(index) }
  }

  func restore(_ version: AnyFeatureState, in state: AnyFeatureState) {
    let box = FeatureState<F>.of(state)
    var copy = FeatureState<F>.of(version).state
    for list in stateLists {
      withUnsafeMutablePointer(to: &copy) { list.exchange(box, UnsafeMutableRawPointer($0)) }
    }
    box.state = copy
    box.requests = version.requests
  }

  /// Properties that no field shows may follow from what was changed, as from a document.
  func check(_ changes: [Change], in state: AnyFeatureState) throws {
    guard hasHiddenState, changes.contains(where: { $0.feature == name }) else { return }
    try validate(state)
  }

  // MARK: - Actions

  func decodeAction(from decoder: any Decoder) throws -> any FeatureActionBox {
    FeatureAction<F>(try F.Action(from: decoder))
  }

  // MARK: - Other versions

  func migrated(_ state: JSONValue, from version: Int) throws -> JSONValue? {
    var migrated = state
    try F.migrate(&migrated, from: version)
    return migrated
  }
}

/// The stored properties of a state or record that none of the key paths leads to; empty if that can't be determined.
func unlistedProperties<State>(
  of state: State.Type, _ paths: [any AnyKeyPath & Sendable]
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
  // Not by a mirror, which would cost a tenth of the start of a program; this takes 0.1 of 14 million instructions.
  _forEachField(of: state, options: _EachFieldOptions(rawValue: 0)) { label, offset, _, _ in
    let name = String(cString: label)
    if !offsets.contains(offset), !names.contains(name) { unlisted.append(name) }
    return true
  }
  return unlisted
}
