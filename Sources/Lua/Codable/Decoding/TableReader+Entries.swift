internal import CLua

extension TableReader {
  /// How to read the entries of a slot's value.
  ///
  /// - Throws: a mismatch if it has none.
  func openTable(_ slot: CodingSlot, _ position: CodingPosition) throws -> TableAccess {
    try check(slot, path: position)
    // Null is a userdata too, but nothing is in it.
    guard let access = stack.tableAccess(at: slot.index), !stack.isNilOrNull(at: slot.index) else {
      throw mismatch("table expected, got \(stack.typeName(at: slot.index))", position)
    }
    return access
  }

  /// The number of elements of a slot's value.
  ///
  /// - Throws: a mismatch if it isn't a sequence: keys from 1 to n, no holes, no other keys.
  func openSequence(_ slot: CodingSlot, _ access: TableAccess, _ position: CodingPosition) throws
    -> Int
  {
    switch access {
    case .raw:
      return try rawSequenceLength(slot, position)
    case .metamethods:
      if stack.type(at: slot.index) == .userdata, !stack.hasMetafield("__len", at: slot.index) {
        throw mismatch("sequence expected, got \(stack.typeName(at: slot.index))", position)
      }
      return try stack.protectedLength(at: slot.index)
    }
  }

  private func rawSequenceLength(_ slot: CodingSlot, _ position: CodingPosition) throws -> Int {
    var count = 0
    var highest = 0
    try stack.forEachKey(of: slot.index, .raw) { key in
      let index = Int(lua_tointegerx(stack.pointer, key, nil))
      guard lua_isinteger(stack.pointer, key) != 0, index > 0 else {
        throw mismatch(
          "sequence expected, got a table with the key \(keyText(at: key))", position)
      }
      count += 1
      highest = max(highest, index)
    }
    // The keys differ, so if none is above their number, they are 1 to that number.
    guard highest > count else { return count }
    let hole = firstHole(slot)
    throw mismatch(
      "sequence expected, got a table without position \(hole); null keeps the place of a nil",
      position)
  }

  private func firstHole(_ slot: CodingSlot) -> Int {
    var index = 1
    while lua_rawgeti(stack.pointer, slot.index, lua_Integer(index)) != LUA_TNIL {
      stack.pop(1)
      index += 1
    }
    stack.pop(1)
    return index
  }

  private func keyText(at index: Int32) -> String {
    switch stack.value(at: index) {
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .string(let value): String(shortening: value.bytes).debugDescription
    default: "of type \(stack.typeName(at: index))"
    }
  }

  /// The keys of a table, all at once: between two steps of the traversal nothing may run that could change it.
  func keys<Key: DictionaryKey>(
    _ type: Key.Type, of slot: CodingSlot, _ access: TableAccess, _ position: CodingPosition
  ) throws -> [Key] {
    var keys: [Key] = []
    try stack.forEachKey(of: slot.index, access) { index in
      do throws(LuaTypeMismatch) {
        keys.append(try Key.read(from: stack, at: index))
      } catch {
        throw mismatch(
          "\(error.expected) as key expected, got the key \(keyText(at: index))", position)
      }
    }
    return keys
  }

  /// The keys of a table that are strings or integers, as coding keys of a type that knows them.
  func codingKeys<Key: CodingKey>(_ type: Key.Type, of slot: CodingSlot, _ access: TableAccess)
    throws -> [Key]
  {
    var keys: [Key] = []
    try stack.forEachKey(of: slot.index, access) { index in
      if lua_isinteger(stack.pointer, index) != 0 {
        let integer = Int(lua_tointegerx(stack.pointer, index, nil))
        if let key = Key(intValue: integer) { keys.append(key) }
      } else if let bytes = stack.bytes(at: index),
        let name = String(validating: bytes, as: UTF8.self), let key = Key(stringValue: name)
      {
        keys.append(key)
      }
    }
    return keys
  }

  /// The value of a dictionary's key.
  func entry<Value: Decodable>(
    _ key: some DictionaryKey, of slot: CodingSlot, _ access: TableAccess,
    _ position: CodingPosition
  ) throws -> Value {
    try key.push(to: stack)
    try get(of: slot, access)
    return try readTop(Value.self, under: position, key: key.pathKey)
  }

  /// Pushes the value of a field; nil if it is absent.
  ///
  /// - Returns: whether it is there, and not nil.
  @inline(__always)
  func pushField(
    _ key: some CodingKey, of slot: CodingSlot, _ access: TableAccess,
    _ position: CodingPosition
  ) throws -> Bool {
    try check(slot, path: position)
    stack.push(key.stringValue)
    if try getIfKnown(of: slot, access) { return true }
    // A key that isn't found by its name may have come from `allKeys` as an integer.
    guard let integer = key.intValue else { return false }
    stack.pop(1)
    stack.push(Int64(integer))
    return try getIfKnown(of: slot, access)
  }

  /// Pushes an element, counted from 0.
  func pushElement(_ offset: Int, of slot: CodingSlot, _ access: TableAccess) throws {
    switch access {
    case .raw: lua_rawgeti(stack.pointer, slot.index, lua_Integer(offset) + 1)
    case .metamethods:
      stack.push(Int64(offset) + 1)
      try stack.protectedGet(at: slot.index)
    }
  }

  /// Replaces the key on top by its value.
  private func get(of slot: CodingSlot, _ access: TableAccess) throws(LuaError) {
    switch access {
    case .raw: lua_rawget(stack.pointer, slot.index)
    case .metamethods: try stack.protectedGet(at: slot.index)
    }
  }

  /// Replaces the key on top by its value; nil if there is none.
  @inline(__always)
  private func getIfKnown(of slot: CodingSlot, _ access: TableAccess) throws(LuaError) -> Bool {
    switch access {
    case .raw:
      return lua_rawget(stack.pointer, slot.index) != LUA_TNIL
    case .metamethods:
      do throws(LuaError) {
        try stack.protectedGet(at: slot.index)
      } catch {
        // Modules and objects raise this for a name that they don't have.
        guard error.is(.unknownField) else { throw error }
        stack.pushNil()
      }
      return !stack.isNoneOrNil(at: -1)
    }
  }

  func mismatch(_ description: String, _ position: CodingPosition) -> DecodingError {
    .typeMismatch(Any.self, .init(codingPath: position.path, debugDescription: description))
  }
}
