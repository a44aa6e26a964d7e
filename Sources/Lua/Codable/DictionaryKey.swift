/// A type of dictionary keys that are the same in Lua: strings and integers.
///
/// Swift's own coding of dictionaries can't tell the key 1 from the key "1", and makes a list of keys and values of all
/// integer types but `Int`.
protocol DictionaryKey: Hashable, LuaReadable, LuaPushable {
  associatedtype PathKey: CodingKey
  var pathKey: PathKey { get }
}

extension DictionaryKey where Self: FixedWidthInteger {
  var pathKey: IntegerKey { IntegerKey(intValue: Int(clamping: self)) }
}

extension String: DictionaryKey {
  var pathKey: NameKey { NameKey(stringValue: self) }
}

extension Int: DictionaryKey {}
extension Int8: DictionaryKey {}
extension Int16: DictionaryKey {}
extension Int32: DictionaryKey {}
extension Int64: DictionaryKey {}
extension UInt: DictionaryKey {}
extension UInt8: DictionaryKey {}
extension UInt16: DictionaryKey {}
extension UInt32: DictionaryKey {}
extension UInt64: DictionaryKey {}
