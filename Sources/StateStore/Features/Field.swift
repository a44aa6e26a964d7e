/// A named part of a feature's state that is shown and observed.
///
/// A feature's list of fields is the only place that names them: paths, checks, observation, documents and the state
/// file's views derive from it.
public struct Field<F: Feature>: Sendable {
  /// The name in snake case; empty for a field shown under the feature's own name.
  public let name: String

  /// The shape of the field's values.
  public let shape: StateShape

  private(set) var view = FieldView()

  @usableFromInline let content: Content

  /// The stored property that the field shows or hides; nil for a field that is computed from the whole state.
  let property: (any AnyKeyPath & Sendable)?

  @usableFromInline enum Content: Sendable {
    case value(FieldAccess, restore: Restore?)
    case list(ListAccess<F>)
    case hidden
  }

  /// Reads the field from a document.
  @usableFromInline typealias Restore = @Sendable (inout F.State, any Decoder) throws -> Void

  @usableFromInline init(
    name: String, shape: StateShape, property: (any AnyKeyPath & Sendable)? = nil, content: Content
  ) {
    self.name = name
    self.shape = shape
    self.property = property
    self.content = content
  }

  /// A stored value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - part: The key path of the value in the state.
  /// - Returns: The field.
  @inlinable public static func value<Value: FieldValue>(
    _ name: String, _ part: any WritableKeyPath<F.State, Value> & Sendable
  ) -> Self {
    let offset = MemoryLayout<F.State>.offset(of: part)
    let read: @Sendable (AnyFeatureState) -> StateValue = {
      FeatureState<F>.of($0).part(part, at: offset).stateValue
    }
    return Self(
      name: name, shape: Value.shape, property: part,
      content: .value(
        FieldAccess(read: read, write: read),
        restore: { $0[keyPath: part] = try Value(fromDocument: $1) }))
  }

  /// A value computed from the state, which is written to documents but not read from them.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - read: Computes the value, in a time that doesn't depend on the number of records.
  /// - Returns: The field.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, _ read: @escaping @Sendable (F.State) -> Value
  ) -> Self {
    let read: @Sendable (AnyFeatureState) -> StateValue = {
      read(FeatureState<F>.of($0).state).stateValue
    }
    return Self(
      name: name, shape: Value.shape,
      content: .value(FieldAccess(read: read, write: read), restore: nil))
  }

  /// Whether a request is pending; always false in documents.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - request: Returns the pending request, or nil.
  /// - Returns: The field.
  @inlinable public static func awaiting<Request>(
    _ name: String, _ request: @escaping @Sendable (F.State) -> Request?
  ) -> Self {
    Self(
      name: name, shape: .value,
      content: .value(
        FieldAccess(
          read: { .boolean(request(FeatureState<F>.of($0).state) != nil) },
          write: { _ in .boolean(false) }), restore: nil))
  }

  /// Whether a request is pending; always false in documents.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - request: The key path of the pending request in the state.
  /// - Returns: The field.
  @inlinable public static func awaiting<Request>(
    _ name: String, _ request: any KeyPath<F.State, Request?> & Sendable
  ) -> Self {
    Self(
      name: name, shape: .value, property: request,
      content: awaiting(name) { $0[keyPath: request] }.content)
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
  /// - Returns: The field.
  @inlinable public static func list<Element: Record>(
    _ name: String, _ list: any WritableKeyPath<F.State, RecordList<Element>> & Sendable
  ) -> Self {
    Self(
      name: name, shape: .list(of: Element.shape), property: list,
      content: .list(ListAccess(list)))
  }

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

/// How the state file's views show a field.
struct FieldView: Sendable {
  /// The name of a list's view; nil for the feature's or field's name.
  var name: String?
  /// The member that a record is shown as; nil for the whole value.
  var member: String?
}

/// Type-erased access to a value.
@usableFromInline struct FieldAccess: Sendable {
  let read: @Sendable (AnyFeatureState) -> StateValue
  /// Reads the value as documents contain it.
  let write: @Sendable (AnyFeatureState) -> StateValue

  @usableFromInline init(
    read: @escaping @Sendable (AnyFeatureState) -> StateValue,
    write: @escaping @Sendable (AnyFeatureState) -> StateValue
  ) {
    (self.read, self.write) = (read, write)
  }
}

/// Type-erased access to a list in a feature's state.
@usableFromInline struct ListAccess<F: Feature>: Sendable {
  let values: @Sendable (AnyFeatureState) -> ListElements<StateValue>
  /// The edits from the list of one state to that of another; nil if the lists are the same.
  let edits: @Sendable (_ old: AnyFeatureState, _ new: AnyFeatureState) -> ListEdits<StateValue>?
  /// Whether appended records come first.
  let isNewestFirst: @Sendable (AnyFeatureState) -> Bool
  /// Has the list note its changes.
  let startLog: @Sendable (AnyFeatureState, LogSession) -> Void
  /// What the list noted since.
  let endLog: @Sendable (AnyFeatureState, LogSession) -> LoggedEdits<StateValue>
  /// Makes it a list that no other one has become.
  let renew: @Sendable (inout F.State) -> Void
  /// Reads the list from a document.
  let restore: @Sendable (inout F.State, any Decoder) throws -> Void
  /// The greatest id of a record.
  let greatestID: @Sendable (AnyFeatureState) -> Int?
  let containsID: @Sendable (AnyFeatureState, Int) -> Bool
  /// The names of a record's parts; empty if a record is a single value.
  let names: [String]
  /// The encoded initial values of a record; nil if it has none.
  let initialRecord: (@Sendable () throws -> JSONValue)?

  @inlinable init<Element: Record>(
    _ list: any WritableKeyPath<F.State, RecordList<Element>> & Sendable
  ) {
    let offset = MemoryLayout<F.State>.offset(of: list)
    self.init(
      values: { ListElements(FeatureState<F>.of($0).part(list, at: offset)) { $0.stateValue } },
      edits: { old, new in
        FeatureState<F>.of(new).part(list, at: offset)
          .edits(since: FeatureState<F>.of(old).part(list, at: offset)) { $0.stateValue }
      },
      isNewestFirst: { FeatureState<F>.of($0).part(list, at: offset).order == .newestFirst },
      startLog: { state, session in
        FeatureState<F>.of(state).change(list, at: offset) { $0.startLog(session) }
      },
      endLog: { state, session in
        FeatureState<F>.of(state).change(list, at: offset) { $0.endLog(session) { $0.stateValue } }
      },
      renew: { $0[keyPath: list].renew() },
      restore: { state, decoder in
        let records = try [Element](fromDocument: decoder)
        for (index, record) in records.enumerated() {
          do {
            try record.validate()
          } catch {
            throw DocumentError(decoder.codingPath + [AnyKey(index)], "\(error)")
          }
        }
        do {
          state[keyPath: list] = try RecordList(order: state[keyPath: list].order, records: records)
        } catch {
          throw DocumentError(decoder.codingPath, "\(error)")
        }
      },
      greatestID: { FeatureState<F>.of($0).part(list, at: offset).greatestID },
      containsID: { FeatureState<F>.of($0).part(list, at: offset).contains(id: $1) },
      record: Element.self)
  }

  @usableFromInline init(
    values: @escaping @Sendable (AnyFeatureState) -> ListElements<StateValue>,
    edits: @escaping @Sendable (AnyFeatureState, AnyFeatureState) -> ListEdits<StateValue>?,
    isNewestFirst: @escaping @Sendable (AnyFeatureState) -> Bool,
    startLog: @escaping @Sendable (AnyFeatureState, LogSession) -> Void,
    endLog: @escaping @Sendable (AnyFeatureState, LogSession) -> LoggedEdits<StateValue>,
    renew: @escaping @Sendable (inout F.State) -> Void,
    restore: @escaping @Sendable (inout F.State, any Decoder) throws -> Void,
    greatestID: @escaping @Sendable (AnyFeatureState) -> Int?,
    containsID: @escaping @Sendable (AnyFeatureState, Int) -> Bool, record: any Record.Type
  ) {
    (self.values, self.edits, self.isNewestFirst) = (values, edits, isNewestFirst)
    (self.startLog, self.endLog) = (startLog, endLog)
    (self.renew, self.restore) = (renew, restore)
    (self.greatestID, self.containsID) = (greatestID, containsID)
    names = record.shape.names
    initialRecord = (record as? any EvolvingRecord.Type).map { Self.initialRecord(of: $0) }
  }
}

extension ListAccess {
  private static func initialRecord<Element: EvolvingRecord>(
    of record: Element.Type
  ) -> @Sendable () throws -> JSONValue {
    { try JSONValue(encoding: Element.initial) }
  }
}

extension Field {
  /// Whether the field is only there to say that it isn't shown.
  var isHidden: Bool {
    if case .hidden = content { true } else { false }
  }

  /// The field's list; nil for another field.
  var list: ListAccess<F>? {
    if case .list(let list) = content { list } else { nil }
  }
}
