/// Reads the elements of a sequence or a live collection, one after the other.
struct SequenceReader: UnkeyedDecodingContainer {
  private let reader: TableReader
  private let slot: CodingSlot
  private let access: TableAccess
  private let position: CodingPosition
  private let length: Int
  private(set) var currentIndex = 0

  init(_ reader: TableReader, _ slot: CodingSlot, _ position: CodingPosition) throws {
    self.reader = reader
    self.slot = slot
    self.position = position
    access = try reader.openTable(slot, position)
    length = try reader.openSequence(slot, access, position)
  }

  var codingPath: [any CodingKey] { position.path }
  var count: Int? { length }
  var isAtEnd: Bool { currentIndex >= length }

  private var key: ElementKey { ElementKey(offset: currentIndex) }

  mutating func decodeNil() throws -> Bool {
    try pushNext()
    defer { reader.stack.pop(1) }
    guard reader.stack.isNilOrNull(at: -1) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try pushNext()
    let value = try reader.readTop(type, under: position, key: key)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
    -> KeyedDecodingContainer<NestedKey>
  {
    let decoder = try holdNext()
    let container = try RecordReader<NestedKey>(reader, decoder.slot, decoder.position)
    currentIndex += 1
    return KeyedDecodingContainer(container)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let decoder = try holdNext()
    let container = try SequenceReader(reader, decoder.slot, decoder.position)
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try holdNext()
    currentIndex += 1
    return decoder
  }

  private func holdNext() throws -> ValueDecoder {
    try pushNext()
    return try reader.holdDecoder(under: position, key: key)
  }

  private func pushNext() throws {
    try reader.check(slot, path: position)
    guard !isAtEnd else { throw missing }
    try reader.pushElement(currentIndex, of: slot, access)
    // In a table there are no holes; a metamethod may claim any length and then give nothing.
    if reader.stack.isNoneOrNil(at: -1) {
      reader.stack.pop(1)
      throw missing
    }
  }

  private var missing: DecodingError {
    .valueNotFound(
      Any.self, .init(codingPath: codingPath + [key], debugDescription: "missing"))
  }
}
