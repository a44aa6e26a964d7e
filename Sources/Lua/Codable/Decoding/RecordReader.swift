/// Reads the fields of a table, a module or an object.
struct RecordReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let reader: TableReader
  private let slot: CodingSlot
  private let access: TableAccess
  private let position: CodingPosition

  init(_ reader: TableReader, _ slot: CodingSlot, _ position: CodingPosition) throws {
    self.reader = reader
    self.slot = slot
    self.position = position
    access = try reader.openTable(slot, position)
  }

  var codingPath: [any CodingKey] { position.path }

  var allKeys: [Key] {
    do {
      try reader.check(slot, path: position)
      return try reader.codingKeys(Key.self, of: slot, access)
    } catch {
      reader.fail(error)
      return []
    }
  }

  func contains(_ key: Key) -> Bool {
    do {
      let isPresent = try reader.pushField(key, of: slot, access, position)
      reader.stack.pop(1)
      return isPresent
    } catch {
      reader.fail(error)
      return false
    }
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    _ = try reader.pushField(key, of: slot, access, position)
    defer { reader.stack.pop(1) }
    return reader.stack.isNilOrNull(at: -1)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    // An absent field is how Lua writes an optional that is nil.
    guard
      try reader.pushField(key, of: slot, access, position) || type is any OptionalValue.Type
    else {
      reader.stack.pop(1)
      throw missing(key)
    }
    return try reader.readTop(type, under: position, key: key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    _ = try reader.pushField(key, of: slot, access, position)
    guard !reader.stack.isNilOrNull(at: -1) else {
      reader.stack.pop(1)
      return nil
    }
    return try reader.readTop(type, under: position, key: key)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<NestedKey>
  {
    let (slot, position) = try hold(key)
    return KeyedDecodingContainer(try RecordReader<NestedKey>(reader, slot, position))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    let (slot, position) = try hold(key)
    return try SequenceReader(reader, slot, position)
  }

  func superDecoder() throws -> any Decoder { try superDecoder(under: NameKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(under: key) }

  private func superDecoder(under key: some CodingKey) throws -> any Decoder {
    _ = try reader.pushField(key, of: slot, access, position)
    return try reader.holdDecoder(under: position, key: key)
  }

  private func hold(_ key: Key) throws -> (CodingSlot, CodingPosition) {
    guard try reader.pushField(key, of: slot, access, position) else {
      reader.stack.pop(1)
      throw missing(key)
    }
    let decoder = try reader.holdDecoder(under: position, key: key)
    return (decoder.slot, decoder.position)
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
  }
}

/// What all optional types conform to.
private protocol OptionalValue {}

extension Optional: OptionalValue {}
