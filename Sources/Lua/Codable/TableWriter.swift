internal import CLua
internal import Foundation

/// Writes one outermost value, with all that is in it, as Lua values on a stack.
///
/// Containers hold the index of their table; they never write to anything but a table that they made and still hold
/// (see ``CodingSlots``), so no metamethod and no error of Lua can occur. Outside of a push there is always room for
/// `headroom` more values.
final class TableWriter {
  let stack: LuaStack
  let userInfo: [CodingUserInfoKey: Any]
  // Unchecked, for speed: nothing that an access to it calls gets back here.
  @exclusivity(unchecked) private var slots: CodingSlots

  /// Types that have a dictionary's size but aren't dictionaries.
  private var plainTypes: Set<ObjectIdentifier> = []

  /// The first error of a function that can't throw.
  private var failure: (any Error)?

  /// Super encoders whose values have yet to be put into their tables.
  private var attachments: [Attachment] = []

  private struct Attachment {
    let value: CodingSlot
    let table: CodingSlot
    let key: any CodingKey
  }

  private static var headroom: Int32 { 16 }

  init(_ stack: LuaStack, userInfo: [CodingUserInfoKey: Any]) {
    self.stack = stack
    self.userInfo = userInfo
    slots = CodingSlots(above: stack.count)
  }

  /// Pushes the outermost value; nothing can be written after that.
  func pushRoot<Value: Encodable>(_ value: Value) throws {
    let bottom = stack.count
    try stack.reserve(Self.headroom)
    defer { slots.release(above: bottom) }
    let position = CodingPosition(identity: identity(of: value))
    if let kind = ScalarKind(of: Value.self) {
      return try pushScalar(value, kind, path: { [] })
    }
    try pushNested(value, at: position)
    if let failure { throw failure }
  }

  /// Pushes a value: exactly one Lua value, or none when it throws.
  @inline(__always)
  func push<Value: Encodable>(
    _ value: Value, under parent: CodingPosition, key: some CodingKey
  ) throws {
    if let kind = ScalarKind(of: Value.self) {
      return try pushScalar(value, kind, path: { parent.path + [key] })
    }
    try pushNested(
      value, at: CodingPosition(in: parent, key: key, identity: identity(of: value)))
  }

  @inline(__always)
  private func pushScalar<Value>(
    _ value: Value, _ kind: ScalarKind, path: () -> [any CodingKey]
  ) throws {
    do throws(LuaError) {
      try push(value, kind)
    } catch {
      throw encodingError(value, error, path: path())
    }
  }

  /// Pushes a value that is made of others.
  private func pushNested<Value: Encodable>(_ value: Value, at position: CodingPosition) throws {
    let bottom = stack.count
    do {
      let slot = try holdNil()
      try fill(slot, with: value, at: position)
      try attachSupers(above: bottom)
    } catch {
      lua_settop(stack.pointer, bottom)
      release(above: bottom)
      throw error
    }
    lua_settop(stack.pointer, bottom + 1)
    release(above: bottom)
  }

  /// Puts a value into a slot that has none.
  func fill<Value: Encodable>(_ slot: CodingSlot, with value: Value, at position: CodingPosition)
    throws
  {
    if position.isTooDeep {
      let problem = position.depthProblem
      throw EncodingError.invalidValue(
        value, .init(codingPath: problem.path, debugDescription: problem.description))
    }
    if let dictionary = entries(of: value) {
      try dictionary.encodeEntries(to: self, table: openTable(slot, path: position), position)
    } else {
      try value.encode(to: ValueEncoder(writer: self, slot: slot, position: position))
    }
  }

  private func entries<Value>(of value: Value) -> (any EncodableEntries)? {
    // The cast is slow, so it is skipped for types of another size, and for those that it has failed for.
    guard MemoryLayout<Value>.size == MemoryLayout<[Int: Int]>.size,
      !plainTypes.contains(ObjectIdentifier(Value.self))
    else { return nil }
    guard let dictionary = value as? any EncodableEntries else {
      plainTypes.insert(ObjectIdentifier(Value.self))
      return nil
    }
    return dictionary
  }

  /// Puts a value, or nothing, into a slot that has none yet.
  func fillSingle<Value: Encodable>(
    _ slot: CodingSlot, with value: Value, at position: CodingPosition
  ) throws {
    try check(slot, for: value, path: position)
    guard stack.isNoneOrNil(at: slot.index) else {
      throw misuse(value, "a value was already encoded here", path: position)
    }
    guard let kind = ScalarKind(of: Value.self) else {
      let inner = CodingPosition(in: position, key: nil, identity: identity(of: value))
      return try fill(slot, with: value, at: inner)
    }
    try pushScalar(value, kind, path: { position.path })
    replace(slot)
  }

  @inline(__always)
  func setField<Value: Encodable>(
    _ key: some CodingKey, to value: Value, of table: CodingSlot, _ position: CodingPosition
  ) throws {
    try check(table, for: value, path: position)
    stack.push(key.stringValue)
    do {
      try push(value, under: position, key: key)
    } catch {
      stack.pop(1)
      throw error
    }
    lua_rawset(stack.pointer, table.index)
  }

  func setEntry<Value: Encodable>(
    _ key: some DictionaryKey, to value: Value, of table: CodingSlot, _ position: CodingPosition
  ) throws {
    do throws(LuaError) {
      try key.push(to: stack)
    } catch {
      throw encodingError(key, error, path: position.path)
    }
    do {
      try push(value, under: position, key: key.pathKey)
    } catch {
      stack.pop(1)
      throw error
    }
    lua_rawset(stack.pointer, table.index)
  }

  /// Sets an element of a sequence, where ``LuaNull`` keeps the place of nil.
  @inline(__always)
  func setElement<Value: Encodable>(
    _ offset: Int, to value: Value, of table: CodingSlot, _ position: CodingPosition
  ) throws {
    try check(table, for: value, path: position)
    try push(value, under: position, key: PathKey.element(offset))
    if stack.isNoneOrNil(at: -1) {
      stack.pop(1)
      try LuaNull.null.push(to: stack)
    }
    lua_rawseti(stack.pointer, table.index, lua_Integer(offset) + 1)
  }

  /// Makes the value of a slot a table, if it isn't one yet.
  func openTable(_ slot: CodingSlot, path position: CodingPosition) -> CodingSlot {
    guard slots.contains(slot) else {
      return fail("used after the value's encode(to:) had returned", position)
    }
    switch stack.type(at: slot.index) {
    case .table: return slot
    case .nil:
      lua_createtable(stack.pointer, 0, 0)
      replace(slot)
      return slot
    default: return fail("a value was already encoded here", position)
    }
  }

  func addTable(_ key: some CodingKey, to table: CodingSlot, _ position: CodingPosition)
    -> CodingSlot
  {
    guard let slot = addSlot(in: table, position) else { return .none }
    lua_createtable(stack.pointer, 0, 0)
    replace(slot)
    lua_pushvalue(stack.pointer, slot.index)
    set(key, of: table)
    return slot
  }

  /// Holds a place for a value that is put into the table when the value around it is done.
  func addAttachment(_ key: some CodingKey, to table: CodingSlot, _ position: CodingPosition)
    -> CodingSlot
  {
    guard let slot = addSlot(in: table, position) else { return .none }
    attachments.append(Attachment(value: slot, table: table, key: key))
    return slot
  }

  private func addSlot(in table: CodingSlot, _ position: CodingPosition) -> CodingSlot? {
    guard slots.contains(table) else {
      _ = fail("used after the value's encode(to:) had returned", position)
      return nil
    }
    if position.isTooDeep {
      _ = fail(position.depthProblem.description, position)
      return nil
    }
    do {
      return try holdNil()
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  private func attachSupers(above bottom: Int32) throws {
    while let attachment = attachments.last, attachment.value.index > bottom {
      attachments.removeLast()
      guard slots.contains(attachment.value), slots.contains(attachment.table) else { continue }
      lua_pushvalue(stack.pointer, attachment.value.index)
      if case .element = attachment.key as? PathKey, stack.isNoneOrNil(at: -1) {
        stack.pop(1)
        try LuaNull.null.push(to: stack)
      }
      set(attachment.key, of: attachment.table)
    }
  }

  /// Sets the entry of a table to the value on top, and pops it.
  private func set(_ key: any CodingKey, of table: CodingSlot) {
    if case .element(let offset) = key as? PathKey {
      lua_rawseti(stack.pointer, table.index, lua_Integer(offset) + 1)
    } else {
      stack.push(key.stringValue)
      lua_rotate(stack.pointer, -2, 1)
      lua_rawset(stack.pointer, table.index)
    }
  }

  private func holdNil() throws(LuaError) -> CodingSlot {
    stack.pushNil()
    do throws(LuaError) {
      try stack.reserve(Self.headroom)
    } catch {
      stack.pop(1)
      throw error
    }
    return slots.hold(stack.count)
  }

  private func replace(_ slot: CodingSlot) {
    lua_copy(stack.pointer, -1, slot.index)
    stack.pop(1)
  }

  private func release(above index: Int32) {
    slots.release(above: index)
    while let attachment = attachments.last, attachment.value.index > index {
      attachments.removeLast()
    }
  }

  /// Keeps an error until the end, where it is thrown.
  private func fail(_ description: String, _ position: CodingPosition) -> CodingSlot {
    failure = failure ?? misuse(Void.self, description, path: position)
    return .none
  }

  @inline(__always)
  private func check<Value>(_ slot: CodingSlot, for value: Value, path position: CodingPosition)
    throws
  {
    if !slots.contains(slot) { throw staleSlot(value, position) }
  }

  private func staleSlot<Value>(_ value: Value, _ position: CodingPosition) -> any Error {
    failure ?? misuse(value, "used after the value's encode(to:) had returned", path: position)
  }

  private func misuse(_ value: Any, _ description: String, path position: CodingPosition)
    -> EncodingError
  {
    .invalidValue(value, .init(codingPath: position.path, debugDescription: description))
  }

  private func encodingError(_ value: Any, _ error: LuaError, path: [any CodingKey])
    -> EncodingError
  {
    .invalidValue(
      value,
      .init(codingPath: path, debugDescription: error.message, underlyingError: error))
  }

  private func identity<Value>(of value: Value) -> UnsafeRawPointer? {
    // Only a pointer can be an object; a struct that contains just one isn't the object itself.
    guard MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size, Value.self is AnyClass
    else { return nil }
    return UnsafeRawPointer(Unmanaged.passUnretained(value as AnyObject).toOpaque())
  }

  // MARK: - Scalars

  @inline(__always)
  func push<Value>(_ value: Value, _ kind: ScalarKind) throws(LuaError) {
    // The kind says which type `Value` is, so the casts change nothing.
    switch kind {
    case .string: stack.push(unsafeBitCast(value, to: String.self))
    case .integer: stack.push(Int64(unsafeBitCast(value, to: Int.self)))
    case .double: stack.push(unsafeBitCast(value, to: Double.self))
    case .boolean: stack.push(unsafeBitCast(value, to: Bool.self))
    default: try pushRare(value, kind)
    }
  }

  private func pushRare<Value>(_ value: Value, _ kind: ScalarKind) throws(LuaError) {
    switch kind {
    case .string, .integer, .double, .boolean: try push(value, kind)
    case .bytes: stack.push(bytes: unsafeBitCast(value, to: [UInt8].self))
    case .data: stack.push(bytes: unsafeBitCast(value, to: Data.self))
    case .float: stack.push(Double(unsafeBitCast(value, to: Float.self)))
    case .url: stack.push(unsafeBitCast(value, to: URL.self).absoluteString)
    case .int64: try push(integer: unsafeBitCast(value, to: Int64.self))
    case .int32: try push(integer: unsafeBitCast(value, to: Int32.self))
    case .int16: try push(integer: unsafeBitCast(value, to: Int16.self))
    case .int8: try push(integer: unsafeBitCast(value, to: Int8.self))
    case .int128: try push(integer: unsafeBitCast(value, to: Int128.self))
    case .uint: try push(integer: unsafeBitCast(value, to: UInt.self))
    case .uint64: try push(integer: unsafeBitCast(value, to: UInt64.self))
    case .uint32: try push(integer: unsafeBitCast(value, to: UInt32.self))
    case .uint16: try push(integer: unsafeBitCast(value, to: UInt16.self))
    case .uint8: try push(integer: unsafeBitCast(value, to: UInt8.self))
    case .uint128: try push(integer: unsafeBitCast(value, to: UInt128.self))
    }
  }

  private func push(integer value: some FixedWidthInteger) throws(LuaError) {
    guard let exact = Int64(exactly: value) else { throw LuaError.outOfRange("\(value)") }
    stack.push(exact)
  }
}

/// A dictionary that is encoded as a table with the same keys.
protocol EncodableEntries {
  func encodeEntries(to writer: TableWriter, table: CodingSlot, _ position: CodingPosition) throws
}

extension Dictionary: EncodableEntries where Key: DictionaryKey, Value: Encodable {
  func encodeEntries(to writer: TableWriter, table: CodingSlot, _ position: CodingPosition) throws {
    for (key, value) in self {
      try writer.setEntry(key, to: value, of: table, position)
    }
  }
}
