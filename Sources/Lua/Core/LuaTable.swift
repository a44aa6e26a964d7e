internal import CLua
internal import CLuaTrampolines

/// A Lua table, held from Swift.
public final class LuaTable: LuaReference, LuaReadable {
  /// "table".
  public override class var luaTypeName: String { "table" }

  /// Reads a table.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> LuaTable
  {
    try LuaTable(reading: .table, at: index, of: stack)
  }

  /// The value of a key, as `table[key]` in Lua: metamethods run.
  ///
  /// - Throws: What a metamethod raised, or `wrong_type` if the value isn't of that type.
  public func get<Value: LuaReadable>(_ key: some LuaPushable, as type: Value.Type = Value.self)
    throws(LuaError) -> Value
  {
    try get(type, called: "field") { stack throws(LuaError) in try key.push(to: stack) }
  }

  func get<Value: LuaReadable>(
    _ type: Value.Type, called noun: String, pushingKey push: (LuaStack) throws(LuaError) -> Void
  ) throws(LuaError) -> Value {
    try withStack { stack throws(LuaError) in
      lua_pushcclosure(stack.pointer, clua_protected_get, 0)
      try self.push(to: stack)
      try push(stack)
      try stack.call(argumentCount: 2, resultCount: 1)
      do {
        return try Value.read(from: stack, at: stack.count)
      } catch {
        try push(stack)
        throw LuaError(.wrongType, "\(noun) \(stack.keyText(at: -1)): \(error)")
      }
    }
  }

  /// Sets the value of a key, as `table[key] = value` in Lua: metamethods run.
  ///
  /// - Throws: What a metamethod raised, and `runtime_error` for a key that is nil or NaN.
  public func set(_ key: some LuaPushable, to value: some LuaPushable) throws(LuaError) {
    try set(value) { stack throws(LuaError) in try key.push(to: stack) }
  }

  func set(_ value: some LuaPushable, pushingKey push: (LuaStack) throws(LuaError) -> Void)
    throws(LuaError)
  {
    try withStack { stack throws(LuaError) in
      lua_pushcclosure(stack.pointer, clua_protected_set, 0)
      try self.push(to: stack)
      try push(stack)
      try value.push(to: stack)
      try stack.call(argumentCount: 3, resultCount: 0)
    }
  }

  /// The length, as `#table` in Lua: metamethods run.
  public func length() throws(LuaError) -> Int {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      return try stack.protectedLength(at: stack.count)
    }
  }

  // MARK: - Entries

  /// All keys with their values, as Lua's `next` returns them: no metamethods run, and the order is Lua's own.
  ///
  /// ```swift
  /// for (key, value) in try table.entries() { print(key, value) }
  /// ```
  ///
  /// A copy: the table may change while a loop uses it. The table itself isn't a `Sequence`, because a loop over it
  /// couldn't say that the state is closed, or that the running code is to stop.
  ///
  /// - Throws: What ``LuaStack/checkStop()`` does, and `state_closed`.
  /// - Complexity: O(n), with every entry read at once.
  public func entries() throws(LuaError) -> [(key: LuaValue, value: LuaValue)] {
    try entries(atMost: .max).entries
  }

  /// All keys with their values as types of Swift, like ``entries()``.
  ///
  /// ```swift
  /// for (name, age) in try ages.entries(as: (String, Int).self) { print(name, age) }
  /// ```
  ///
  /// - Throws: As ``entries()`` does, and `wrong_type`, which names the key, for what isn't of the type.
  public func entries<Key: LuaReadable, Value: LuaReadable>(as types: (Key, Value).Type)
    throws(LuaError) -> [(key: Key, value: Value)]
  {
    // All entries first: reading one may run code that changes the table, and a traversal would then fail.
    let all = try entries()
    return try withStack { stack throws(LuaError) in
      var entries: [(key: Key, value: Value)] = []
      entries.reserveCapacity(all.count)
      for (key, value) in all {
        try stack.checkStop()
        try key.push(to: stack)
        try value.push(to: stack)
        let top = stack.count
        entries.append(
          (
            try stack.read(Key.self, at: top - 1, called: "key", keyAt: top - 1),
            try stack.read(Value.self, at: top, called: "field", keyAt: top - 1)
          ))
        stack.pop(2)
      }
      return entries
    }
  }

  /// The first entries of the table, like ``entries()``, and whether these are all.
  package func entries(atMost limit: Int) throws(LuaError)
    -> (entries: [(key: LuaValue, value: LuaValue)], areAll: Bool)
  {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      let table = stack.count
      var entries: [(key: LuaValue, value: LuaValue)] = []
      stack.pushNil()
      // Nothing here runs code of scripts or collects garbage, so the table stays as it is.
      while lua_next(stack.pointer, table) != 0 {
        guard entries.count < limit else { return (entries, false) }
        try stack.checkStop()
        entries.append((stack.value(at: table + 1), stack.value(at: table + 2)))
        stack.pop(1)
      }
      return (entries, true)
    }
  }

  // MARK: - Without metamethods

  /// The value of a key in the table itself, as by Lua's `rawget`: no metamethods run.
  public func rawGet(_ key: some LuaPushable) throws(LuaError) -> LuaValue {
    try rawGet(key, as: LuaValue.self)
  }

  /// The value of a key in the table itself as a type of Swift, like ``rawGet(_:)``.
  ///
  /// - Throws: `wrong_type` if the value isn't of that type.
  public func rawGet<Value: LuaReadable>(_ key: some LuaPushable, as type: Value.Type)
    throws(LuaError) -> Value
  {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      try key.push(to: stack)
      lua_pushvalue(stack.pointer, -1)
      lua_rawget(stack.pointer, -3)
      return try stack.read(type, at: stack.count, called: "field", keyAt: stack.count - 1)
    }
  }

  /// Sets the value of a key in the table itself, as by Lua's `rawset`: no metamethods run.
  ///
  /// - Throws: `runtime_error` for a key that is nil or NaN.
  public func rawSet(_ key: some LuaPushable, to value: some LuaPushable) throws(LuaError) {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      try key.push(to: stack)
      switch stack.type(at: -1) {
      case nil, .nil: throw LuaError(.runtime, "index is nil")
      case .number where lua_tonumberx(stack.pointer, -1, nil).isNaN:
        throw LuaError(.runtime, "index is NaN")
      default: break
      }
      try value.push(to: stack)
      lua_rawset(stack.pointer, -3)
    }
  }

  /// The length of the table's sequence, as by Lua's `rawlen`: no metamethods run.
  public func rawLength() throws(LuaError) -> Int {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      return Int(clamping: lua_rawlen(stack.pointer, -1))
    }
  }

  /// Sets the table's metatable, or removes it.
  ///
  /// Its `__gc` must be set before, as in Lua. A field `__metatable` of the present one doesn't prevent it.
  ///
  /// - Throws: ``LuaError`` (`foreign_value`) for a table of another state.
  public func setMetatable(_ metatable: LuaTable?) throws(LuaError) {
    try withStack { stack throws(LuaError) in
      lua_pushcclosure(stack.pointer, clua_protected_set_metatable, 0)
      try push(to: stack)
      if let metatable { try metatable.push(to: stack) } else { stack.pushNil() }
      try stack.call(argumentCount: 2, resultCount: 0)
    }
  }
}

/// A table that is an argument, but no module: those are tables, too, and would be given by mistake.
package struct PlainTable: LuaReadable {
  package let table: LuaTable

  package static var luaTypeName: String { LuaTable.luaTypeName }

  package static func read(
    from stack: LuaStack, at index: Int32
  ) throws(LuaTypeMismatch) -> PlainTable {
    guard !stack.isModule(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, got: "a module")
    }
    return PlainTable(table: try LuaTable.read(from: stack, at: index))
  }
}

extension LuaStack {
  /// Reads a value of a table, or a key, which messages call by the noun and the key at an index.
  fileprivate func read<Value: LuaReadable>(
    _ type: Value.Type, at index: Int32, called noun: String, keyAt key: Int32
  ) throws(LuaError) -> Value {
    do {
      return try Value.read(from: self, at: index)
    } catch {
      throw LuaError(.wrongType, "\(noun) \(keyText(at: key)): \(error)")
    }
  }
}
