internal import Foundation

/// The types that are one boolean, number or string in Lua.
///
/// Found by comparing types: in generic code that isn't specialised, casting a value takes longer than all the rest.
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
      self.init(rare: type)
    }
  }

  private init?(rare type: Any.Type) {
    if type == [UInt8].self {
      self = .bytes
    } else if type == Data.self {
      self = .data
    } else if type == Float.self {
      self = .float
    } else if type == URL.self {
      self = .url
    } else {
      self.init(sizedInteger: type)
    }
  }

  private init?(sizedInteger type: Any.Type) {
    if type == Int64.self {
      self = .int64
    } else if type == UInt64.self {
      self = .uint64
    } else if type == UInt.self {
      self = .uint
    } else if type == Int32.self {
      self = .int32
    } else if type == UInt32.self {
      self = .uint32
    } else if type == Int16.self {
      self = .int16
    } else if type == UInt16.self {
      self = .uint16
    } else if type == Int8.self {
      self = .int8
    } else if type == UInt8.self {
      self = .uint8
    } else if type == Int128.self {
      self = .int128
    } else if type == UInt128.self {
      self = .uint128
    } else {
      return nil
    }
  }
}
