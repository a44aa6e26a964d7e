/// A named piece of state that can be observed.
///
/// A feature lists its fields; its parent pulls them back to its own state, under a name.
public struct Field<State>: Sendable {
  /// Where the field is, as names in snake case with dots between them, such as `counter.count`.
  public let path: String

  /// What there can be in the field.
  public let shape: StateShape

  /// Whether it is a list or a part of one, which changes only where the list has noted edits.
  let isOfList: Bool

  let content: Content

  enum Content: Sendable {
    /// A value that costs little to read and to compare.
    case scalar(@Sendable (State) -> StateValue)

    /// A list, which is never compared for an action: it says itself what happened to it.
    case list(ListAccess<State>)
  }

  /// A field of one value, which is compared with the value before to see that it changed.
  ///
  /// - Parameters:
  ///   - path: The field's name in its feature.
  ///   - shape: What there can be in it, besides nothing.
  ///   - read: Reads the value, in a time that doesn't depend on how many records there are.
  /// - Returns: The field.
  public static func scalar(
    _ path: String, _ shape: StateShape = .value,
    _ read: @escaping @Sendable (State) -> StateValue
  ) -> Self {
    Self(path: path, shape: shape, isOfList: false, content: .scalar(read))
  }

  /// A field of records, which reports the edits the list noted.
  ///
  /// - Parameters:
  ///   - path: The field's name in its feature; empty where the list is all the feature has.
  ///   - list: Where the list is in the state: a stored property, so that it is changed in place.
  ///   - shape: What there is in the form of one record.
  ///   - value: The form of one record.
  /// - Returns: The field.
  public static func list<Record>(
    _ path: String,
    _ list: any WritableKeyPath<State, RecordList<Record>> & Sendable,
    of shape: StateShape = .value,
    _ value: @escaping @Sendable (Record) -> StateValue
  ) -> Self {
    Self(
      path: path, shape: .list(of: shape), isOfList: true,
      content: .list(ListAccess(list, value)))
  }

  /// The value of the field in a state.
  ///
  /// - Complexity: O(1) for a scalar, O(records) for a list.
  public func value(in state: State) -> StateValue {
    switch content {
    case .scalar(let read): read(state)
    case .list(let access): .list(Array(access.values(state)))
    }
  }

  /// The same field as one of a state that contains this one.
  ///
  /// - Parameters:
  ///   - name: The name of the contained state, which comes before the field's own.
  ///   - child: Where the contained state is: a stored property, so that it is changed in place.
  ///   - reading: Reads a value of the contained state, as it is in the parent; the key path would say that as well, but takes
  ///     some 50 ns, and an observed field is read for every action.
  /// - Returns: The field of the parent.
  public func pulledBack<Parent>(
    to name: String, _ child: any WritableKeyPath<Parent, State> & Sendable,
    reading: @escaping @Sendable (Parent, (State) -> StateValue) -> StateValue
  ) -> Field<Parent> {
    let content: Field<Parent>.Content =
      switch self.content {
      case .scalar(let read): .scalar { reading($0, read) }
      case .list(let access): .list(access.pulledBack(child))
      }
    return Field<Parent>(
      path: path.isEmpty ? name : "\(name).\(path)", shape: shape, isOfList: isOfList,
      content: content)
  }

  /// Whether the field differs between two states.
  ///
  /// - Complexity: O(1) for a scalar; for a list O(records), less where the states share most of it.
  func differs(_ state: State, _ other: State) -> Bool {
    switch content {
    case .scalar(let read): read(state) != read(other)
    case .list(let access): !access.isEqual(state, other)
    }
  }

  /// How the field differs between two states, or nil where it doesn't; a list that does is told of as replaced.
  ///
  /// - Complexity: As `differs`.
  func change(from old: State, to new: State) -> FieldChange? {
    switch content {
    case .scalar(let read):
      let (new, old) = (read(new), read(old))
      return new == old ? nil : FieldChange(path: path, change: .value(new: new, old: old))
    case .list(let access):
      guard !access.isEqual(old, new) else { return nil }
      return FieldChange(path: path, change: .list(access.replacement(of: old, by: new)))
    }
  }
}
