/// Writes the fields of a table.
struct RecordWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: TableWriter
  let table: CodingSlot
  let position: CodingPosition

  var codingPath: [any CodingKey] { position.path }

  /// Writes nothing: a field that is nil is an absent one.
  func encodeNil(forKey key: Key) throws {}

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try writer.setField(key, to: value, of: table, position)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
    -> KeyedEncodingContainer<NestedKey>
  {
    KeyedEncodingContainer(
      RecordWriter<NestedKey>(
        writer: writer, table: writer.addTable(key, to: table, position),
        position: CodingPosition(in: position, key: key, identity: nil)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    SequenceWriter(
      writer: writer, table: writer.addTable(key, to: table, position),
      CodingPosition(in: position, key: key, identity: nil))
  }

  func superEncoder() -> any Encoder { superEncoder(under: NameKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(under: key) }

  private func superEncoder(under key: some CodingKey) -> any Encoder {
    ValueEncoder(
      writer: writer, slot: writer.addAttachment(key, to: table, position),
      position: CodingPosition(in: position, key: key, identity: nil))
  }
}
