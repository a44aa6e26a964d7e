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
  /// Reads a table whose keys are 1 to the number of its entries: without holes, and without other keys.
  ///
  /// - Complexity: O(n).
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .table, lua_checkstack(stack.pointer, 4) != 0,
      !stack.isModule(at: index)
    else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let table = lua_absindex(stack.pointer, index)
    let count: Int
    do {
      count = try stack.sequenceLength(of: table)
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: error.got)
    }
    var elements: [Element] = []
    for position in 0..<count {
      // A metamethod that ran for the previous element may have removed this one; then it is nil.
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
        try stack.checkStop()
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

extension Dictionary: LuaReadable where Key == String, Value: LuaReadable {
  /// Reads a table all of whose keys are strings of valid UTF-8.
  ///
  /// - Complexity: O(n).
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .table, lua_checkstack(stack.pointer, 4) != 0,
      !stack.isModule(at: index)
    else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let table = lua_absindex(stack.pointer, index)
    var entries: Self = [:]
    // All keys first: reading a value may run a metamethod that changes the table.
    for key in try names(of: table, stack) {
      stack.push(key)
      lua_rawget(stack.pointer, table)
      defer { stack.pop(1) }
      do {
        entries[key] = try Value.read(from: stack, at: stack.count)
      } catch {
        throw LuaTypeMismatch(
          expected: luaTypeName, got: "\(error.got) for the key '\(key.shortened)'")
      }
    }
    return entries
  }

  private static func names(of table: Int32, _ stack: LuaStack) throws(LuaTypeMismatch) -> [String]
  {
    var names: [String] = []
    stack.pushNil()
    while lua_next(stack.pointer, table) != 0 {
      stack.pop(1)
      guard let name = stack.value(at: -1, as: String.self) else {
        let key = stack.keyText(at: -1)
        stack.pop(1)
        throw LuaTypeMismatch(expected: luaTypeName, got: "a table with the key \(key)")
      }
      names.append(name)
    }
    return names
  }

  /// "table<string, integer>", for integers.
  public static var luaTypeName: String { "table<string, \(Value.luaTypeName)>" }
}

extension Dictionary: LuaPushable where Key == String, Value: LuaPushable {
  /// Pushes a new table with the entries.
  public func push(to stack: LuaStack) throws(LuaError) {
    try LuaRecord(map { (name: $0.key, value: $0.value) }).push(to: stack)
  }

  /// "table<string, integer>", for integers.
  public static var luaTypeName: String { "table<string, \(Value.luaTypeName)>" }
}

/// Any number of values: as the last parameter, all further arguments; as a result, all of a function's results; as
/// an argument of ``LuaFunction/call(_:)``, that many arguments.
public struct LuaVariadic: LuaReadable, LuaPushable {
  /// The values, in order.
  public let values: [LuaValue]

  /// Makes a list of values.
  public init(_ values: [LuaValue]) { self.values = values }

  /// "any...".
  public static var luaTypeName: String { "any..." }

  /// Reads the value at the index and all that follow.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    LuaVariadic(stack.values(above: index - 1))
  }

  /// Pushes the first value only, where just one has a place.
  public func push(to stack: LuaStack) throws(LuaError) {
    try (values.first ?? .nil).push(to: stack)
  }

  /// Pushes all values.
  public func pushResults(to stack: LuaStack) throws(LuaError) -> Int32 {
    // The results of a function that follow it need room too.
    try stack.reserve(Int32(clamping: values.count + Int(LUA_MINSTACK)))
    for value in values { try value.push(to: stack) }
    return Int32(values.count)
  }
}

/// What keeps a table from being a sequence.
enum SequenceFault: Error {
  /// A key that isn't a position, as messages show it.
  case otherKey(String)
  /// A position without an element.
  case hole(Int)

  var got: String {
    switch self {
    case .otherKey(let key): "a table with the key \(key)"
    case .hole(let position): "nil at position \(position)"
    }
  }
}

extension LuaStack {
  /// The number of entries of a table, whose keys are 1 to that number.
  ///
  /// That isn't Lua's own length, which in a table with holes can be any border, however far.
  func sequenceLength(of table: Int32) throws(SequenceFault) -> Int {
    var count = 0
    var highest = 0
    pushNil()
    while lua_next(pointer, table) != 0 {
      pop(1)
      let position = Int(lua_tointegerx(pointer, -1, nil))
      guard lua_isinteger(pointer, -1) != 0, position > 0 else {
        defer { pop(1) }
        throw .otherKey(keyText(at: -1))
      }
      count += 1
      highest = max(highest, position)
    }
    // The keys differ, so if none is above their number, they are 1 to that number.
    guard highest > count else { return count }
    var position = 1
    while lua_rawgeti(pointer, table, lua_Integer(position)) != LUA_TNIL {
      pop(1)
      position += 1
    }
    pop(1)
    throw .hole(position)
  }
}

// MARK: - Types of parts

/// A type of Lua values that may be missing.
package protocol LuaOptionalType {
  /// The type of the values that are there.
  static var wrappedType: any LuaPushable.Type { get }
}

extension Optional: LuaOptionalType where Wrapped: LuaPushable {
  package static var wrappedType: any LuaPushable.Type { Wrapped.self }
}

/// A type whose values are tables with elements of one type.
package protocol LuaArrayType {
  static var elementType: any LuaPushable.Type { get }
}

extension Array: LuaArrayType where Element: LuaPushable {
  package static var elementType: any LuaPushable.Type { Element.self }
}
