/// A value of the app's state that can be read, and replaced by sending an action.
///
/// Bindings are derived from each other: from a record to one of its properties, by key path. Those to records of a list
/// are made by id (`Store.binding(to:in:of:missing:edit:)`), so that they are about the same record wherever it stands.
public struct Binding<Value> {
  private let read: () throws -> Value
  private let write: (Value) throws -> Void

  /// Makes a binding.
  ///
  /// - Parameters:
  ///   - get: Reads the value as it is now.
  ///   - set: Sends the action that makes the value another.
  public init(get: @escaping () throws -> Value, set: @escaping (Value) throws -> Void) {
    read = get
    write = set
  }

  /// The value as it is now.
  ///
  /// - Throws: Why there is none, such as a record that was removed.
  public func get() throws -> Value { try read() }

  /// Makes the value another.
  ///
  /// - Throws: Why it can't be that; then nothing has changed.
  public func set(_ value: Value) throws { try write(value) }

  /// A binding to a part of the value.
  ///
  /// - Parameter part: Where the part is. Setting it sets the whole value with that part replaced.
  public subscript<Part>(_ part: WritableKeyPath<Value, Part>) -> Binding<Part> {
    Binding<Part>(
      get: { try get()[keyPath: part] },
      set: { newPart in
        var value = try get()
        value[keyPath: part] = newPart
        try set(value)
      })
  }
}

extension Store {
  /// A binding to a part of a feature's state.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - feature: The feature.
  ///   - set: The action that makes it another.
  /// - Returns: The binding.
  @inlinable public func binding<F: Feature, Value>(
    _ part: KeyPath<F.State, Value>, of feature: F.Type, set: @escaping (Value) -> F.Action
  ) -> Binding<Value> {
    Binding(
      get: { self.read(feature) { $0[keyPath: part] } },
      set: { try self.send(set($0), to: feature) })
  }

  /// A binding to the record with an id, whether or not there is one now.
  ///
  /// - Parameters:
  ///   - id: The record's id.
  ///   - list: Where the list is in the state.
  ///   - feature: The feature.
  ///   - missing: The error for an id that no record has.
  ///   - edit: The action that makes a record (the first) another (the second), or nil where they are the same.
  /// - Returns: The binding.
  @inlinable public func binding<F: Feature, Element: Record>(
    to id: Int, in list: KeyPath<F.State, RecordList<Element>>, of feature: F.Type,
    missing: @autoclosure @escaping () -> any CodedError,
    edit: @escaping (Element, Element) -> F.Action?
  ) -> Binding<Element> {
    func record() throws -> Element {
      guard let record = self.read(feature, { $0[keyPath: list][id: id] }) else { throw missing() }
      return record
    }
    return Binding(
      get: record,
      set: { new in
        let old = try record()
        guard new.id == old.id else { throw RecordListError.changedIdentifier("\(old.id)") }
        if let action = edit(old, new) { try self.send(action, to: feature) }
      })
  }
}
