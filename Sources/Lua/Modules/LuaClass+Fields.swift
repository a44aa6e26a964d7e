extension LuaClass {
  /// Adds fields whose names only the object knows.
  ///
  /// Names of other members aren't asked for, and a key that isn't valid UTF-8 is no name.
  ///
  /// - Parameters:
  ///   - read: the value of a field, or `nil` where there is none, which is an error for scripts.
  ///   - write: assigns a value to a field, or returns false where there is none; without it nothing can be assigned.
  public func dynamicFields(
    _ read: @escaping (Object, String) throws -> (any LuaPushable)?,
    write: ((Object, String, LuaValue) throws -> Bool)? = nil
  ) {
    members.add(reader: { stack in
      guard let name = stack.fieldName,
        let value = try read(Object.read(from: stack, at: 1), name)
      else { return false }
      try value.push(to: stack)
      return true
    })
    guard let write else { return }
    members.add(writer: { stack in
      guard let name = stack.fieldName else { return false }
      return try write(
        Object.read(from: stack, at: 1), name, LuaValue.read(from: stack, at: 3))
    })
  }

  /// Adds values for all keys of a type, as a dictionary has them.
  ///
  /// Names of other members aren't asked for; a key of another type is an error.
  ///
  /// - Parameter get: the value of a key; `nil` is nil for scripts.
  public func subscripts<Key: LuaReadable>(
    get: @escaping (Object, Key) throws -> (any LuaPushable)?
  ) {
    members.add(reader: { stack in
      guard let key = stack.value(at: 2, as: Key.self) else { return false }
      let value = try get(Object.read(from: stack, at: 1), key)
      if let value { try value.push(to: stack) } else { stack.pushNil() }
      return true
    })
  }

  /// Adds values for all keys of a type, as a dictionary has them, which scripts can assign.
  ///
  /// - Parameters:
  ///   - get: the value of a key; `nil` is nil for scripts.
  ///   - set: assigns a value to a key. To let scripts assign nil, take an optional value.
  public func subscripts<Key: LuaReadable, Value: LuaReadable>(
    get: @escaping (Object, Key) throws -> (any LuaPushable)?,
    set: @escaping (Object, Key, Value) throws -> Void
  ) {
    subscripts(get: get)
    members.add(writer: { [owner = members.owner] stack in
      guard let key = stack.value(at: 2, as: Key.self) else { return false }
      let value: Value = try stack.assignedValue(to: "\(owner)[\("\(key)".shortened)]")
      try set(Object.read(from: stack, at: 1), key, value)
      return true
    })
  }
}
