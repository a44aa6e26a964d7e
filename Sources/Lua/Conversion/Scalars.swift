public import CLua
public import PrimereplFoundation

extension LuaReadable where Self: FixedWidthInteger {
  /// Reads an integer, or a float without a fraction, that the type can hold.
  @inlinable @inline(__always)
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    if lua_isinteger(stack.pointer, index) != 0,
      let value = Self(exactly: lua_tointegerx(stack.pointer, index, nil))
    {
      return value
    }
    return try readOther(from: stack, at: index)
  }

  /// Reads a value that isn't a Lua integer in the type's range.
  @usableFromInline
  static func readOther(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .number else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    var range: String { "\(luaTypeName) from \(Int64(clamping: min)) to \(Int64(clamping: max))" }
    if lua_isinteger(stack.pointer, index) != 0 {
      throw LuaTypeMismatch(
        expected: range, got: "\(lua_tointegerx(stack.pointer, index, nil))")
    }
    let value = lua_tonumberx(stack.pointer, index, nil)
    // Not beyond Lua's integers, even for a type that could hold it: it couldn't be pushed again.
    guard let integer = Int64(exactly: value), let exact = Self(exactly: integer) else {
      throw LuaTypeMismatch(
        expected: value.rounded() == value ? range : luaTypeName, got: "\(value)")
    }
    return exact
  }

  /// "integer".
  public static var luaTypeName: String { "integer" }
}

extension LuaPushable where Self: FixedWidthInteger {
  /// Pushes the integer.
  ///
  /// - Throws: `number_out_of_range` for one that Lua's 64 signed bits can't hold.
  @inlinable
  public func push(to stack: LuaStack) throws(LuaError) {
    guard let value = Int64(exactly: self) else { throw LuaError.outOfRange("\(self)") }
    stack.push(value)
  }
}

extension Int: LuaReadable, LuaPushable {}
extension Int8: LuaReadable, LuaPushable {}
extension Int16: LuaReadable, LuaPushable {}
extension Int32: LuaReadable, LuaPushable {}
extension Int64: LuaReadable, LuaPushable {}
extension Int128: LuaReadable, LuaPushable {}
extension UInt: LuaReadable, LuaPushable {}
extension UInt8: LuaReadable, LuaPushable {}
extension UInt16: LuaReadable, LuaPushable {}
extension UInt32: LuaReadable, LuaPushable {}
extension UInt64: LuaReadable, LuaPushable {}
extension UInt128: LuaReadable, LuaPushable {}

extension Double: LuaReadable, LuaPushable {
  /// Reads a float, or an integer that a float can hold exactly.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Double {
    guard stack.type(at: index) == .number else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    guard lua_isinteger(stack.pointer, index) != 0 else {
      return lua_tonumberx(stack.pointer, index, nil)
    }
    let integer = lua_tointegerx(stack.pointer, index, nil)
    guard let exact = Double(exactly: integer) else {
      throw LuaTypeMismatch(expected: "a number that a float holds exactly", got: "\(integer)")
    }
    return exact
  }

  /// Pushes the float.
  @inlinable
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(self) }

  /// "number".
  public static var luaTypeName: String { "number" }
}

extension Float: LuaReadable, LuaPushable {
  /// Reads a number: a fraction becomes the nearest value, one without a fraction must have an exact one.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Float {
    let number = try Double.read(from: stack, at: index)
    let nearest = Float(number)
    guard number.isNaN || number.rounded() != number || Double(nearest) == number else {
      throw LuaTypeMismatch(
        expected: "a number that a 32-bit float holds exactly", got: "\(number)")
    }
    return nearest
  }

  /// Pushes the float, exactly.
  @inlinable
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(Double(self)) }

  /// "number".
  public static var luaTypeName: String { "number" }
}

extension String: LuaReadable, LuaPushable {
  /// Reads a string of valid UTF-8.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> String {
    guard let bytes = stack.bytes(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    do {
      // String(validating:as:) looks up generic metadata at every call (Swift 6.3).
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      throw LuaTypeMismatch(expected: "a string of valid UTF-8", got: "other bytes")
    }
  }

  /// Pushes the text as UTF-8.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(self) }

  /// "string".
  public static var luaTypeName: String { "string" }
}

extension Bool: LuaReadable, LuaPushable {
  /// Reads a boolean: nothing else is taken for one.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Bool {
    guard stack.type(at: index) == .boolean else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return lua_toboolean(stack.pointer, index) != 0
  }

  /// Pushes the boolean.
  public func push(to stack: LuaStack) throws(LuaError) { stack.push(self) }

  /// "boolean".
  public static var luaTypeName: String { "boolean" }
}

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
  func byteArray(at index: Int32) throws(LuaTypeMismatch) -> [UInt8] {
    guard let bytes = bytes(at: index) else {
      throw LuaTypeMismatch(expected: LuaString.luaTypeName, at: index, of: self)
    }
    return Array(bytes)
  }
}
