internal import CLua

/// Turns Lua values into Decodable values, exactly: nothing is rounded or coerced.
///
/// It reads what ``LuaEncoder`` writes. An array needs a sequence: a table whose keys are 1 to n, without holes or
/// other keys. A struct ignores keys that it doesn't know. nil, an absent field and ``LuaNull`` are all `nil`.
/// `Float` takes the nearest value of a fraction, because decimal fractions have no exact one.
///
/// Tables are read as they are, unless they have a metatable with `__index`, `__len` or `__pairs`: those, and
/// userdata, are read as Lua code reads them, so modules are records and live collections are sequences. Their
/// metamethods run protected; what they raise is thrown unchanged.
public struct LuaDecoder {
  /// The `userInfo` of the decoder that the types' `init(from:)` get.
  public var userInfo: [CodingUserInfoKey: Any]

  /// Makes a decoder.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) { self.userInfo = userInfo }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - value: The Lua value.
  ///   - state: The state that the value belongs to.
  /// - Returns: The decoded value.
  /// - Throws: ``LuaError``: `wrong_type` for a missing field or a value that isn't of the type, `coding_failed` for
  ///   a cycle, tables nested more than 128 deep, and what a type's `init(from:)` throws; the message names the path.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from value: LuaValue, in state: LuaState
  ) throws(LuaError) -> Value {
    let stack = try state.core.currentStack()
    try stack.reserve(2)
    try value.push(to: stack)
    defer { stack.pop(1) }
    return try decode(type, from: stack, at: -1)
  }

  /// Decodes the value at an index of a stack, and leaves the stack as it was.
  ///
  /// - Throws: As ``decode(_:from:in:)``.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from stack: LuaStack, at index: Int32
  ) throws(LuaError) -> Value {
    let top = stack.count
    defer { lua_settop(stack.pointer, top) }
    let reader = TableReader(stack, userInfo: userInfo)
    do {
      return try reader.readRoot(type, at: index)
    } catch {
      throw LuaError(coding: error)
    }
  }
}

// MARK: - Containers

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

/// Reads the fields of a table, a module or an object.
private struct RecordReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
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
      let isPresent = try push(key)
      reader.stack.pop(1)
      return isPresent
    } catch {
      reader.fail(error)
      return false
    }
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    _ = try push(key)
    defer { reader.stack.pop(1) }
    return reader.stack.isNilOrNull(at: -1)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    // An absent field is how Lua writes an optional that is nil.
    guard try push(key) || type is any OptionalValue.Type else {
      reader.stack.pop(1)
      throw missing(key)
    }
    return try reader.readTop(type, under: position, key: key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    _ = try push(key)
    guard !reader.stack.isNilOrNull(at: -1) else {
      reader.stack.pop(1)
      return nil
    }
    return try reader.readTop(type, under: position, key: key)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<NestedKey>
  {
    try hold(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try hold(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try superDecoder(under: PathKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(under: key) }

  private func superDecoder(under key: some CodingKey) throws -> any Decoder {
    _ = try push(key)
    return try reader.holdDecoder(under: position, key: key)
  }

  private func hold(_ key: Key) throws -> ValueDecoder {
    guard try push(key) else {
      reader.stack.pop(1)
      throw missing(key)
    }
    return try reader.holdDecoder(under: position, key: key)
  }

  @inline(__always)
  private func push(_ key: some CodingKey) throws -> Bool {
    try reader.pushField(key, of: slot, access, position)
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
  }
}

private protocol OptionalValue {}

extension Optional: OptionalValue {}

/// Reads the elements of a sequence or a live collection, one after the other.
private struct SequenceReader: UnkeyedDecodingContainer {
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

  private var key: PathKey { .element(currentIndex) }

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
    let container = try holdNext().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try holdNext().unkeyedContainer()
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
    // A table has no holes here; a metamethod may claim any length and then return nothing.
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
