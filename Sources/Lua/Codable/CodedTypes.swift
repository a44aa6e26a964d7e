internal import PrimereplFoundation

/// A type whose values are coded as one boolean, number or string, the same as when they are arguments.
protocol CodedScalar: LuaReadable, LuaPushable {}

extension Bool: CodedScalar {}
extension Double: CodedScalar {}
extension Float: CodedScalar {}
extension Int: CodedScalar {}
extension Int8: CodedScalar {}
extension Int16: CodedScalar {}
extension Int32: CodedScalar {}
extension Int64: CodedScalar {}
extension Int128: CodedScalar {}
extension UInt: CodedScalar {}
extension UInt8: CodedScalar {}
extension UInt16: CodedScalar {}
extension UInt32: CodedScalar {}
extension UInt64: CodedScalar {}
extension UInt128: CodedScalar {}
extension String: CodedScalar {}
extension Array: CodedScalar where Element == UInt8 {}
extension Data: CodedScalar {}
extension Date: CodedScalar {}
extension Decimal: CodedScalar {}
extension UUID: CodedScalar {}
extension URL: CodedScalar {}

// Swift's own coding of dictionaries can't distinguish the key 1 from the key "1", and turns dictionaries of all integer
// keys but `Int` into lists of keys and values.

/// A dictionary whose keys are those of its table.
protocol EncodableDictionary {
  func encodeEntries(to encoder: ValueEncoder) throws
}

extension Dictionary: EncodableDictionary where Key: LuaKey, Value: Encodable {
  func encodeEntries(to encoder: ValueEncoder) throws {
    encoder.makeTable()
    for (key, value) in self { try encoder.set(key, to: value, PathKey(key)) }
  }
}

protocol DecodableDictionary {
  init(entriesOf table: DecodedTable) throws
}

extension Dictionary: DecodableDictionary where Key: LuaKey, Value: Decodable {
  init(entriesOf table: DecodedTable) throws {
    let keys = try table.keys()
    self.init(minimumCapacity: keys.count)
    for luaKey in keys {
      let key = try table.key(Key.self, luaKey)
      let value = try table.decoder.decode(
        Value.self, from: table.value(of: luaKey) ?? .nil, PathKey(key))
      updateValue(value, forKey: key)
    }
  }
}
