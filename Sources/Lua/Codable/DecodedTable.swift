internal import CLua
internal import CLuaTrampolines

/// A table, module or object whose entries are decoded.
struct DecodedTable {
  let decoder: ValueDecoder
  private let reference: LuaReference

  /// Whether the entries are read as Lua code reads them, by metamethods in protected calls, or directly.
  private let usesMetamethods: Bool

  /// - Throws: A mismatch if the value has no entries.
  init(of decoder: ValueDecoder) throws {
    // Null is a userdata too, but nothing is in it.
    guard let reference = decoder.value.reference, !decoder.decodeNil(),
      let usesMetamethods = try reference.withStack({ stack throws(LuaError) in
        try reference.push(to: stack)
        return Self.usesMetamethods(at: stack.count, of: stack)
      })
    else { throw try decoder.mismatch("table expected, got \(decoder.typeName())") }
    (self.decoder, self.reference, self.usesMetamethods) = (decoder, reference, usesMetamethods)
  }

  /// Whether the value at an index is read by metamethods; nil if it has no entries.
  private static func usesMetamethods(at index: Int32, of stack: LuaStack) -> Bool? {
    let type = stack.type(at: index)
    guard type == .table || type == .userdata else { return nil }
    guard lua_getmetatable(stack.pointer, index) != 0 else { return type == .table ? false : nil }
    stack.pop(1)
    // A module is a record by its __index, a live collection a sequence by its __len.
    if stack.hasMetafield("__index", at: index) { return true }
    guard type == .table else { return nil }
    return stack.hasMetafield("__len", at: index) || stack.hasMetafield("__pairs", at: index)
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  // MARK: - Values

  func value(of key: some LuaPushable) throws(LuaError) -> LuaValue? {
    try reference.withStack { stack throws(LuaError) in
      try reference.push(to: stack)
      let object = stack.count
      try key.push(to: stack)
      do throws(LuaError) {
        if usesMetamethods {
          try stack.protectedGet(at: object)
        } else {
          lua_rawget(stack.pointer, object)
        }
      } catch {
        // Modules and objects raise this for a name that they don't have.
        guard error.is(.unknownField) else { throw error }
        return nil
      }
      // Not as a conditional expression, where the literal would be the Lua value.
      if stack.isNoneOrNil(at: object + 1) { return nil }
      return stack.value(at: object + 1)
    }
  }

  func value(ofField key: some CodingKey) throws(LuaError) -> LuaValue? {
    if let value = try value(of: key.stringValue) { return value }
    // A key that isn't found by its name may have come from `allKeys` as an integer.
    guard let integer = key.intValue else { return nil }
    return try value(of: integer)
  }

  /// The number of elements.
  ///
  /// - Throws: A mismatch if the value isn't a sequence: keys from 1 to n, no holes, no other keys.
  func sequenceLength() throws -> Int {
    let length: Result<Int, SequenceFault>? = try reference.withStack { stack throws(LuaError) in
      try reference.push(to: stack)
      let object = stack.count
      guard usesMetamethods else {
        return Result { () throws(SequenceFault) in try stack.sequenceLength(of: object) }
      }
      guard stack.type(at: object) == .table || stack.hasMetafield("__len", at: object) else {
        return nil
      }
      return .success(max(0, try stack.protectedLength(at: object)))
    }
    switch length {
    case .success(let length): return length
    case .failure(let fault):
      let advice = if case .hole = fault { "; null keeps the place of a nil" } else { "" }
      throw decoder.mismatch("sequence expected, got \(fault.got)\(advice)")
    case nil: throw try decoder.mismatch("sequence expected, got \(decoder.typeName())")
    }
  }

  // MARK: - Keys

  /// All keys, read at once: between two steps of the traversal nothing may run that could change the table.
  func keys() throws(LuaError) -> [LuaValue] {
    try reference.withStack { stack throws(LuaError) in
      var keys: [LuaValue] = []
      try reference.push(to: stack)
      let object = stack.count
      guard usesMetamethods,
        luaL_getmetafield(stack.pointer, object, "__pairs") != LUA_TNIL
      else {
        // Without __pairs, the keys of a userdata can't be found.
        guard stack.type(at: object) == .table else { return [] }
        stack.pushNil()
        while lua_next(stack.pointer, object) != 0 {
          stack.pop(1)
          keys.append(stack.value(at: -1))
        }
        return keys
      }
      lua_pushvalue(stack.pointer, object)
      try stack.call(argumentCount: 1, resultCount: 3)
      // The iterator, its state and the control variable, as in the generic for.
      while true {
        for place in 1...3 as ClosedRange<Int32> { lua_pushvalue(stack.pointer, object + place) }
        try stack.call(argumentCount: 2, resultCount: 1)
        guard !stack.isNoneOrNil(at: -1) else { return keys }
        keys.append(stack.value(at: -1))
        lua_copy(stack.pointer, -1, object + 3)
        stack.pop(1)
      }
    }
  }

  func key<Key: LuaKey>(_ type: Key.Type, _ key: LuaValue) throws -> Key {
    try decoder.read(type, from: key) { mismatch in
      let text = try decoder.inspect(key) { stack, index in stack.keyText(at: index) }
      return decoder.mismatch("\(mismatch.expected) as key expected, got the key \(text)")
    }
  }

  /// The keys that are strings or integers, as coding keys of a type that knows them.
  func codingKeys<Key: CodingKey>(_ type: Key.Type) throws(LuaError) -> [Key] {
    try keys().compactMap { key in
      switch key {
      case .integer(let integer): Key(intValue: Int(integer))
      case .string(let name): name.text.flatMap { Key(stringValue: $0) }
      default: nil
      }
    }
  }
}
