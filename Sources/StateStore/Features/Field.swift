/// A named part of a feature's state that is shown and observed.
///
/// A feature's list of fields is the only place that names them: paths, checks, observation, documents, the state file's
/// views, and the properties and live records that scripts see derive from it.
public struct Field<F: Feature>: Sendable {
  /// The fields of the state: none for a hidden property, and two for a request.
  @usableFromInline package private(set) var fields: [AnyField]

  let request: FeatureRequest?

  /// The stored property that the field shows or hides; nil for a field that is computed from the whole state.
  package let property: (any AnyKeyPath & Sendable)?

  /// The parts of records for which an assignment is declared although they can't be assigned.
  let unassignable: [String]

  /// Whether a property that isn't shown has the same bits in two states; nil for one that is shown.
  let isSameHidden: (@Sendable (F.State, F.State) -> Bool)?

  @usableFromInline init(
    _ fields: [AnyField], request: FeatureRequest? = nil,
    property: (any AnyKeyPath & Sendable)? = nil,
    isSameHidden: (@Sendable (F.State, F.State) -> Bool)? = nil, unassignable: [String] = []
  ) {
    (self.fields, self.request, self.property) = (fields, request, property)
    (self.isSameHidden, self.unassignable) = (isSameHidden, unassignable)
  }

  /// A stored value.
  ///
  /// Scripts assign the field by sending the action; without one, the field is read-only.
  @inlinable public static func value<Value: FieldValue>(
    _ name: String, _ part: any WritableKeyPath<F.State, Value> & Sendable, help: String = "",
    set action: (@Sendable (_ new: Value) -> F.Action)? = nil
  ) -> Self {
    guard let action else { return stored(name, part, help, nil) }
    return stored(name, part, help) { store, new in
      try store.send(action(Value(stateValue: new)), to: F.self)
    }
  }

  /// A stored record, whose parts scripts assign.
  ///
  /// The action that assigning a part sends is made from the record before and after.
  @inlinable public static func value<Value: FieldRecord>(
    _ name: String, _ part: any WritableKeyPath<F.State, Value> & Sendable, help: String = "",
    set action: @escaping @Sendable (_ old: Value, _ new: Value) -> F.Action
  ) -> Self {
    @Sendable func read(_ store: Store) -> Value { store.read(F.self) { $0[keyPath: part] } }
    var field = stored(name, part, help) { store, new in
      try store.send(action(read(store), Value(stateValue: new)), to: F.self)
    }
    field.setParts(
      AnyField.Parts(
        read: { Value.fields[$1].read(FeatureState<F>.of($0).state[keyPath: part]) },
        assign: { store, index, new in
          let old = read(store)
          var changed = old
          try Value.fields[index].set?(&changed, new)
          try store.send(action(old, changed), to: F.self)
        }))
    return field
  }

  @usableFromInline mutating func setParts(_ parts: AnyField.Parts) {
    for index in fields.indices { fields[index].parts = parts }
  }

  @inlinable static func stored<Value: FieldValue>(
    _ name: String, _ part: any WritableKeyPath<F.State, Value> & Sendable, _ help: String,
    _ assign: AnyField.Assign?
  ) -> Self {
    let offset = MemoryLayout<F.State>.offset(of: part)
    let content = AnyField.Content.value(
      { FeatureState<F>.of($0).part(part, at: offset).stateValue },
      restore: { FeatureState<F>.of($0).state[keyPath: part] = try Value(fromDocument: $1) })
    var field = AnyField(name, help: help, of: Value.self, content)
    (field.assign, field.hasLiveParts) = (assign, assign != nil)
    return Self([field], property: part)
  }

  /// Names the mistake: only a stored property can be read from documents.
  @available(
    *, unavailable,
    message:
      "this property can't be assigned: use .derived for a computed one, and make a let a var"
  )
  public static func value<Value: FieldValue>(
    _ name: String, _ part: any KeyPath<F.State, Value> & Sendable, help: String = "",
    set action: (@Sendable (_ new: Value) -> F.Action)? = nil
  ) -> Self { preconditionFailure("It can't be called.") }

  /// A value computed from the state, which is written to documents but not read from them.
  ///
  /// The closure computes it in a time that doesn't depend on the number of records.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, help: String = "", _ read: @escaping @Sendable (F.State) -> Value
  ) -> Self {
    let content = AnyField.Content.value(
      { read(FeatureState<F>.of($0).state).stateValue }, restore: nil)
    return Self([AnyField(name, help: help, of: Value.self, content)])
  }

  /// A computed property of the state, which is written to documents but not read from them.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, help: String = "", _ part: any KeyPath<F.State, Value> & Sendable
  ) -> Self {
    derived(name, help: help) { $0[keyPath: part] }
  }

  /// Whether a request is pending, and why the last one failed, in fields with these names; nil hides one.
  ///
  /// In documents, no request is pending.
  public static func request<Question, Answer>(
    _ request: Request<F, Question, Answer>, pending: String?, error: String?
  ) -> Self {
    let request = FeatureRequest(request.handler)
    return Self(request.fields(pending: pending, error: error), request: request)
  }

  /// Whether a request is pending, and why the last one failed, in fields named after the request.
  public static func request<Question, Answer>(_ request: Request<F, Question, Answer>) -> Self {
    self.request(request, pending: "\(request.name)_pending", error: "\(request.name)_error")
  }

  /// A stored value that is neither shown nor exported, such as an index that follows from others.
  @inlinable public static func hidden<Value>(
    _ part: any KeyPath<F.State, Value> & Sendable
  ) -> Self {
    Self(
      [], property: part,
      isSameHidden: { haveSameBits($0[keyPath: part], $1[keyPath: part]) })
  }

  /// A list of records, whose changes are reported as edits.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - list: The key path of the list in the state: a stored property, so that the list is changed in place.
  ///   - help: A description in one line.
  ///   - missing: The error for an id that no record has; by default, `RecordListError.notFound`.
  ///   - assignments: The actions that scripts send by assigning fields of records; other fields are read-only.
  /// - Returns: The field.
  @inlinable public static func list<Element: Record>(
    _ name: String, _ list: any WritableKeyPath<F.State, RecordList<Element>> & Sendable,
    help: String = "", missing: (@Sendable (_ id: Int) -> any Error)? = nil,
    _ assignments: RecordAssignment<F, Element>...
  ) -> Self {
    let place = StateListPlace(list, of: F.self)
    let records = StateRecords(
      at: place, missing: missing, assignments: assignments.compactMap { $0.assignment })
    return Self(
      [
        AnyField(
          name, help: help, type: .list(of: Element.valueType), swiftType: Element.self,
          .list(
            StateList(
              .records(records), at: place, property: list, release: { place.release($0) },
              exchange: { place.exchange($0, $1) })))
      ], property: list, unassignable: assignments.compactMap { $0.unassignable })
  }

  /// Names the mistake: a list is changed in place.
  @available(*, unavailable, message: ".list takes a stored property (var) that is a RecordList")
  public static func list<List: Collection>(
    _ name: String, _ list: any KeyPath<F.State, List> & Sendable, help: String = "",
    missing: (@Sendable (_ id: Int) -> any Error)? = nil,
    _ assignments: RecordAssignment<F, List.Element>...
  ) -> Self { preconditionFailure("It can't be called.") }

  /// The same field, of which the state file's view shows only one member.
  public func showing(_ member: String) -> Self {
    var field = self
    for index in field.fields.indices { field.fields[index].viewMember = member }
    return field
  }

  /// The same list, with a view of this name in the state file instead of the feature's or field's.
  public func inView(_ name: String) -> Self {
    var field = self
    for index in field.fields.indices { field.fields[index].ownViewName = name }
    return field
  }
}

// MARK: - Access for front ends

extension Field {
  package var requestName: String? { request?.name }
}

/// The action that assigning a field of a list's records sends.
public struct RecordAssignment<F: Feature, Element>: Sendable {
  /// Nil for a part that can't be assigned.
  @usableFromInline let assignment: PartAssignment?
  private let part: any PartialKeyPath<Element> & Sendable

  @usableFromInline init(
    _ part: any PartialKeyPath<Element> & Sendable, _ assign: @escaping PartAssignment.Assign
  ) where Element: FieldRecord {
    self.part = part
    assignment = Element.fieldIndex(of: part).map { PartAssignment($0, assign) }
  }

  /// Assigns a part of a record, by its key path in the declaration, with the action that gives it a new value.
  @inlinable public static func set<Value: FieldValue>(
    _ part: any WritableKeyPath<Element, Value> & Sendable,
    _ action: @escaping @Sendable (_ id: Int, _ new: Value) -> F.Action
  ) -> Self where Element: FieldRecord {
    Self(part) { store, id, new in
      try store.send(action(id, Value(stateValue: new)), to: F.self)
    }
  }

  /// The name of the part, if it isn't a field that can be assigned.
  @usableFromInline var unassignable: String? {
    assignment == nil ? part.propertyName ?? "a computed part" : nil
  }

  /// Names the mistake: only a stored property can be assigned.
  @available(
    *, unavailable, message: "this property can't be assigned: make it a stored one (var)"
  )
  public static func set<Value: FieldValue>(
    _ part: any KeyPath<Element, Value> & Sendable,
    _ action: @escaping @Sendable (_ id: Int, _ new: Value) -> F.Action
  ) -> Self where Element: FieldRecord { preconditionFailure("It can't be called.") }
}

extension FeatureRequest {
  /// The fields that say whether the request is pending, and why the last one failed; nil for a name hides one.
  func fields(pending: String?, error: String?) -> [AnyField] {
    var fields: [AnyField] = []
    if let pending {
      fields.append(
        AnyField(
          pending, help: "Whether \(name) is pending.", of: Bool.self,
          .awaiting { [name] in .boolean($0.requests[name]?.isPending ?? false) }))
    }
    if let error {
      fields.append(
        AnyField(
          error, help: "Why the last \(name) failed; or nil.", of: String?.self,
          .value(
            { [name] in .optional($0.requests[name]?.error) },
            restore: { [name] box, decoder in
              let message = try String?(fromDocument: decoder)
              box.setRequest(name, to: RequestState(error: message))
            })))
    }
    for index in fields.indices { fields[index].showsRequest = true }
    return fields
  }
}
