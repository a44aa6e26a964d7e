internal import CLua

extension Optional: LuaReadable where Wrapped: LuaReadable {
  /// Reads nil or no value as `nil`; anything else must be of the type.
  @inlinable
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    stack.isNoneOrNil(at: index) ? nil : try Wrapped.read(from: stack, at: index)
  }

  /// The wrapped type with a question mark.
  public static var luaTypeName: String { Wrapped.luaTypeName + "?" }
}

extension Optional: LuaPushable where Wrapped: LuaPushable {
  /// Pushes the value, or nil.
  @inlinable
  public func push(to stack: LuaStack) throws(LuaError) {
    switch self {
    case .none: stack.pushNil()
    case .some(let value): try value.push(to: stack)
    }
  }

  /// The wrapped type with a question mark.
  public static var luaTypeName: String { Wrapped.luaTypeName + "?" }
}

extension Array: LuaReadable where Element: LuaReadable {
  /// Reads a table's sequence, 1 to its length.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .table, lua_checkstack(stack.pointer, 2) != 0,
      !stack.isModule(at: index)
    else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let table = lua_absindex(stack.pointer, index)
    let count = lua_rawlen(stack.pointer, table)
    var elements: [Element] = []
    for position in 0..<count {
      lua_rawgeti(stack.pointer, table, lua_Integer(position) + 1)
      defer { stack.pop(1) }
      do {
        elements.append(try Element.read(from: stack, at: stack.count))
      } catch {
        throw LuaTypeMismatch(
          expected: luaTypeName, got: "\(error.got) at position \(position + 1)")
      }
    }
    return elements
  }

  /// The element's type with brackets.
  public static var luaTypeName: String { Element.luaTypeName + "[]" }
}

extension Array: LuaPushable where Element: LuaPushable {
  /// Pushes a new table with the elements as its sequence.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.reserve(4)
    let bottom = stack.count
    lua_createtable(stack.pointer, Int32(clamping: count), 0)
    do throws(LuaError) {
      for (position, element) in enumerated() {
        try element.push(to: stack)
        lua_rawseti(stack.pointer, bottom + 1, lua_Integer(position) + 1)
      }
    } catch {
      lua_settop(stack.pointer, bottom)
      throw error
    }
  }

  /// The element's type with brackets.
  public static var luaTypeName: String { Element.luaTypeName + "[]" }
}

/// A table with named fields, in order, for Lua.
public struct LuaRecord: LuaPushable, ExpressibleByDictionaryLiteral {
  private let fields: [(name: String, value: any LuaPushable)]

  /// Makes a record of its fields; a later field replaces an earlier one of the same name.
  public init(_ fields: [(name: String, value: any LuaPushable)]) { self.fields = fields }

  /// Makes a record of a literal's fields.
  public init(dictionaryLiteral elements: (String, any LuaPushable)...) {
    fields = elements.map { (name: $0.0, value: $0.1) }
  }

  /// "table".
  public static var luaTypeName: String { "table" }

  /// Pushes a new table with the fields.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.reserve(4)
    let bottom = stack.count
    lua_createtable(stack.pointer, 0, Int32(clamping: fields.count))
    do throws(LuaError) {
      for field in fields {
        stack.push(field.name)
        try field.value.push(to: stack)
        lua_rawset(stack.pointer, bottom + 1)
      }
    } catch {
      lua_settop(stack.pointer, bottom)
      throw error
    }
  }
}
