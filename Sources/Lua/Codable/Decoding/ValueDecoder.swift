/// What a type's `init(from:)` gets: the place on the stack where the value is.
///
/// Three words, so that it fits an existential without an allocation.
struct ValueDecoder: Decoder {
  let reader: TableReader
  let slot: CodingSlot
  let position: CodingPosition

  var codingPath: [any CodingKey] { position.path }
  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try RecordReader<Key>(reader, slot, position))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try SequenceReader(reader, slot, position)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { reader.isNil(slot) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try reader.readSingle(type, slot, position)
  }
}
