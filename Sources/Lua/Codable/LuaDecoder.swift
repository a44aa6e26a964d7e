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
  /// Makes a decoder.
  public init() {}

  /// Decodes a value.
  ///
  /// - Throws: ``LuaError``: `wrong_type` for a missing field or a value that isn't of the type, `coding_failed` for
  ///   tables nested more than 128 deep, such as a cycle, and what a type's `init(from:)` throws; the message names
  ///   the path.
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
    let decoding = CodingSession(in: stack.core)
    let root = CodingPlace(nil, in: nil)
    do {
      let value = try ValueDecoder(decoding, stack.value(at: index), at: root).decode(type)
      if let failure = decoding.failure { throw failure }
      return value
    } catch {
      throw LuaError(coding: error)
    }
  }
}

// MARK: - Containers

/// Decodes one value: the decoder that a type's `init(from:)` gets.
final class ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: LuaValue
  private let decoding: CodingSession
  private let place: CodingPlace

  fileprivate init(_ decoding: CodingSession, _ value: LuaValue, at place: CodingPlace) {
    (self.decoding, self.value, self.place) = (decoding, value, place)
  }

  var codingPath: [any CodingKey] { place.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordDecoder<Key>(table: try DecodedTable(of: self)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try SequenceDecoder(DecodedTable(of: self))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { isNil(value) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decode(type, from: value, nil)
  }

  // MARK: - Parts

  /// Decodes a part of the value, or the value itself without a key.
  func decode<Value: Decodable>(
    _ type: Value.Type, from part: LuaValue, _ key: @autoclosure () -> (any CodingKey)?
  ) throws -> Value {
    if let type = type as? any CodedScalar.Type,
      let result = try scalar(type, from: part, key()) as? Value
    {
      return result
    }
    let decoder = try child(part, key())
    if let dictionary = type as? any DecodableDictionary.Type,
      let result = try dictionary.init(entriesOf: DecodedTable(of: decoder)) as? Value
    {
      return result
    }
    do {
      return try type.init(from: decoder)
    } catch {
      throw try decoder.explain(error, type)
    }
  }

  /// Throws the problem of a part that is nested too deep.
  func child(_ part: LuaValue, _ key: (any CodingKey)?) throws -> ValueDecoder {
    let place = CodingPlace(key, in: place)
    if let problem = place.depthProblem {
      throw DecodingError.dataCorrupted(.init(codingPath: place.path, debugDescription: problem))
    }
    return ValueDecoder(decoding, part, at: place)
  }

  /// Whether a part of the value is nil or ``LuaNull``.
  func isNil(_ part: LuaValue) -> Bool {
    guard case .userdata(let object) = part else { return part == .nil }
    return unlessFailing(false) { try object.hostObject() is LuaNull }
  }

  func scalar<Scalar: CodedScalar>(
    _ type: Scalar.Type, from part: LuaValue, _ key: @autoclosure () -> (any CodingKey)?
  ) throws -> Scalar {
    try read(type, from: part) { mismatch in
      DecodingError.mismatch("\(mismatch)", at: codingPath + (key().map { [$0] } ?? []))
    }
  }

  func read<Scalar: LuaReadable>(
    _ type: Scalar.Type, from part: LuaValue, orThrow error: (LuaTypeMismatch) throws -> any Error
  ) throws -> Scalar {
    let result = try inspect(part) { stack, index in
      Result { () throws(LuaTypeMismatch) in try type.read(from: stack, at: index) }
    }
    do {
      return try result.get()
    } catch let mismatch {
      throw try error(mismatch)
    }
  }

  func inspect<Result>(
    _ part: LuaValue, _ body: (_ stack: LuaStack, _ index: Int32) throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    try decoding.core.withStack { stack throws(LuaError) in
      try part.push(to: stack)
      return try body(stack, stack.count)
    }
  }

  // MARK: - Errors

  func typeName() throws(LuaError) -> String {
    try inspect(value) { stack, index in stack.typeName(at: index) }
  }

  func mismatch(_ description: String) -> DecodingError { .mismatch(description, at: codingPath) }

  /// Does something in a function that can't throw; an error is thrown at the end.
  func unlessFailing<Result>(_ placeholder: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      decoding.fail(with: error)
      return placeholder
    }
  }
}

/// Any value of Lua as a part of a Decodable type, as it is; only ``LuaDecoder`` can give it.
package struct UndecodedValue: Decodable {
  package let value: LuaValue

  package init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ValueDecoder else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not a value of Lua"))
    }
    value = decoder.value
  }
}

extension LuaValue {
  /// The table or userdata; nil for other values.
  var reference: LuaReference? {
    switch self {
    case .table(let table): table
    case .userdata(let object): object
    default: nil
    }
  }
}

extension DecodingError {
  fileprivate static func mismatch(_ description: String, at path: [any CodingKey])
    -> DecodingError
  {
    .typeMismatch(Any.self, .init(codingPath: path, debugDescription: description))
  }
}

/// Decodes the fields of a table, a module or an object.
private struct RecordDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let table: DecodedTable

  var codingPath: [any CodingKey] { table.codingPath }

  var allKeys: [Key] {
    table.decoder.unlessFailing([]) { try table.codingKeys(Key.self) }
  }

  func contains(_ key: Key) -> Bool {
    table.decoder.unlessFailing(false) { try table.value(ofField: key).map { _ in true } ?? false }
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    table.decoder.isNil(try table.value(ofField: key) ?? .nil)
  }

  // The commonest types by methods of their own: the generic one takes longer to find out what they are.

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(type, key) }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(type, key) }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(type, key) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(type, key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let value = try table.value(ofField: key)
    // An absent field is how Lua writes an optional that is nil.
    if case .none = value, !(type is any MissingValue.Type) { throw missing(key) }
    return try table.decoder.decode(type, from: value ?? .nil, key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let value = try table.value(ofField: key), !table.decoder.isNil(value) else {
      return nil
    }
    return try table.decoder.decode(type, from: value, key)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<NestedKey>
  {
    try child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try table.decoder.child(table.value(ofField: PathKey.super) ?? .nil, PathKey.super)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try table.decoder.child(table.value(ofField: key) ?? .nil, key)
  }

  private func child(_ key: Key) throws -> ValueDecoder {
    guard let value = try table.value(ofField: key) else { throw missing(key) }
    return try table.decoder.child(value, key)
  }

  private func scalar<Scalar: CodedScalar>(_ type: Scalar.Type, _ key: Key) throws -> Scalar {
    guard let value = try table.value(ofField: key) else { throw missing(key) }
    return try table.decoder.scalar(type, from: value, key)
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
  }
}

/// Decodes the elements of a sequence or a live collection, one after the other.
private struct SequenceDecoder: UnkeyedDecodingContainer {
  private let table: DecodedTable
  private let length: Int
  private(set) var currentIndex = 0

  init(_ table: DecodedTable) throws {
    self.table = table
    length = try table.sequenceLength()
  }

  var codingPath: [any CodingKey] { table.codingPath }
  var count: Int? { length }
  var isAtEnd: Bool { currentIndex >= length }

  mutating func decodeNil() throws -> Bool {
    guard table.decoder.isNil(try next()) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try table.decoder.decode(type, from: next(), PathKey.element(currentIndex))
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
    -> KeyedDecodingContainer<NestedKey>
  {
    try useNext { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try useNext { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try useNext { $0 } }

  private mutating func useNext<Part>(_ make: (ValueDecoder) throws -> Part) throws -> Part {
    let part = try make(table.decoder.child(next(), PathKey.element(currentIndex)))
    currentIndex += 1
    return part
  }

  /// The next element.
  ///
  /// - Throws: A mismatch if there is none: a table has no holes here, but a metamethod may claim any length and then
  ///   return nothing.
  private func next() throws -> LuaValue {
    if !isAtEnd, let value = try table.value(of: currentIndex + 1) { return value }
    throw DecodingError.valueNotFound(
      Any.self,
      .init(codingPath: codingPath + [PathKey.element(currentIndex)], debugDescription: "missing"))
  }
}
