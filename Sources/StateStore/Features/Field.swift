/// A named piece of a feature's state that is shown and observed.
///
/// A feature's list of them is the only place where their names stand: paths, checks, observation, documents and views of
/// the state file follow from it.
public struct Field<F: Feature>: Sendable {
  /// The name in snake case; empty where the field is all the feature has to show under its own name.
  public let name: String

  /// What there can be in it.
  public let shape: StateShape

  /// What the views of the state file show of it.
  private(set) var view = FieldView()

  let content: Content

  @usableFromInline enum Content: Sendable {
    case value(FieldAccess, restore: Restore?)
    case list(ListAccess<F>)
  }

  /// Reads the field from a document.
  @usableFromInline typealias Restore = @Sendable (inout F.State, any Decoder) throws -> Void

  @usableFromInline init(name: String, shape: StateShape, content: Content) {
    self.name = name
    self.shape = shape
    self.content = content
  }

  /// A stored value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - part: Where it is in the state.
  /// - Returns: The field.
  @inlinable public static func value<Value: FieldValue>(
    _ name: String, _ part: any WritableKeyPath<F.State, Value> & Sendable
  ) -> Self {
    let offset = MemoryLayout<F.State>.offset(of: part)
    let read: @Sendable (AnyFeatureState) -> StateValue = {
      FeatureState<F>.of($0).part(part, at: offset).stateValue
    }
    return Self(
      name: name, shape: Value.shape,
      content: .value(
        FieldAccess(read: read, write: read),
        restore: { $0[keyPath: part] = try Value(fromDocument: $1) }))
  }

  /// A value that follows from the state: documents have it, but it isn't read from them.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - read: Reads the value, in a time that doesn't depend on how many records there are.
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

  /// Whether an answer to a request is awaited; in documents none is.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - request: The request that isn't answered yet, or nil.
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

  /// A list of records, whose edits are told.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - list: Where the list is in the state: a stored property, so that it is changed in place.
  /// - Returns: The field.
  @inlinable public static func list<Element: Record>(
    _ name: String, _ list: any WritableKeyPath<F.State, RecordList<Element>> & Sendable
  ) -> Self {
    Self(
      name: name, shape: .list(of: Element.shape), content: .list(ListAccess(list)))
  }

  /// The same field, of which a view of the state file shows a member only.
  ///
  /// - Parameter member: The member's name.
  /// - Returns: The field.
  public func showing(_ member: String) -> Self {
    var field = self
    field.view.member = member
    return field
  }

  /// The same list, which has a view of its own in the state file.
  ///
  /// - Parameter name: The view's name, instead of that of the feature or field.
  /// - Returns: The field.
  public func inView(_ name: String) -> Self {
    var field = self
    field.view.name = name
    return field
  }
}

/// What the views of the state file show of a field.
struct FieldView: Sendable {
  /// The name of a list's view; nil for the feature's, or the field's.
  var name: String?
  /// The member of a record that stands for all of it; nil for the whole value.
  var member: String?
}

/// How a value is read without knowing its type.
@usableFromInline struct FieldAccess: Sendable {
  let read: @Sendable (AnyFeatureState) -> StateValue
  /// The value as documents have it.
  let write: @Sendable (AnyFeatureState) -> StateValue

  @usableFromInline init(
    read: @escaping @Sendable (AnyFeatureState) -> StateValue,
    write: @escaping @Sendable (AnyFeatureState) -> StateValue
  ) {
    (self.read, self.write) = (read, write)
  }
}

/// What can be done with a list in a feature's state without knowing its records.
@usableFromInline struct ListAccess<F: Feature>: Sendable {
  /// All records in their general form.
  let values: @Sendable (AnyFeatureState) -> ListElements<StateValue>
  /// What makes the list of one state that of another; nil where they are the same.
  let edits: @Sendable (_ old: AnyFeatureState, _ new: AnyFeatureState) -> ListEdits<StateValue>?
  /// Has the list note its changes.
  let startLog: @Sendable (AnyFeatureState, LogSession) -> Void
  /// What the list noted since.
  let endLog: @Sendable (AnyFeatureState, LogSession) -> LoggedEdits<StateValue>
  /// Makes it a list that no other one has become.
  let renew: @Sendable (inout F.State) -> Void
  /// Reads it from a document.
  let restore: @Sendable (inout F.State, any Decoder) throws -> Void
  /// The names of a record's parts; empty where a record is a single value.
  let names: [String]

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
      }, names: Element.shape.names)
  }

  @usableFromInline init(
    values: @escaping @Sendable (AnyFeatureState) -> ListElements<StateValue>,
    edits: @escaping @Sendable (AnyFeatureState, AnyFeatureState) -> ListEdits<StateValue>?,
    startLog: @escaping @Sendable (AnyFeatureState, LogSession) -> Void,
    endLog: @escaping @Sendable (AnyFeatureState, LogSession) -> LoggedEdits<StateValue>,
    renew: @escaping @Sendable (inout F.State) -> Void,
    restore: @escaping @Sendable (inout F.State, any Decoder) throws -> Void, names: [String]
  ) {
    (self.values, self.edits) = (values, edits)
    (self.startLog, self.endLog) = (startLog, endLog)
    (self.renew, self.restore, self.names) = (renew, restore, names)
  }
}
