internal import CLua
internal import Foundation

/// Reads one outermost value, with all that is in it, from Lua values on a stack.
///
/// Each value is pushed, decoded where it is, and popped. Containers hold the index of their table, and look there
/// only while they hold it (see ``CodingSlots``). Outside of a read there is always room for `headroom` more values.
final class TableReader {
  let stack: LuaStack
  let userInfo: [CodingUserInfoKey: Any]
  // Unchecked, for speed: nothing that an access to it calls gets back here.
  @exclusivity(unchecked) private var slots: CodingSlots

  /// Types that have a dictionary's size but aren't dictionaries.
  private var plainTypes: Set<ObjectIdentifier> = []

  /// The first error of a function that can't throw.
  private var failure: (any Error)?

  private static var headroom: Int32 { 16 }

  init(_ stack: LuaStack, userInfo: [CodingUserInfoKey: Any]) {
    self.stack = stack
    self.userInfo = userInfo
    slots = CodingSlots(above: stack.count)
  }

  /// Reads the outermost value; nothing can be read after that.
  func readRoot<Value: Decodable>(_ type: Value.Type, at index: Int32) throws -> Value {
    let bottom = stack.count
    // The index may lie above the last value; pushing would then change what is there.
    let index = index > bottom ? 0 : lua_absindex(stack.pointer, index)
    try stack.reserve(Self.headroom)
    if index == 0 { stack.pushNil() } else { lua_pushvalue(stack.pointer, index) }
    defer {
      lua_settop(stack.pointer, bottom)
      slots.release(above: bottom)
    }
    if let kind = ScalarKind(of: type) {
      return try readScalar(type, kind, path: { [] })
    }
    let position = CodingPosition(identity: lua_topointer(stack.pointer, -1))
    let value = try readNested(type, at: position)
    if let failure { throw failure }
    return value
  }

  /// Keeps an error until the end, where it is thrown.
  func fail(_ error: any Error) { failure = failure ?? error }

  /// Reads the value on top, and pops it.
  @inline(__always)
  func readTop<Value: Decodable>(
    _ type: Value.Type, under parent: CodingPosition, key: some CodingKey
  ) throws -> Value {
    let top = stack.count
    defer { lua_settop(stack.pointer, top - 1) }
    if let kind = ScalarKind(of: type) {
      return try readScalar(type, kind, path: { parent.path + [key] })
    }
    return try readNested(
      type,
      at: CodingPosition(in: parent, key: key, identity: lua_topointer(stack.pointer, -1)))
  }

  /// Reads the value of a slot as another type.
  func readSingle<Value: Decodable>(
    _ type: Value.Type, _ slot: CodingSlot, _ position: CodingPosition
  ) throws -> Value {
    try check(slot, path: position)
    lua_pushvalue(stack.pointer, slot.index)
    defer { stack.pop(1) }
    if let kind = ScalarKind(of: type) {
      return try readScalar(type, kind, path: { position.path })
    }
    return try readNested(
      type, at: CodingPosition(in: position, key: nil, identity: position.identity))
  }

  /// Reads the value on top, which is made of others, and leaves it there.
  private func readNested<Value: Decodable>(_ type: Value.Type, at position: CodingPosition) throws
    -> Value
  {
    if position.isTooDeep { throw tooDeep(position) }
    let top = stack.count
    let slot = try holdTop()
    defer {
      lua_settop(stack.pointer, top)
      slots.release(above: top - 1)
    }
    if let dictionary = entriesType(type),
      let value = try dictionary.init(entriesOf: self, slot, position) as? Value
    {
      return value
    }
    return try Value(from: ValueDecoder(reader: self, slot: slot, position: position))
  }

  private func entriesType<Value>(_ type: Value.Type) -> (any DecodableEntries.Type)? {
    // The cast is slow, so it is skipped for types of another size, and for those that it has failed for.
    guard MemoryLayout<Value>.size == MemoryLayout<[Int: Int]>.size,
      !plainTypes.contains(ObjectIdentifier(type))
    else { return nil }
    guard let dictionary = type as? any DecodableEntries.Type else {
      plainTypes.insert(ObjectIdentifier(type))
      return nil
    }
    return dictionary
  }

  @inline(__always)
  private func readScalar<Value>(
    _ type: Value.Type, _ kind: ScalarKind, path: () -> [any CodingKey]
  ) throws -> Value {
    do throws(LuaTypeMismatch) {
      return try read(type, kind, at: -1)
    } catch {
      throw DecodingError.typeMismatch(
        type, .init(codingPath: path(), debugDescription: error.description))
    }
  }

  /// Holds the value on top until the value around it is done, for a nested container or a superclass.
  func holdDecoder(under parent: CodingPosition, key: some CodingKey) throws -> ValueDecoder {
    let position = CodingPosition(
      in: parent, key: key, identity: lua_topointer(stack.pointer, -1))
    if position.isTooDeep {
      stack.pop(1)
      throw tooDeep(position)
    }
    do {
      return ValueDecoder(reader: self, slot: try holdTop(), position: position)
    } catch {
      stack.pop(1)
      throw error
    }
  }

  private func holdTop() throws(LuaError) -> CodingSlot {
    try stack.reserve(Self.headroom)
    return slots.hold(stack.count)
  }

  private func tooDeep(_ position: CodingPosition) -> DecodingError {
    let problem = position.depthProblem
    return .dataCorrupted(
      .init(codingPath: problem.path, debugDescription: problem.description))
  }

  /// Refuses a slot whose value is no longer on the stack.
  func check(_ slot: CodingSlot, path position: CodingPosition) throws {
    guard slots.contains(slot) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: position.path,
          debugDescription: "used after the value's init(from:) had returned"))
    }
  }

  func isNil(_ slot: CodingSlot) -> Bool {
    !slots.contains(slot) || stack.isNilOrNull(at: slot.index)
  }

  // MARK: - Scalars

  @inline(__always)
  func read<Value>(_ type: Value.Type, _ kind: ScalarKind, at index: Int32)
    throws(LuaTypeMismatch) -> Value
  {
    // The kind says which type `Value` is, so the casts change nothing.
    switch kind {
    case .string: unsafeBitCast(try String.read(from: stack, at: index), to: type)
    case .integer: unsafeBitCast(try Int.read(from: stack, at: index), to: type)
    case .double: unsafeBitCast(try Double.read(from: stack, at: index), to: type)
    case .boolean: unsafeBitCast(try Bool.read(from: stack, at: index), to: type)
    default: try readRare(type, kind, at: index)
    }
  }

  private func readRare<Value>(_ type: Value.Type, _ kind: ScalarKind, at index: Int32)
    throws(LuaTypeMismatch) -> Value
  {
    switch kind {
    case .string, .integer, .double, .boolean: try read(type, kind, at: index)
    case .bytes: unsafeBitCast(try bytes(at: index), to: type)
    case .data: unsafeBitCast(Data(try bytes(at: index)), to: type)
    case .float: unsafeBitCast(try Float.read(from: stack, at: index), to: type)
    case .url: unsafeBitCast(try url(at: index), to: type)
    case .int64: unsafeBitCast(try Int64.read(from: stack, at: index), to: type)
    case .int32: unsafeBitCast(try Int32.read(from: stack, at: index), to: type)
    case .int16: unsafeBitCast(try Int16.read(from: stack, at: index), to: type)
    case .int8: unsafeBitCast(try Int8.read(from: stack, at: index), to: type)
    case .int128: unsafeBitCast(Int128(try Int64.read(from: stack, at: index)), to: type)
    case .uint: unsafeBitCast(try UInt.read(from: stack, at: index), to: type)
    case .uint64: unsafeBitCast(try UInt64.read(from: stack, at: index), to: type)
    case .uint32: unsafeBitCast(try UInt32.read(from: stack, at: index), to: type)
    case .uint16: unsafeBitCast(try UInt16.read(from: stack, at: index), to: type)
    case .uint8: unsafeBitCast(try UInt8.read(from: stack, at: index), to: type)
    case .uint128: unsafeBitCast(UInt128(try UInt64.read(from: stack, at: index)), to: type)
    }
  }

  private func bytes(at index: Int32) throws(LuaTypeMismatch) -> [UInt8] {
    try LuaString.read(from: stack, at: index).bytes
  }

  private func url(at index: Int32) throws(LuaTypeMismatch) -> URL {
    let text = try String.read(from: stack, at: index)
    guard let url = URL(string: text) else {
      throw LuaTypeMismatch(expected: "a URL", got: "\"\(text.shortened)\"")
    }
    return url
  }

  // MARK: - Entries

  /// How to read the entries of a slot's value.
  ///
  /// - Throws: A mismatch if it has none.
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
  /// - Throws: A mismatch if it isn't a sequence: keys from 1 to n, no holes, no other keys.
  func openSequence(_ slot: CodingSlot, _ access: TableAccess, _ position: CodingPosition) throws
    -> Int
  {
    switch access {
    case .raw:
      do {
        return try stack.sequenceLength(of: slot.index)
      } catch {
        let advice = if case .hole = error { "; null keeps the place of a nil" } else { "" }
        throw mismatch("sequence expected, got \(error.got)\(advice)", position)
      }
    case .metamethods:
      if stack.type(at: slot.index) == .userdata, !stack.hasMetafield("__len", at: slot.index) {
        throw mismatch("sequence expected, got \(stack.typeName(at: slot.index))", position)
      }
      return try stack.protectedLength(at: slot.index)
    }
  }

  /// The keys of a table, read at once: between two steps of the traversal nothing may run that could change it.
  func keys<Key: DictionaryKey>(
    _ type: Key.Type, of slot: CodingSlot, _ access: TableAccess, _ position: CodingPosition
  ) throws -> [Key] {
    var keys: [Key] = []
    try stack.forEachKey(of: slot.index, access) { index in
      do throws(LuaTypeMismatch) {
        keys.append(try Key.read(from: stack, at: index))
      } catch {
        throw mismatch(
          "\(error.expected) as key expected, got the key \(stack.keyText(at: index))", position)
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

  func entry<Value: Decodable>(
    _ key: some DictionaryKey, of slot: CodingSlot, _ access: TableAccess,
    _ position: CodingPosition
  ) throws -> Value {
    try key.push(to: stack)
    try get(of: slot, access)
    return try readTop(Value.self, under: position, key: key.pathKey)
  }

  /// Pushes the value of a field, nil if it is absent; returns whether it is present and not nil.
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

  /// Replaces the key on top with its value.
  private func get(of slot: CodingSlot, _ access: TableAccess) throws(LuaError) {
    switch access {
    case .raw: lua_rawget(stack.pointer, slot.index)
    case .metamethods: try stack.protectedGet(at: slot.index)
    }
  }

  /// Replaces the key on top with its value; nil if there is none.
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

/// A dictionary that is decoded from a table with the same keys.
protocol DecodableEntries {
  init(entriesOf reader: TableReader, _ slot: CodingSlot, _ position: CodingPosition) throws
}

extension Dictionary: DecodableEntries where Key: DictionaryKey, Value: Decodable {
  init(entriesOf reader: TableReader, _ slot: CodingSlot, _ position: CodingPosition) throws {
    let access = try reader.openTable(slot, position)
    let keys = try reader.keys(Key.self, of: slot, access, position)
    self.init(minimumCapacity: keys.count)
    for key in keys {
      let value: Value = try reader.entry(key, of: slot, access, position)
      updateValue(value, forKey: key)
    }
  }
}
