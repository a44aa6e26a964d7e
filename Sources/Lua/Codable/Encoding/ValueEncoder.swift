/// What a value's `encode(to:)` gets: the place on the stack where the value goes.
///
/// Three words, so that it fits an existential without an allocation.
struct ValueEncoder: Encoder {
  let writer: TableWriter
  let slot: CodingSlot
  let position: CodingPosition

  var codingPath: [any CodingKey] { position.path }
  var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      RecordWriter(
        writer: writer, table: writer.openTable(slot, path: position), position: position))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    SequenceWriter(writer: writer, table: writer.openTable(slot, path: position), position)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() throws {}

  func encode<Value: Encodable>(_ value: Value) throws {
    try writer.fillSingle(slot, with: value, at: position)
  }
}
