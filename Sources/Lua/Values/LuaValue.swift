internal import CLua
internal import Foundation

/// Any Lua value.
public enum LuaValue: Equatable {
  /// nil.
  case `nil`
  /// true or false.
  case boolean(Bool)
  /// An integer, exactly as Lua has it.
  case integer(Int64)
  /// A float.
  case number(Double)
  /// A string of bytes.
  case string(LuaString)
  /// A table.
  case table(LuaTable)
  /// A function.
  case function(LuaFunction)
  /// An object of the host, or another value that only Lua understands (a coroutine, a file).
  case object(LuaObject)
}

extension LuaValue {
  /// The Swift object, if it is one of an exposed class.
  ///
  /// ```swift
  /// let wallet = try results[0].object(as: Wallet.self)
  /// ```
  ///
  /// - Throws: ``LuaError`` (`wrong_type`) if it is anything else.
  public func object<Object: LuaExposed>(as type: Object.Type) throws(LuaError) -> Object {
    guard case .object(let object) = self else {
      throw LuaError(.wrongType, "\(Object.luaTypeName) expected, got \(typeName)")
    }
    return try object.value(as: type)
  }

  private var typeName: String {
    switch self {
    case .nil: LuaType.nil.name
    case .boolean: LuaType.boolean.name
    case .integer, .number: LuaType.number.name
    case .string: LuaType.string.name
    case .table: LuaTable.luaTypeName
    case .function: LuaFunction.luaTypeName
    case .object: LuaObject.luaTypeName
    }
  }
}

extension LuaValue: CustomStringConvertible {
  /// The text that Lua's `tostring` gives for nil, booleans, numbers and strings; the type's name for others.
  public var description: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): value.luaText
    case .string(let value): value.description
    case .nil, .table, .function, .object: typeName
    }
  }
}

extension Double {
  /// The number with 14 digits, as Lua writes it: "0.1", "1.0", "1e+20", "inf".
  fileprivate var luaText: String {
    let text = String(format: "%.14g", self)
    let looksLikeInteger = text.utf8.allSatisfy {
      $0 == UInt8(ascii: "-") || (48...57).contains($0)
    }
    return looksLikeInteger ? text + ".0" : text
  }
}

extension LuaValue: LuaReadable, LuaPushable {
  /// "any".
  public static var luaTypeName: String { "any" }

  /// Reads any value; where there is none, nil.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    stack.value(at: index)
  }

  /// Pushes the value.
  public func push(to stack: LuaStack) throws(LuaError) {
    switch self {
    case .nil: stack.pushNil()
    case .boolean(let value): stack.push(value)
    case .integer(let value): stack.push(value)
    case .number(let value): stack.push(value)
    case .string(let value): stack.push(bytes: value.bytes)
    case .table(let value): try value.push(to: stack)
    case .function(let value): try value.push(to: stack)
    case .object(let value): try value.push(to: stack)
    }
  }
}

extension LuaStack {
  /// The value at an index, whatever it is; nil where there is none.
  func value(at index: Int32) -> LuaValue {
    switch type(at: index) {
    case nil, .nil: return .nil
    case .boolean: return .boolean(lua_toboolean(pointer, index) != 0)
    case .number:
      if lua_isinteger(pointer, index) != 0 { return .integer(lua_tointegerx(pointer, index, nil)) }
      return .number(lua_tonumberx(pointer, index, nil))
    case .string: return .string(LuaString(bytes: bytes(at: index).map(Array.init) ?? []))
    case .table: return .table(object(at: index, LuaTable.init(popping:)))
    case .function: return .function(object(at: index, LuaFunction.init(popping:)))
    case .userdata, .lightUserdata, .thread:
      return .object(object(at: index, LuaObject.init(popping:)))
    }
  }

  /// The values from the one after `bottom` to the top.
  func values(above bottom: Int32) -> [LuaValue] {
    (bottom..<count).map { value(at: $0 + 1) }
  }

  private func object<Object>(at index: Int32, _ make: (LuaStack) -> Object) -> Object {
    lua_pushvalue(pointer, index)
    return make(self)
  }
}
