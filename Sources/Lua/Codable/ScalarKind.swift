internal import Foundation

/// The types that are one boolean, number or string in Lua.
///
/// Found by comparing types: in unspecialised generic code, casting a value takes longer than everything else.
enum ScalarKind {
  case string, integer, double, boolean
  case bytes, data, float, url
  case int64, int32, int16, int8, int128
  case uint, uint64, uint32, uint16, uint8, uint128

  /// The kind of a type; `nil` for one that is made of others.
  @inline(__always)
  init?<Value>(of type: Value.Type) {
    // None is larger than a string; this spares most structs the comparisons.
    guard MemoryLayout<Value>.size <= MemoryLayout<String>.size else { return nil }
    if type == String.self {
      self = .string
    } else if type == Int.self {
      self = .integer
    } else if type == Double.self {
      self = .double
    } else if type == Bool.self {
      self = .boolean
    } else {
      guard let kind = Self.rareTypes.first(where: { $0.type == type })?.kind else { return nil }
      self = kind
    }
  }

  private static let rareTypes: [(type: Any.Type, kind: ScalarKind)] = [
    ([UInt8].self, .bytes), (Data.self, .data), (Float.self, .float), (URL.self, .url),
    (Int64.self, .int64), (UInt64.self, .uint64), (UInt.self, .uint), (Int32.self, .int32),
    (UInt32.self, .uint32), (Int16.self, .int16), (UInt16.self, .uint16), (Int8.self, .int8),
    (UInt8.self, .uint8), (Int128.self, .int128), (UInt128.self, .uint128),
  ]
}
