internal import CLua

/// Reads one outermost value, with all that is in it, from Lua values on a stack.
///
/// Each value is pushed, decoded where it is, and popped. Containers hold the index of their table, and look there only
/// while they hold it (see ``CodingSlots``). Outside of a read there is always room for `headroom` more values.
final class TableReader {
  let stack: LuaStack
  let userInfo: [CodingUserInfoKey: Any]
  // Unchecked, for speed: nothing that an access to it calls gets back here.
  @exclusivity(unchecked) private var slots: CodingSlots

  /// Types of a dictionary's size that aren't dictionaries.
  private var plainTypes: Set<ObjectIdentifier> = []

  /// What went wrong in a function that can't throw.
  private var failure: (any Error)?

  private static var headroom: Int32 { 16 }

  init(_ stack: LuaStack, userInfo: [CodingUserInfoKey: Any]) {
    self.stack = stack
    self.userInfo = userInfo
    slots = CodingSlots(above: stack.count)
  }

  /// Reads the outermost value; afterwards nothing can be read any more.
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

  /// Notes a failure for the end, where it is thrown.
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
    // The cast is slow; it is spared types that are larger than a dictionary, and those it has failed for.
    guard MemoryLayout<Value>.size == MemoryLayout<[Int: Int]>.size,
      !plainTypes.contains(ObjectIdentifier(type))
    else { return nil }
    guard let dictionary = type as? any DecodableEntries.Type else {
      plainTypes.insert(ObjectIdentifier(type))
      return nil
    }
    return dictionary
  }

  /// Reads the value on top.
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

  /// Refuses a slot whose value isn't on the stack any more.
  func check(_ slot: CodingSlot, path position: CodingPosition) throws {
    guard slots.contains(slot) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: position.path,
          debugDescription: "used after the value's init(from:) had returned"))
    }
  }

  /// Whether a slot's value is nil or ``LuaNull``.
  func isNil(_ slot: CodingSlot) -> Bool {
    !slots.contains(slot) || stack.isNilOrNull(at: slot.index)
  }
}
