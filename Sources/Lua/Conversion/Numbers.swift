public import CLua

extension LuaReadable where Self: FixedWidthInteger {
  /// Reads an integer, or a float without a fraction, that the type can hold.
  @inlinable
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    if lua_isinteger(stack.pointer, index) != 0,
      let value = Self(exactly: lua_tointegerx(stack.pointer, index, nil))
    {
      return value
    }
    return try readOther(from: stack, at: index)
  }

  /// Reads a value that isn't an integer of this type as it stands.
  @usableFromInline
  static func readOther(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .number else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let value = LuaNumber.read(from: stack, at: index)
    guard let exact = Self(exactly: value) else {
      let range = "from \(Int64(clamping: min)) to \(Int64(clamping: max))"
      let expected = value.isIntegral ? "\(luaTypeName) \(range)" : luaTypeName
      throw LuaTypeMismatch(expected: expected, got: value.description)
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
extension UInt: LuaReadable, LuaPushable {}
extension UInt8: LuaReadable, LuaPushable {}
extension UInt16: LuaReadable, LuaPushable {}
extension UInt32: LuaReadable, LuaPushable {}
extension UInt64: LuaReadable, LuaPushable {}

extension Double: LuaReadable, LuaPushable {
  /// Reads a float, or an integer that a float can hold exactly.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Double {
    guard stack.type(at: index) == .number else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let value = LuaNumber.read(from: stack, at: index)
    guard let exact = Double(exactly: value) else {
      throw LuaTypeMismatch(expected: "a number that a float holds exactly", got: value.description)
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

/// A Lua number: one of two representations.
private enum LuaNumber: CustomStringConvertible {
  case integer(Int64)
  case float(Double)

  static func read(from stack: LuaStack, at index: Int32) -> LuaNumber {
    if lua_isinteger(stack.pointer, index) != 0 {
      return .integer(lua_tointegerx(stack.pointer, index, nil))
    }
    return .float(lua_tonumberx(stack.pointer, index, nil))
  }

  var isIntegral: Bool {
    switch self {
    case .integer: true
    case .float(let value): value.rounded() == value
    }
  }

  var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .float(let value): "\(value)"
    }
  }
}

extension FixedWidthInteger {
  fileprivate init?(exactly number: LuaNumber) {
    switch number {
    case .integer(let value): self.init(exactly: value)
    case .float(let value):
      // Not beyond Lua's integers, even for a type that could: it couldn't go back.
      guard let integer = Int64(exactly: value) else { return nil }
      self.init(exactly: integer)
    }
  }
}

extension Double {
  fileprivate init?(exactly number: LuaNumber) {
    switch number {
    case .integer(let value): self.init(exactly: value)
    case .float(let value): self = value
    }
  }
}
