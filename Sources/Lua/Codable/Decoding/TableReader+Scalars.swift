internal import CLua
internal import Foundation

extension TableReader {
  /// Reads a value of a type of that kind.
  @inline(__always)
  func read<Value>(_ type: Value.Type, _ kind: ScalarKind, at index: Int32)
    throws(LuaTypeMismatch) -> Value
  {
    // The kind says which type `Value` is, so the casts change nothing.
    switch kind {
    case .string: unsafeBitCast(try String.read(from: stack, at: index), to: type)
    case .integer: unsafeBitCast(try Int.read(from: stack, at: index), to: type)
    case .double: unsafeBitCast(try Double.read(from: stack, at: index), to: type)
    case .boolean: unsafeBitCast(try Bool.read(from: stack, at: index), to: type)
    default: try readRare(type, kind, at: index)
    }
  }

  private func readRare<Value>(_ type: Value.Type, _ kind: ScalarKind, at index: Int32)
    throws(LuaTypeMismatch) -> Value
  {
    switch kind {
    case .string, .integer, .double, .boolean: try read(type, kind, at: index)
    case .bytes: unsafeBitCast(try bytes(at: index), to: type)
    case .data: unsafeBitCast(Data(try bytes(at: index)), to: type)
    case .float: unsafeBitCast(try Float.read(from: stack, at: index), to: type)
    case .url: unsafeBitCast(try url(at: index), to: type)
    case .int64: unsafeBitCast(try Int64.read(from: stack, at: index), to: type)
    case .int32: unsafeBitCast(try Int32.read(from: stack, at: index), to: type)
    case .int16: unsafeBitCast(try Int16.read(from: stack, at: index), to: type)
    case .int8: unsafeBitCast(try Int8.read(from: stack, at: index), to: type)
    case .int128: unsafeBitCast(Int128(try Int64.read(from: stack, at: index)), to: type)
    case .uint: unsafeBitCast(try UInt.read(from: stack, at: index), to: type)
    case .uint64: unsafeBitCast(try UInt64.read(from: stack, at: index), to: type)
    case .uint32: unsafeBitCast(try UInt32.read(from: stack, at: index), to: type)
    case .uint16: unsafeBitCast(try UInt16.read(from: stack, at: index), to: type)
    case .uint8: unsafeBitCast(try UInt8.read(from: stack, at: index), to: type)
    case .uint128: unsafeBitCast(UInt128(try UInt64.read(from: stack, at: index)), to: type)
    }
  }

  private func bytes(at index: Int32) throws(LuaTypeMismatch) -> [UInt8] {
    try LuaString.read(from: stack, at: index).bytes
  }

  private func url(at index: Int32) throws(LuaTypeMismatch) -> URL {
    let text = try String.read(from: stack, at: index)
    guard let url = URL(string: text) else {
      throw LuaTypeMismatch(expected: "a URL", got: "\"\(text.shortened)\"")
    }
    return url
  }
}
