internal import CLua

/// Turns Encodable values into Lua values.
///
/// Structs and string-keyed dictionaries become tables with string keys, dictionaries keyed by integers keep integer
/// keys, and arrays become sequences. `[UInt8]` and `Data` become strings of their bytes, `URL` the string of its
/// text; every other type becomes what its own `encode(to:)` writes. A `nil` in a keyed container is an absent
/// field, in an array ``LuaNull``.
///
/// ```swift
/// let value = try LuaEncoder().encode(["ann": 31], in: state)
/// ```
public struct LuaEncoder {
  /// The `userInfo` of the encoder that the values' `encode(to:)` get.
  public var userInfo: [CodingUserInfoKey: Any]

  /// Makes an encoder.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) { self.userInfo = userInfo }

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - state: The state in which the tables are made.
  /// - Returns: The Lua value; nil for a value that encodes as nil or not at all.
  /// - Throws: ``LuaError``: `number_out_of_range` for an integer that Lua can't hold, `coding_failed` for a cycle of
  ///   objects, values nested more than 128 deep, and what a value's `encode(to:)` throws; the message names the
  ///   path.
  public func encode(_ value: some Encodable, in state: LuaState) throws(LuaError) -> LuaValue {
    let stack = try state.core.currentStack()
    try push(value, to: stack)
    defer { stack.pop(1) }
    return stack.value(at: -1)
  }

  /// Encodes a value onto a stack: exactly one value is pushed.
  ///
  /// - Throws: As ``encode(_:in:)``; then nothing was pushed.
  public func push<Value: Encodable>(_ value: Value, to stack: LuaStack) throws(LuaError) {
    let bottom = stack.count
    let writer = TableWriter(stack, userInfo: userInfo)
    do {
      try writer.pushRoot(value)
    } catch {
      lua_settop(stack.pointer, bottom)
      throw LuaError(coding: error)
    }
  }
}

// MARK: - Containers

/// What a value's `encode(to:)` gets: the place on the stack where the value goes, or the table that is there.
///
/// Three words, so that it fits an existential without an allocation.
struct ValueEncoder: Encoder {
  let writer: TableWriter
  let slot: CodingSlot
  let position: CodingPosition

  var codingPath: [any CodingKey] { position.path }
  var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordWriter(table: open()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { SequenceWriter(table: open()) }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func open() -> ValueEncoder {
    ValueEncoder(
      writer: writer, slot: writer.openTable(slot, path: position), position: position)
  }

  /// Adds a table to the one that is there.
  func nested(_ key: some CodingKey) -> ValueEncoder {
    ValueEncoder(
      writer: writer, slot: writer.addTable(key, to: slot, position),
      position: CodingPosition(in: position, key: key, identity: nil))
  }

  /// Adds any value to the table that is there, when the value around it is done.
  func attached(_ key: some CodingKey) -> ValueEncoder {
    ValueEncoder(
      writer: writer, slot: writer.addAttachment(key, to: slot, position),
      position: CodingPosition(in: position, key: key, identity: nil))
  }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() throws {}

  func encode<Value: Encodable>(_ value: Value) throws {
    try writer.fillSingle(slot, with: value, at: position)
  }
}

/// Writes the fields of a table.
private struct RecordWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let table: ValueEncoder

  var codingPath: [any CodingKey] { table.codingPath }

  /// Writes nothing: a field that is nil is absent.
  func encodeNil(forKey key: Key) throws {}

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try table.writer.setField(key, to: value, of: table.slot, table.position)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
    -> KeyedEncodingContainer<NestedKey>
  {
    table.nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    table.nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { table.attached(PathKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { table.attached(key) }
}

/// Writes the elements of a sequence, one after the other.
private struct SequenceWriter: UnkeyedEncodingContainer {
  private let table: ValueEncoder
  private(set) var count: Int

  init(table: ValueEncoder) {
    self.table = table
    // If a superclass has written to the same container, this one continues there; index 0 stands for no table.
    let index = table.slot.index
    count = index > 0 ? Int(lua_rawlen(table.writer.stack.pointer, index)) : 0
  }

  var codingPath: [any CodingKey] { table.codingPath }

  mutating func encodeNil() throws { try encode(Bool?.none) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try table.writer.setElement(count, to: value, of: table.slot, table.position)
    count += 1
  }

  mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type)
    -> KeyedEncodingContainer<NestedKey>
  {
    table.nested(nextKey()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    table.nested(nextKey()).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { table.attached(nextKey()) }

  private mutating func nextKey() -> PathKey {
    defer { count += 1 }
    return .element(count)
  }
}
