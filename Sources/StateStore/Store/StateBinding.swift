/// A value of the app's state that can be read, and replaced by sending an action.
///
/// Bindings can be derived by key path, from a record to one of its properties.
public struct StateBinding<Value> {
  private let read: () throws -> Value
  private let write: (Value) throws -> Void

  /// Makes a binding.
  ///
  /// - Parameters:
  ///   - get: Reads the current value.
  ///   - set: Sends the action that replaces the value.
  public init(get: @escaping () throws -> Value, set: @escaping (Value) throws -> Void) {
    read = get
    write = set
  }

  /// The current value.
  ///
  /// - Throws: Why there is no value: for example, because a record was removed.
  public func get() throws -> Value { try read() }

  /// Replaces the value.
  ///
  /// - Throws: Why the value can't be replaced; nothing has then changed.
  public func set(_ value: Value) throws { try write(value) }

  /// A binding to a part of the value.
  ///
  /// - Parameter part: The key path of the part. Setting it sets the whole value with that part replaced.
  public subscript<Part>(_ part: WritableKeyPath<Value, Part>) -> StateBinding<Part> {
    StateBinding<Part>(
      get: { try get()[keyPath: part] },
      set: { newPart in
        var value = try get()
        value[keyPath: part] = newPart
        try set(value)
      })
  }
}
