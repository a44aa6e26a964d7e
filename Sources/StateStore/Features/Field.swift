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
    case value(FieldAccess<F.State>)
    case list(ListAccess<F.State>)
  }

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
    // A key path takes some 50 ns, and an observed field is read for every action.
    let read: @Sendable (F.State) -> StateValue =
      if let offset = MemoryLayout<F.State>.offset(of: part) {
        { state in
          withUnsafePointer(to: state) { pointer in
            UnsafeRawPointer(pointer).advanced(by: offset).assumingMemoryBound(to: Value.self)
              .pointee.stateValue
          }
        }
      } else {
        { $0[keyPath: part].stateValue }
      }
    return Self(
      name: name, shape: Value.shape,
      content: .value(
        FieldAccess(
          read: read, write: read,
          restore: { $0[keyPath: part] = try Value(fromDocument: $1) })))
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
    let read: @Sendable (F.State) -> StateValue = { read($0).stateValue }
    return Self(
      name: name, shape: Value.shape,
      content: .value(FieldAccess(read: read, write: read, restore: nil)))
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
          read: { .boolean(request($0) != nil) }, write: { _ in .boolean(false) }, restore: nil)))
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

/// What can be done with a value in a state without knowing its type.
@usableFromInline struct FieldAccess<State>: Sendable {
  let read: @Sendable (State) -> StateValue
  /// The value as documents have it.
  let write: @Sendable (State) -> StateValue
  /// Reads it from a document; nil where it isn't read.
  let restore: (@Sendable (inout State, any Decoder) throws -> Void)?

  @usableFromInline init(
    read: @escaping @Sendable (State) -> StateValue,
    write: @escaping @Sendable (State) -> StateValue,
    restore: (@Sendable (inout State, any Decoder) throws -> Void)?
  ) {
    (self.read, self.write, self.restore) = (read, write, restore)
  }
}
