internal import Foundation

extension TableWriter {
  /// Pushes a value of a type of that kind.
  @inline(__always)
  func push<Value>(_ value: Value, _ kind: ScalarKind) throws(LuaError) {
    // The kind says which type `Value` is, so the casts change nothing.
    switch kind {
    case .string: stack.push(unsafeBitCast(value, to: String.self))
    case .integer: stack.push(Int64(unsafeBitCast(value, to: Int.self)))
    case .double: stack.push(unsafeBitCast(value, to: Double.self))
    case .boolean: stack.push(unsafeBitCast(value, to: Bool.self))
    default: try pushRare(value, kind)
    }
  }

  private func pushRare<Value>(_ value: Value, _ kind: ScalarKind) throws(LuaError) {
    switch kind {
    case .string, .integer, .double, .boolean: try push(value, kind)
    case .bytes: stack.push(bytes: unsafeBitCast(value, to: [UInt8].self))
    case .data: stack.push(bytes: unsafeBitCast(value, to: Data.self))
    case .float: stack.push(Double(unsafeBitCast(value, to: Float.self)))
    case .url: stack.push(unsafeBitCast(value, to: URL.self).absoluteString)
    case .int64: try push(integer: unsafeBitCast(value, to: Int64.self))
    case .int32: try push(integer: unsafeBitCast(value, to: Int32.self))
    case .int16: try push(integer: unsafeBitCast(value, to: Int16.self))
    case .int8: try push(integer: unsafeBitCast(value, to: Int8.self))
    case .int128: try push(integer: unsafeBitCast(value, to: Int128.self))
    case .uint: try push(integer: unsafeBitCast(value, to: UInt.self))
    case .uint64: try push(integer: unsafeBitCast(value, to: UInt64.self))
    case .uint32: try push(integer: unsafeBitCast(value, to: UInt32.self))
    case .uint16: try push(integer: unsafeBitCast(value, to: UInt16.self))
    case .uint8: try push(integer: unsafeBitCast(value, to: UInt8.self))
    case .uint128: try push(integer: unsafeBitCast(value, to: UInt128.self))
    }
  }

  private func push(integer value: some FixedWidthInteger) throws(LuaError) {
    guard let exact = Int64(exactly: value) else { throw LuaError.outOfRange("\(value)") }
    stack.push(exact)
  }
}
