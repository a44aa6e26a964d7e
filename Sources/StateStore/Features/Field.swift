/// A named part of a feature's state that is shown and observed.
///
/// A feature's list of fields is the only place that names them: paths, checks, observation, documents, the state file's
/// views, and the properties and live records that scripts see derive from it.
public struct Field<F: Feature>: Sendable {
  /// The name in snake case; empty for a field shown under the feature's own name.
  public let name: String

  /// A description in one line; may be empty.
  public let help: String

  /// The shape of the field's values.
  public let shape: StateShape

  /// The name of the values' type, for documentation.
  package var typeName: String { valueType?.typeName ?? "boolean" }

  private(set) var view = FieldView()

  @usableFromInline let content: FieldContent

  /// The stored property that the field shows or hides; nil for a field that is computed from the whole state.
  let property: (any AnyKeyPath & Sendable)?

  /// The `FieldSetter` or `RecordListAccess` of the field's type; nil for a field without actions.
  private let access: (any Sendable)?

  /// The names of the fields of a list's records that scripts can assign.
  package let assignedFields: [String]

  /// The parts of records for which an assignment is declared although they can't be assigned.
  let unassignable: [String]

  /// The type of the field's values or, of a list, of its records.
  package let valueType: (any FieldValue.Type)?

  @usableFromInline init(
    name: String, help: String = "", shape: StateShape, type: (any FieldValue.Type)? = nil,
    property: (any AnyKeyPath & Sendable)? = nil, content: FieldContent,
    access: (any Sendable)? = nil, assigned: [String] = [], unassignable: [String] = []
  ) {
    (self.name, self.help, self.shape) = (name, help, shape)
    valueType = type
    (self.property, self.content, self.access) = (property, content, access)
    (assignedFields, self.unassignable) = (assigned, unassignable)
  }

  /// A stored value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - part: The key path of the value in the state.
  ///   - help: A description in one line.
  ///   - action: Makes the action that scripts send by assigning the field; without it, the field is read-only.
  /// - Returns: The field.
  @inlinable public static func value<Value: FieldValue>(
    _ name: String, _ part: any WritableKeyPath<F.State, Value> & Sendable, help: String = "",
    set action: (@Sendable (_ new: Value) -> F.Action)? = nil
  ) -> Self {
    let offset = MemoryLayout<F.State>.offset(of: part)
    return Self(
      name: name, help: help, shape: Value.shape, type: Value.self, property: part,
      content: .value(
        { FeatureState<F>.of($0).part(part, at: offset).stateValue },
        restore: {
          FeatureState<F>.of($0).state[keyPath: part] = try Value(fromDocument: $1)
        }),
      access: action.map { action in
        FieldSetter<F, Value> { store, new in try store.send(action(new), to: F.self) }
      })
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
  /// - Parameters:
  ///   - name: The field's name.
  ///   - help: A description in one line.
  ///   - read: Computes the value, in a time that doesn't depend on the number of records.
  /// - Returns: The field.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, help: String = "", _ read: @escaping @Sendable (F.State) -> Value
  ) -> Self {
    Self(
      name: name, help: help, shape: Value.shape, type: Value.self,
      content: .value({ read(FeatureState<F>.of($0).state).stateValue }, restore: nil))
  }

  /// A computed property of the state; the parameters are those of `derived(_:help:_:)` with a closure.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, help: String = "", _ part: any KeyPath<F.State, Value> & Sendable
  ) -> Self {
    derived(name, help: help) { $0[keyPath: part] }
  }

  /// Whether a request is pending, and why the last one failed.
  ///
  /// In documents, no request is pending.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - pending: The name of the first field; by default, the request's name with "_pending". nil hides it.
  ///   - error: The name of the second field; by default, the request's name with "_error". nil hides it.
  /// - Returns: The fields.
  public static func request<Question, Answer>(
    _ request: Request<F, Question, Answer>, pending: String?, error: String?
  ) -> Self {
    Self(
      name: "", shape: .value,
      content: .request(FeatureRequest(request.handler), pending: pending, error: error))
  }

  /// Whether a request is pending, and why the last one failed, in fields named after the request.
  public static func request<Question, Answer>(_ request: Request<F, Question, Answer>) -> Self {
    self.request(request, pending: "\(request.name)_pending", error: "\(request.name)_error")
  }

  /// A stored value that is neither shown nor exported, such as an index that follows from others.
  ///
  /// - Parameter part: The key path of the value in the state.
  /// - Returns: The field.
  @inlinable public static func hidden<Value>(
    _ part: any KeyPath<F.State, Value> & Sendable
  ) -> Self {
    Self(name: "", shape: .value, property: part, content: .hidden)
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
    Self(
      name: name, help: help, shape: .list(of: Element.shape), type: Element.self, property: list,
      content: .list(StateList(list, of: F.self)),
      access: RecordListAccess<F, Element>(
        list, missing: missing ?? { RecordListError.notFound($0) }, assignments: assignments),
      assigned: assignments.compactMap { $0.name },
      unassignable: assignments.compactMap { $0.unassignable })
  }

  /// Names the mistake: a list is changed in place.
  @available(*, unavailable, message: ".list takes a stored property (var) that is a RecordList")
  public static func list<List: Collection>(
    _ name: String, _ list: any KeyPath<F.State, List> & Sendable, help: String = "",
    missing: (@Sendable (_ id: Int) -> any Error)? = nil,
    _ assignments: RecordAssignment<F, List.Element>...
  ) -> Self { preconditionFailure("It can't be called.") }

  /// The same field, of which the state file's view shows only one member.
  ///
  /// - Parameter member: The member's name.
  /// - Returns: The field.
  public func showing(_ member: String) -> Self {
    var field = self
    field.view.member = member
    return field
  }

  /// The same list, with its own view in the state file.
  ///
  /// - Parameter name: The view's name, instead of the feature's or field's name.
  /// - Returns: The field.
  public func inView(_ name: String) -> Self {
    var field = self
    field.view.name = name
    return field
  }
}

// MARK: - Access for front ends

extension Field {
  /// Whether the field isn't shown.
  package var isHidden: Bool {
    if case .hidden = content { true } else { false }
  }

  /// Whether scripts can assign the field.
  package var isAssignable: Bool { access != nil && !isList }

  /// Sends the action that assigning a value of a type sends; nil if the field has values of another type, or is read-only.
  package func assign<Value: FieldValue>(
    _ type: Value.Type
  ) -> (@Sendable (Store, _ new: Value) throws -> Void)? {
    (access as? FieldSetter<F, Value>)?.assign
  }

  /// The access to the list's records; nil if the field isn't a list of such records.
  package func records<Element>(of type: Element.Type) -> RecordListAccess<F, Element>? {
    access as? RecordListAccess<F, Element>
  }

  /// Makes a closure that reads the field's value in a store; of a list, all of its records.
  package func reader(in store: Store) -> () -> StateValue {
    let index = store.index(of: F.self)
    return switch content {
    case .value(let read, _), .awaiting(let read): { read(store.states.slots[index]) }
    case .list(let list): { .list(Array(list.elements(store.states.slots[index]))) }
    case .hidden, .request: { .none }
    }
  }

  /// Whether the field is a list of records.
  package var isList: Bool {
    if case .list = content { true } else { false }
  }

  /// The number of a list's records; 0 for another field.
  package func count(in store: Store) -> Int { elements(in: store)?.count ?? 0 }

  /// A record of a list, at a position below the number of records.
  package func element(at position: Int, in store: Store) -> StateValue {
    elements(in: store)?[position] ?? .none
  }

  private func elements(in store: Store) -> ListElements<StateValue>? {
    guard case .list(let list) = content else { return nil }
    return list.elements(store.states.slots[store.index(of: F.self)])
  }

  /// The name of the request that the field shows; nil for another field.
  package var requestName: String? { request?.name }

  /// The field itself or, of a request, those with its state.
  package var parts: [Field<F>] {
    guard case .request(let request, let pending, let error) = content else { return [self] }
    var fields: [Self] = []
    if let pending {
      fields.append(
        Self(
          name: pending, help: "Whether \(request.name) is pending.", shape: .value,
          type: Bool.self,
          content: .awaiting { .boolean($0.requests[request.name]?.isPending ?? false) }))
    }
    if let error {
      fields.append(
        Self(
          name: error, help: "Why the last \(request.name) failed; or nil.",
          shape: .value, type: String?.self,
          content: .value(
            { .optional($0.requests[request.name]?.error) },
            restore: { box, decoder in
              let message = try String?(fromDocument: decoder)
              box.setRequest(request.name, to: RequestState(error: message))
            })))
    }
    return fields
  }

  var request: FeatureRequest? {
    if case .request(let request, _, _) = content { request } else { nil }
  }
}

/// How the state file's views show a field.
struct FieldView: Sendable {
  /// The name of a list's view; nil for the feature's or field's name.
  var name: String?
  /// The member that a record is shown as; nil for the whole value.
  var member: String?
}

/// How a field is read from the box with its feature's state, and from documents.
@usableFromInline enum FieldContent: Sendable {
  /// A value; it is only written to documents if there is no `restore`.
  case value(Read, restore: Restore?)
  /// Whether a request is pending.
  case awaiting(Read)
  case list(StateList)
  /// A value that isn't shown.
  case hidden
  /// A request, which stands for two fields; nil for a name hides one.
  case request(FeatureRequest, pending: String?, error: String?)

  @usableFromInline typealias Read = @Sendable (AnyFeatureState) -> StateValue

  /// Reads the field from a document into a box with one owner.
  @usableFromInline typealias Restore = @Sendable (AnyFeatureState, any Decoder) throws -> Void

  /// Reads the field from a document; nil for a field that isn't read.
  var restore: Restore? {
    switch self {
    case .value(_, let restore): restore
    case .list(let list): list.restore
    case .awaiting, .hidden, .request: nil
    }
  }
}

/// A list of records in the box with a feature's state, whatever its types.
///
/// It consists of closures because only those are compiled for the types of a feature: behind a protocol, finding the
/// differences between two lists takes twenty times as long. Those that change the list need a box with one owner.
@usableFromInline final class StateList: Sendable {
  /// The elements, in the form that every front end can show.
  @usableFromInline let elements: @Sendable (AnyFeatureState) -> ListElements<StateValue>
  /// The edits from the list of one state to that of another; nil if the lists are the same.
  @usableFromInline let edits:
    @Sendable (_ old: AnyFeatureState, _ new: AnyFeatureState) -> ListEdits<StateValue>?
  /// Whether appended records come first.
  @usableFromInline let isNewestFirst: @Sendable (AnyFeatureState) -> Bool
  /// Starts to log the list's changes.
  @usableFromInline let startLog: @Sendable (AnyFeatureState, LogSession) -> Void
  /// Ends the log and returns the changes.
  @usableFromInline let endLog: @Sendable (AnyFeatureState, LogSession) -> LoggedEdits<StateValue>
  /// Gives the list a new lineage.
  @usableFromInline let renew: @Sendable (AnyFeatureState) -> Void
  /// Releases the records of the list in a copy of a Swift feature's state.
  @usableFromInline let releaseRecords: @Sendable (_ state: UnsafeMutableRawPointer) -> Void
  /// Puts the list into a copy of a Swift feature's state from which the records were released.
  ///
  /// Returns whether the list is unchanged since the copy was made.
  @usableFromInline let putBack:
    @Sendable (AnyFeatureState, _ state: UnsafeMutableRawPointer) -> Bool
  /// Reads the list from a document.
  @usableFromInline let restore: @Sendable (AnyFeatureState, any Decoder) throws -> Void
  /// The greatest id of a record.
  @usableFromInline let greatestID: @Sendable (AnyFeatureState) -> Int?
  @usableFromInline let containsID: @Sendable (AnyFeatureState, Int) -> Bool
  /// The encoded initial values of a record; nil if it has none.
  @usableFromInline let initialRecord: @Sendable () throws -> JSONValue?

  init(
    elements: @escaping @Sendable (AnyFeatureState) -> ListElements<StateValue>,
    edits: @escaping @Sendable (AnyFeatureState, AnyFeatureState) -> ListEdits<StateValue>?,
    isNewestFirst: @escaping @Sendable (AnyFeatureState) -> Bool,
    startLog: @escaping @Sendable (AnyFeatureState, LogSession) -> Void,
    endLog: @escaping @Sendable (AnyFeatureState, LogSession) -> LoggedEdits<StateValue>,
    renew: @escaping @Sendable (AnyFeatureState) -> Void,
    restore: @escaping @Sendable (AnyFeatureState, any Decoder) throws -> Void,
    greatestID: @escaping @Sendable (AnyFeatureState) -> Int?,
    containsID: @escaping @Sendable (AnyFeatureState, Int) -> Bool
  ) {
    (self.elements, self.edits, self.isNewestFirst) = (elements, edits, isNewestFirst)
    (self.startLog, self.endLog, self.renew, self.restore) = (startLog, endLog, renew, restore)
    (self.greatestID, self.containsID) = (greatestID, containsID)
    // Drafts take back the changes of declared features.
    (releaseRecords, putBack) = ({ _ in }, { _, _ in true })
    initialRecord = { nil }
  }

  @inlinable init<F: Feature, Element: Record>(
    _ path: any WritableKeyPath<F.State, RecordList<Element>> & Sendable, of feature: F.Type
  ) {
    elements = { ListElements(FeatureState<F>.of($0).state[keyPath: path]) { $0.stateValue } }
    edits = { old, new in
      FeatureState<F>.of(new).state[keyPath: path]
        .edits(since: FeatureState<F>.of(old).state[keyPath: path]) { $0.stateValue }
    }
    isNewestFirst = { FeatureState<F>.of($0).state[keyPath: path].order == .newestFirst }
    startLog = { FeatureState<F>.of($0).state[keyPath: path].startLog($1) }
    endLog = { FeatureState<F>.of($0).state[keyPath: path].endLog($1) { $0.stateValue } }
    renew = { FeatureState<F>.of($0).state[keyPath: path].renew() }
    // Safe: the boxes and the copies of states are those of this feature. The offset saves time, as this happens for every
    // action; a list within a computed part has none.
    let offset = MemoryLayout<F.State>.offset(of: path)
    releaseRecords = { state in
      if let offset {
        state.advanced(by: offset).assumingMemoryBound(to: RecordList<Element>.self)
          .pointee.releaseRecords()
      } else {
        state.assumingMemoryBound(to: F.State.self).pointee[keyPath: path].releaseRecords()
      }
    }
    putBack = { box, copy in
      let box = FeatureState<F>.of(box)
      let copy = copy.assumingMemoryBound(to: F.State.self)
      let isUnchanged = box.state[keyPath: path].isUnchanged(since: copy.pointee[keyPath: path])
      swap(&copy.pointee[keyPath: path], &box.state[keyPath: path])
      return isUnchanged
    }
    restore = { try FeatureState<F>.of($0).state[keyPath: path].restore(from: $1) }
    greatestID = { FeatureState<F>.of($0).state[keyPath: path].greatestID }
    containsID = { FeatureState<F>.of($0).state[keyPath: path].contains(id: $1) }
    initialRecord = {
      try (Element.self as? any EvolvingRecord.Type).map { try JSONValue(encoding: $0.initial) }
    }
  }
}

extension RecordList {
  /// Replaces the records by those of a document.
  ///
  /// - Throws: ``DocumentError``, or the error of reading a record; the list is then unchanged.
  @usableFromInline mutating func restore(from decoder: any Decoder) throws {
    let records = try [Record](fromDocument: decoder)
    for (index, record) in records.enumerated() {
      do {
        try record.validate()
      } catch {
        throw DocumentError(decoder.codingPath + [AnyKey(index)], error.userMessage)
      }
    }
    do {
      self = try RecordList(order: order, records: records)
    } catch {
      throw DocumentError(decoder.codingPath, error.userMessage)
    }
  }
}
