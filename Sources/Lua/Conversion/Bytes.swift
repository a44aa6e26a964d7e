internal import CLua
public import PrimereplFoundation

// `[UInt8]` is a string too: see the conversions of arrays.

extension ArraySlice: LuaTyped, LuaReadable where Element == UInt8 {
  /// Reads a string of any bytes.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    try stack.byteArray(at: index)[...]
  }
}

extension ArraySlice: LuaPushable where Element == UInt8 {
  /// Pushes a string of the bytes.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(bytes: self) }

  /// "string".
  public static var luaTypeName: String { LuaString.luaTypeName }
}

extension Data: LuaReadable, LuaPushable {
  /// Reads a string of any bytes.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Data {
    guard let bytes = stack.bytes(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return Data(bytes)
  }

  /// Pushes a string of the bytes.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(bytes: self) }

  /// "string".
  public static var luaTypeName: String { LuaString.luaTypeName }
}

extension LuaStack {
  /// The bytes of the string at an index.
  func byteArray(at index: Int32) throws(LuaTypeMismatch) -> [UInt8] {
    guard let bytes = bytes(at: index) else {
      throw LuaTypeMismatch(expected: LuaString.luaTypeName, at: index, of: self)
    }
    return Array(bytes)
  }
}
