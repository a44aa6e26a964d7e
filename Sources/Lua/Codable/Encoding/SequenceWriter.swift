internal import CLua

/// Writes the elements of a sequence, one after the other.
struct SequenceWriter: UnkeyedEncodingContainer {
  private let writer: TableWriter
  private let table: CodingSlot
  private let position: CodingPosition
  private(set) var count: Int

  init(writer: TableWriter, table: CodingSlot, _ position: CodingPosition) {
    self.writer = writer
    self.table = table
    self.position = position
    // Where a superclass has written to the same container, this one goes on; index 0 stands for no table.
    count = table.index > 0 ? Int(lua_rawlen(writer.stack.pointer, table.index)) : 0
  }

  var codingPath: [any CodingKey] { position.path }

  mutating func encodeNil() throws { try encode(Bool?.none) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try writer.setElement(ElementKey(offset: count), to: value, of: table, position)
    count += 1
  }

  mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type)
    -> KeyedEncodingContainer<NestedKey>
  {
    let key = nextKey()
    return KeyedEncodingContainer(
      RecordWriter<NestedKey>(
        writer: writer, table: writer.addTable(key, to: table, position),
        position: CodingPosition(in: position, key: key, identity: nil)))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let key = nextKey()
    return SequenceWriter(
      writer: writer, table: writer.addTable(key, to: table, position),
      CodingPosition(in: position, key: key, identity: nil))
  }

  mutating func superEncoder() -> any Encoder {
    let key = nextKey()
    return ValueEncoder(
      writer: writer, slot: writer.addAttachment(key, to: table, position),
      position: CodingPosition(in: position, key: key, identity: nil))
  }

  private mutating func nextKey() -> ElementKey {
    defer { count += 1 }
    return ElementKey(offset: count)
  }
}
