/// A named piece of state that can be observed.
///
/// A feature lists its fields; its parent pulls them back to its own state, under a name.
public struct Field<State>: Sendable {
  /// Where the field is, as names in snake case with dots between them, such as `counter.count`.
  public let path: String

  /// What there can be in the field.
  public let shape: StateShape

  let content: Content

  enum Content: Sendable {
    /// A value that costs little to read and to compare.
    case scalar(read: @Sendable (State) -> StateValue)

    /// A list, which is never compared: it says itself what happened to it.
    case list(
      read: @Sendable (State) -> StateValue,
      takeEdits: @Sendable (inout State) -> ListEdits<StateValue>?,
      discardEdits: @Sendable (inout State) -> Void)
  }

  /// A field of one value, which is compared with the value before to see that it changed.
  ///
  /// - Parameters:
  ///   - path: The field's name in its feature.
  ///   - shape: What there can be in it, besides nothing.
  ///   - read: Reads the value, in constant time.
  /// - Returns: The field.
  public static func scalar(
    _ path: String, _ shape: StateShape = .value,
    _ read: @escaping @Sendable (State) -> StateValue
  ) -> Self {
    Self(path: path, shape: shape, content: .scalar(read: read))
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
      path: path, shape: .list(of: shape),
      content: .list(
        read: { .list($0[keyPath: list].map(value)) },
        takeEdits: { $0[keyPath: list].takeEdits()?.map(value) },
        discardEdits: { $0[keyPath: list].discardEdits() }))
  }

  /// The value of the field in a state.
  ///
  /// - Complexity: O(1) for a scalar, O(records) for a list.
  public func value(in state: State) -> StateValue {
    switch content {
    case .scalar(let read), .list(let read, _, _): read(state)
    }
  }

  /// The same field as one of a state that contains this one.
  ///
  /// - Parameters:
  ///   - name: The name of the contained state, which comes before the field's own.
  ///   - child: Where the contained state is: a stored property, so that it is changed in place.
  /// - Returns: The field of the parent.
  public func pulledBack<Parent>(
    to name: String, _ child: any WritableKeyPath<Parent, State> & Sendable
  ) -> Field<Parent> {
    let content: Field<Parent>.Content =
      switch self.content {
      case .scalar(let read):
        .scalar(read: { read($0[keyPath: child]) })
      case .list(let read, let takeEdits, let discardEdits):
        .list(
          read: { read($0[keyPath: child]) },
          takeEdits: { takeEdits(&$0[keyPath: child]) },
          discardEdits: { discardEdits(&$0[keyPath: child]) })
      }
    return Field<Parent>(
      path: path.isEmpty ? name : "\(name).\(path)", shape: shape, content: content)
  }

  /// Whether the field is the one a path names, or is under it.
  ///
  /// - Parameter prefix: A field's path, the path of what contains it, or nothing for all fields.
  /// - Returns: Whether the field is reported to those who observe the path.
  func isUnder(_ prefix: String) -> Bool {
    prefix.isEmpty || path == prefix || path.hasPrefix(prefix + ".")
  }
}
