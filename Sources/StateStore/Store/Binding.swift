/// A value of the app's state that can be read, and replaced by sending an action.
///
/// Bindings are derived from each other: from a record to one of its properties, by key path.
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
