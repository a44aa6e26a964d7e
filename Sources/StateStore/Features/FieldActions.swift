/// The action that assigning a field sends.
@usableFromInline struct FieldSetter<F: Feature, Value: FieldValue>: Sendable {
  // It takes the store because it is compiled for the types of the feature, which makes it twice as fast.
  let assign: @Sendable (Store, _ new: Value) throws -> Void

  @usableFromInline init(assign: @escaping @Sendable (Store, Value) throws -> Void) {
    self.assign = assign
  }
}

/// The access to a list's records, for live records.
///
/// Its closures take the store because they are compiled for the list's types, which makes them several times as fast.
@usableFromInline
package struct RecordListAccess<F: Feature, Element: Record>: Sendable {
  /// The record with an id; nil if there is none.
  package let record: @Sendable (Store, _ id: Int) -> Element?
  package let count: @Sendable (Store) -> Int
  /// The id of the record at a position, counted from 0.
  package let id: @Sendable (Store, _ position: Int) -> Int
  /// The error for an id that no record has.
  package let missing: @Sendable (_ id: Int) -> any Error
  package let assignments: [RecordAssignment<F, Element>]
  /// The list's key path in the state.
  package let path: any PartialKeyPath<F.State> & Sendable

  @inlinable init(
    _ list: any WritableKeyPath<F.State, RecordList<Element>> & Sendable,
    missing: @escaping @Sendable (Int) -> any Error, assignments: [RecordAssignment<F, Element>]
  ) {
    self.init(
      record: { store, id in store.read(F.self) { $0[keyPath: list][id: id] } },
      count: { store in store.read(F.self) { $0[keyPath: list].count } },
      id: { store, position in store.read(F.self) { $0[keyPath: list][position].id } },
      missing: missing, assignments: assignments, path: list)
  }

  @usableFromInline init(
    record: @escaping @Sendable (Store, Int) -> Element?, count: @escaping @Sendable (Store) -> Int,
    id: @escaping @Sendable (Store, Int) -> Int, missing: @escaping @Sendable (Int) -> any Error,
    assignments: [RecordAssignment<F, Element>], path: any PartialKeyPath<F.State> & Sendable
  ) {
    (self.record, self.count, self.id, self.missing) = (record, count, id, missing)
    (self.assignments, self.path) = (assignments, path)
  }
}

/// The action that assigning a field of a list's records sends.
public struct RecordAssignment<F: Feature, Element>: Sendable {
  /// The index of the field in the record's fields; nil if it isn't one that can be assigned.
  package let index: Int?
  /// The field's name; nil if it isn't one that can be assigned.
  @usableFromInline let name: String?
  private let part: any PartialKeyPath<Element> & Sendable
  private let setter: any Sendable

  /// Assigns a part of a record by an action.
  ///
  /// - Parameters:
  ///   - part: The field's key path in the record, as in its declaration.
  ///   - action: Makes the action that gives the record with an id a new value there.
  /// - Returns: The assignment.
  public static func set<Value: FieldValue>(
    _ part: any WritableKeyPath<Element, Value> & Sendable,
    _ action: @escaping @Sendable (_ id: Int, _ new: Value) -> F.Action
  ) -> Self where Element: FieldRecord {
    let index = Element.fieldIndex(of: part)
    return Self(
      index: index, name: index.map { Element.fields[$0].name }, part: part,
      setter: RecordSetter<F, Value>(action: action))
  }

  /// The name of the part, if it isn't a field that can be assigned.
  @usableFromInline var unassignable: String? {
    index == nil ? part.propertyName ?? "a computed part" : nil
  }

  /// Names the mistake: only a stored property can be assigned.
  @available(
    *, unavailable, message: "this property can't be assigned: make it a stored one (var)"
  )
  public static func set<Value: FieldValue>(
    _ part: any KeyPath<Element, Value> & Sendable,
    _ action: @escaping @Sendable (_ id: Int, _ new: Value) -> F.Action
  ) -> Self where Element: FieldRecord { preconditionFailure("It can't be called.") }

  /// The action for values of a type; nil if the field's values have another.
  package func action<Value>(
    of type: Value.Type
  ) -> (@Sendable (_ id: Int, _ new: Value) -> F.Action)? {
    (setter as? RecordSetter<F, Value>)?.action
  }
}

private struct RecordSetter<F: Feature, Value>: Sendable {
  let action: @Sendable (_ id: Int, _ new: Value) -> F.Action
}
