extension LuaClass {
  /// Adds a property that scripts can read.
  @inlinable
  public func property<Value: LuaPushable>(
    _ name: String, help: String, example: String, get: @escaping (Object) throws -> Value
  ) {
    members.add(
      getter: HostFunction { stack in
        try stack.pushProperty(get(Object.read(from: stack, at: 1)))
      }, setter: nil,
      documentation: .property(
        name, Value.luaTypeName, isWritable: false, help: help, example: example))
  }

  /// Adds a property that scripts can read and assign.
  @inlinable
  public func property<Value: LuaPushable & LuaReadable>(
    _ name: String, help: String, example: String, get: @escaping (Object) throws -> Value,
    set: @escaping (Object, Value) throws -> Void
  ) {
    let qualifiedName = "\(members.owner).\(name)"
    members.add(
      getter: HostFunction { stack in
        try stack.pushProperty(get(Object.read(from: stack, at: 1)))
      },
      setter: HostFunction { stack in
        try set(Object.read(from: stack, at: 1), stack.assignedValue(to: qualifiedName))
        return 0
      },
      documentation: .property(
        name, Value.luaTypeName, isWritable: true, help: help, example: example))
  }

  /// Adds a property that scripts can read, which Swift reads by a key path.
  ///
  /// ```swift
  /// members.property("owner", \.owner, help: "Whose it is.", example: "account.owner")
  /// ```
  ///
  /// Swift takes longer to follow a key path than to run a closure: where scripts read it in a loop, write
  /// `get: \.owner`, which makes the literal a closure.
  @inlinable
  public func property<Value: LuaPushable>(
    _ name: String, _ path: KeyPath<Object, Value>, help: String, example: String
  ) {
    property(name, help: help, example: example, get: { $0[keyPath: path] })
  }

  /// Adds a property that scripts can read and assign, which Swift can assign by a key path.
  ///
  /// What Swift can assign where this is called, scripts can too: to keep them from it, give a closure that reads.
  @inlinable
  public func property<Value: LuaPushable & LuaReadable>(
    _ name: String, _ path: ReferenceWritableKeyPath<Object, Value>, help: String, example: String
  ) {
    property(
      name, help: help, example: example, get: { $0[keyPath: path] },
      set: { $0[keyPath: path] = $1 })
  }
}
