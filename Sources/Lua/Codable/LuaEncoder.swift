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
  /// Makes an encoder.
  public init() {}

  /// Encodes a value.
  ///
  /// - Returns: The Lua value; nil for a value that encodes as nil or not at all.
  /// - Throws: ``LuaError``: `number_out_of_range` for an integer that Lua can't hold, `coding_failed` for values
  ///   nested more than 128 deep, such as a cycle of objects, and what a value's `encode(to:)` throws; the message
  ///   names the path.
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
    let encoding = CodingSession(in: stack.core)
    let root = ValueEncoder(encoding, at: CodingPlace(nil, in: nil))
    do {
      try root.encode(value)
      if let failure = encoding.failure { throw failure }
      if let value = root.value { try value.push(to: stack) } else { stack.pushNil() }
    } catch {
      throw LuaError(coding: error)
    }
  }
}

// MARK: - Containers

/// Encodes one value: the encoder that its `encode(to:)` gets.
final class ValueEncoder: Encoder, SingleValueEncodingContainer {
  private let encoding: CodingSession
  private let place: CodingPlace

  /// The entry of another table that takes the value; nil for a value that is put there when it is complete.
  private let entry: (table: LuaTable, key: any LuaPushable)?

  /// The value so far: nil, a scalar or the table.
  fileprivate private(set) var value: (any LuaPushable)?
  private var table: LuaTable?

  /// The number of elements, if the table is a sequence.
  fileprivate private(set) var count = 0

  fileprivate init(
    _ encoding: CodingSession, at place: CodingPlace,
    for entry: (table: LuaTable, key: any LuaPushable)? = nil
  ) {
    (self.encoding, self.place, self.entry) = (encoding, place, entry)
  }

  var codingPath: [any CodingKey] { place.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    makeTable()
    return KeyedEncodingContainer(RecordEncoder<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    makeTable()
    return SequenceEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws {}

  func encode<Value: Encodable>(_ value: Value) throws {
    if self.value != nil { throw error("a value was already encoded here", value) }
    try set(try encoded(value, nil))
  }

  /// Encodes a part of the value, or the value itself without a key; nil if it encodes as nil or not at all.
  private func encoded<Value: Encodable>(
    _ value: Value, _ key: @autoclosure () -> (any CodingKey)?
  ) throws -> (any LuaPushable)? {
    if let scalar = value as? any CodedScalar { return scalar }
    let place = CodingPlace(key(), in: place)
    if let problem = place.depthProblem {
      throw EncodingError.invalidValue(
        value, .init(codingPath: place.path, debugDescription: problem))
    }
    let encoder = ValueEncoder(encoding, at: place)
    if let dictionary = value as? any EncodableDictionary {
      try dictionary.encodeEntries(to: encoder)
    } else {
      try value.encode(to: encoder)
    }
    return encoder.value
  }

  func makeTable() {
    guard table == nil else { return }
    do {
      if value != nil { throw error("a value was already encoded here", Void.self) }
      table = try encoding.core.withStack { stack in
        lua_createtable(stack.pointer, 0, 0)
        return LuaTable(popping: stack)
      }
      try set(table)
    } catch {
      encoding.fail(with: error)
    }
  }

  private func set(_ value: (any LuaPushable)?) throws {
    self.value = value
    if let entry, let value { try entry.table.rawSet(entry.key, to: value) }
  }

  /// Sets an entry of the table, unless the value encodes as nil and there is no placeholder.
  func set<Value: Encodable>(
    _ key: some LuaPushable, to value: Value, _ codingKey: @autoclosure () -> any CodingKey,
    orNil placeholder: (any LuaPushable)? = nil
  ) throws {
    if let encoded = try encoded(value, codingKey()) ?? placeholder {
      try set(key, toEncoded: encoded, codingKey())
    }
  }

  /// Sets an entry of the table; if there is none, that is an error already.
  fileprivate func set(
    _ key: some LuaPushable, toEncoded value: some LuaPushable,
    _ codingKey: @autoclosure () -> any CodingKey
  ) throws {
    do throws(LuaError) {
      try table?.rawSet(key, to: value)
    } catch {
      let context = EncodingError.Context(
        codingPath: codingPath + [codingKey()], debugDescription: error.message,
        underlyingError: error)
      throw EncodingError.invalidValue(value, context)
    }
  }

  /// Appends an element, with ``LuaNull`` in place of nil.
  fileprivate func append(_ value: some Encodable) throws {
    try set(count + 1, to: value, PathKey.element(count), orNil: LuaNull.null)
    count += 1
  }

  fileprivate func child(_ key: some LuaPushable, _ codingKey: any CodingKey) -> ValueEncoder {
    ValueEncoder(encoding, at: CodingPlace(codingKey, in: place), for: table.map { ($0, key) })
  }

  /// An encoder for the next element, which is ``LuaNull`` until it has a value.
  fileprivate func nextChild() -> ValueEncoder {
    do {
      try append(Bool?.none)
    } catch {
      encoding.fail(with: error)
    }
    return child(count, PathKey.element(count - 1))
  }

  private func error(_ description: String, _ value: Any) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: description))
  }
}

private struct RecordEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  /// Writes nothing: a field that is nil is absent.
  func encodeNil(forKey key: Key) throws {}

  // The commonest types by methods of their own: the generic one takes longer to find out what they are.

  func encode(_ value: String, forKey key: Key) throws { try set(value, key) }

  func encode(_ value: Int, forKey key: Key) throws { try set(value, key) }

  func encode(_ value: Double, forKey key: Key) throws { try set(value, key) }

  func encode(_ value: Bool, forKey key: Key) throws { try set(value, key) }

  private func set(_ value: some CodedScalar, _ key: Key) throws {
    try encoder.set(key.stringValue, toEncoded: value, key)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.set(key.stringValue, to: value, key)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
    -> KeyedEncodingContainer<NestedKey>
  {
    encoder.child(key.stringValue, key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.child(key.stringValue, key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    encoder.child(PathKey.super.stringValue, PathKey.super)
  }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key.stringValue, key) }
}

private struct SequenceEncoder: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  func encodeNil() throws { try encoder.append(Bool?.none) }

  func encode<Value: Encodable>(_ value: Value) throws { try encoder.append(value) }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type)
    -> KeyedEncodingContainer<NestedKey>
  {
    encoder.nextChild().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.nextChild().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.nextChild() }
}
