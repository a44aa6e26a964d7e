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
    try state.core.withStack { stack throws(LuaError) in
      try value.push(to: stack)
      return try decode(type, from: stack, at: -1)
    }
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
final class DecodingPlace: CodingPlace, Decoder {
  let reader: TableReader

  /// The type of the coding keys of the record that was last read here, and, from the second one on, what makes its
  /// container: the next one is likely the same.
  // Unchecked, for speed: nothing that an access to it calls gets back here.
  @exclusivity(unchecked)
  private var lastRecord: (keys: ObjectIdentifier?, maker: AnyObject?) = (nil, nil)

  init(_ reader: TableReader) { self.reader = reader }

  override var identity: UnsafeRawPointer? {
    isHeld ? UnsafeRawPointer(lua_topointer(reader.stack.pointer, index)) : nil
  }

  var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let access = try reader.openTable(self)
    guard lastRecord.keys == ObjectIdentifier(type) else {
      lastRecord = (ObjectIdentifier(type), nil)
      return KeyedDecodingContainer(RecordReader<Key>(table: self, access: access))
    }
    if let maker = lastRecord.maker {
      return unsafeDowncast(maker, to: RecordReaderMaker<Key>.self).makeReader(self, access)
    }
    let maker = RecordReaderMaker<Key>()
    lastRecord.maker = maker
    return maker.makeReader(self, access)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try SequenceReader(self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension DecodingPlace: SingleValueDecodingContainer {
  func decodeNil() -> Bool { reader.isNil(self) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try reader.readSingle(type, self)
  }
}

/// Makes containers of one type of keys, without finding their own type for each.
private final class RecordReaderMaker<Key: CodingKey> {
  private let type: any RecordContainer<Key>.Type = RecordReader<Key>.self

  func makeReader(_ table: DecodingPlace, _ access: TableAccess) -> KeyedDecodingContainer<Key> {
    type.makeReader(table, access)
  }
}

private protocol RecordContainer<Key>: KeyedDecodingContainerProtocol {
  associatedtype Key

  init(table: DecodingPlace, access: TableAccess)
}

extension RecordContainer {
  static func makeReader(_ table: DecodingPlace, _ access: TableAccess)
    -> KeyedDecodingContainer<Key>
  {
    KeyedDecodingContainer(Self(table: table, access: access))
  }
}

/// Reads the fields of a table, a module or an object.
private struct RecordReader<Key: CodingKey>: RecordContainer {
  let table: DecodingPlace
  let access: TableAccess

  private var reader: TableReader { table.reader }

  var codingPath: [any CodingKey] { table.codingPath }

  var allKeys: [Key] {
    do {
      try reader.check(table)
      return try reader.codingKeys(Key.self, of: table, access)
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

  // The commonest types by methods of their own, so that nothing must be found out about them.

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(type, key) }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(type, key) }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(type, key) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(type, key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    // An absent field is how Lua writes an optional that is nil.
    guard try push(key) || type is any OptionalValue.Type else { throw missing(key) }
    return try reader.readTop(type, under: table, .key(key))
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    _ = try push(key)
    guard !reader.stack.isNilOrNull(at: -1) else {
      reader.stack.pop(1)
      return nil
    }
    return try reader.readTop(type, under: table, .key(key))
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
    return try reader.holdDecoder(under: table, .key(key))
  }

  private func hold(_ key: Key) throws -> DecodingPlace {
    guard try push(key) else { throw missing(key) }
    return try reader.holdDecoder(under: table, .key(key))
  }

  @inline(__always)
  private func scalar<Value: LuaReadable>(_ type: Value.Type, _ key: Key) throws -> Value {
    let stack = table.reader.stack
    guard try table.reader.pushField(key, of: table, access) else { throw missing(key) }
    defer { stack.pop(1) }
    do throws(LuaTypeMismatch) {
      return try Value.read(from: stack, at: -1)
    } catch {
      throw table.reader.mismatch(error.description, path: codingPath + [key])
    }
  }

  @inline(__always)
  private func push(_ key: some CodingKey) throws -> Bool {
    try reader.pushField(key, of: table, access)
  }

  /// Pops the nil of an absent field.
  private func missing(_ key: Key) -> DecodingError {
    reader.stack.pop(1)
    return .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
  }
}

private protocol OptionalValue {}

extension Optional: OptionalValue {}

/// Reads the elements of a sequence or a live collection, one after the other.
private struct SequenceReader: UnkeyedDecodingContainer {
  private let table: DecodingPlace
  private let access: TableAccess
  private let length: Int
  private(set) var currentIndex = 0

  init(_ table: DecodingPlace) throws {
    self.table = table
    access = try table.reader.openTable(table)
    length = try table.reader.openSequence(table, access)
  }

  private var reader: TableReader { table.reader }

  var codingPath: [any CodingKey] { table.codingPath }
  var count: Int? { length }
  var isAtEnd: Bool { currentIndex >= length }

  mutating func decodeNil() throws -> Bool {
    try pushNext()
    defer { reader.stack.pop(1) }
    guard reader.stack.isNilOrNull(at: -1) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try pushNext()
    let value = try reader.readTop(type, under: table, .element(currentIndex))
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

  private func holdNext() throws -> DecodingPlace {
    try pushNext()
    return try reader.holdDecoder(under: table, .element(currentIndex))
  }

  private func pushNext() throws {
    try reader.check(table)
    guard !isAtEnd else { throw reader.missingElement(currentIndex, of: table) }
    try reader.pushElement(currentIndex, of: table, access)
  }
}
