internal import CLua

/// Turns Encodable values into Lua values.
///
/// Structs and string-keyed dictionaries become tables with string keys, dictionaries keyed by integers keep integer
/// keys, and arrays and sets become sequences. `[UInt8]` and `Data` become strings of their bytes, `UUID`, `URL` and
/// `Decimal` strings of their text, and `Date` the seconds since 1970, as when they are arguments; every other type
/// becomes what its own `encode(to:)` writes. A `nil` in a keyed container is an absent field, in an array ``LuaNull``.
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
    try state.core.withStack { stack throws(LuaError) in
      try push(value, to: stack)
      return stack.value(at: -1)
    }
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

/// What a value's `encode(to:)` gets: the place where the value goes, or the table that is there.
final class EncodingPlace: CodingPlace, Encoder {
  let writer: TableWriter

  // Unchecked, for speed: nothing that an access to these calls gets back here.

  /// The type of the coding keys of the record that was last written here, and, from the second one on, what makes its
  /// container: the next one is likely the same.
  @exclusivity(unchecked)
  private var lastRecord: (keys: ObjectIdentifier?, maker: AnyObject?) = (nil, nil)

  /// The number of fields that were set in that record.
  @exclusivity(unchecked) var fieldCount: Int32 = 0

  /// The address of the object that is encoded; set by the writer.
  @exclusivity(unchecked) var object: UnsafeRawPointer?

  init(_ writer: TableWriter) { self.writer = writer }

  override var identity: UnsafeRawPointer? { object }

  var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    guard lastRecord.keys == ObjectIdentifier(type) else {
      lastRecord = (ObjectIdentifier(type), nil)
      return KeyedEncodingContainer(RecordWriter<Key>(table: opened()))
    }
    let table = opened(fieldCount: fieldCount)
    if let maker = lastRecord.maker {
      return unsafeDowncast(maker, to: RecordWriterMaker<Key>.self).makeWriter(table)
    }
    let maker = RecordWriterMaker<Key>()
    lastRecord.maker = maker
    return maker.makeWriter(table)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { SequenceWriter(table: opened()) }

  /// The place with a table; one that holds nothing if another value is there.
  @inline(__always)
  private func opened(fieldCount: Int32 = 0) -> EncodingPlace {
    writer.openTable(self, fieldCount: fieldCount) ? self : EncodingPlace(writer)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension EncodingPlace: SingleValueEncodingContainer {
  func encodeNil() throws {}

  func encode<Value: Encodable>(_ value: Value) throws { try writer.fillSingle(self, with: value) }
}

/// Makes containers of one type of keys, without finding their own type for each.
private final class RecordWriterMaker<Key: CodingKey> {
  private let type: any RecordContainer<Key>.Type = RecordWriter<Key>.self

  func makeWriter(_ table: EncodingPlace) -> KeyedEncodingContainer<Key> { type.makeWriter(table) }
}

private protocol RecordContainer<Key>: KeyedEncodingContainerProtocol {
  associatedtype Key

  init(table: EncodingPlace)
}

extension RecordContainer {
  static func makeWriter(_ table: EncodingPlace) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Self(table: table))
  }
}

/// Writes the fields of a table.
private struct RecordWriter<Key: CodingKey>: RecordContainer {
  let table: EncodingPlace

  var codingPath: [any CodingKey] { table.codingPath }

  /// Writes nothing: a field that is nil is absent.
  func encodeNil(forKey key: Key) throws {}

  // The commonest types by methods of their own, so that nothing must be found out about them.

  func encode(_ value: String, forKey key: Key) throws {
    try table.writer.setField(key, to: value, of: table) { $0.push(value) }
  }

  func encode(_ value: Int, forKey key: Key) throws {
    try table.writer.setField(key, to: value, of: table) { $0.push(Int64(value)) }
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try table.writer.setField(key, to: value, of: table) { $0.push(value) }
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    try table.writer.setField(key, to: value, of: table) { $0.push(value) }
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try table.writer.setField(key, to: value, of: table)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
    -> KeyedEncodingContainer<NestedKey>
  {
    table.writer.addTable(.key(key), to: table).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    table.writer.addTable(.key(key), to: table).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    table.writer.addAttachment(.key(PathKey.super), to: table)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    table.writer.addAttachment(.key(key), to: table)
  }
}

/// Writes the elements of a sequence, one after the other.
private struct SequenceWriter: UnkeyedEncodingContainer {
  private let table: EncodingPlace
  private(set) var count: Int

  init(table: EncodingPlace) {
    self.table = table
    // If a superclass has written to the same container, this one continues there.
    count = table.isHeld ? Int(lua_rawlen(table.writer.stack.pointer, table.index)) : 0
  }

  var codingPath: [any CodingKey] { table.codingPath }

  mutating func encodeNil() throws { try encode(Bool?.none) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try table.writer.setElement(count, to: value, of: table)
    count += 1
  }

  mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type)
    -> KeyedEncodingContainer<NestedKey>
  {
    table.writer.addTable(nextStep(), to: table).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    table.writer.addTable(nextStep(), to: table).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    table.writer.addAttachment(nextStep(), to: table)
  }

  private mutating func nextStep() -> CodingStep {
    defer { count += 1 }
    return .element(count)
  }
}
