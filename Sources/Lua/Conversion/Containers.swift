internal import CLua

extension Optional: LuaReadable where Wrapped: LuaReadable {
  /// Reads nil or no value as `nil`; anything else must be of the type.
  @inlinable
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    stack.isNoneOrNil(at: index) ? nil : try Wrapped.read(from: stack, at: index)
  }
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
}

extension Optional: LuaTyped where Wrapped: LuaTyped {
  /// The wrapped type with a question mark.
  public static var luaTypeName: String { luaType.name }

  /// The wrapped type, or nil.
  public static var luaType: LuaValueType { .optional(Wrapped.luaType) }
}

extension Array: LuaReadable where Element: LuaReadable {
  /// Reads a table whose keys are 1 to the number of its entries, without holes and without other keys; `[UInt8]`
  /// reads a string of any bytes.
  ///
  /// - Complexity: O(n).
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    // As `Any`, because a cast between arrays is one of each element.
    if Element.self == UInt8.self, let bytes = try stack.byteArray(at: index) as Any as? Self {
      return bytes
    }
    return try readSequence(from: stack, at: index)
  }

  fileprivate static func readSequence(from stack: LuaStack, at index: Int32)
    throws(LuaTypeMismatch)
    -> Self
  {
    guard stack.type(at: index) == .table, lua_checkstack(stack.pointer, 4) != 0,
      !stack.isModule(at: index)
    else {
      throw LuaTypeMismatch(expected: sequenceTypeName, at: index, of: stack)
    }
    let table = lua_absindex(stack.pointer, index)
    let count: Int
    do {
      count = try stack.sequenceLength(of: table)
    } catch {
      throw LuaTypeMismatch(expected: sequenceTypeName, got: error.got)
    }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for position in 0..<count {
      // A metamethod that ran for the previous element may have removed this one; then it is nil.
      lua_rawgeti(stack.pointer, table, lua_Integer(position) + 1)
      defer { stack.pop(1) }
      do {
        elements.append(try Element.read(from: stack, at: stack.count))
      } catch {
        throw LuaTypeMismatch(
          expected: sequenceTypeName, got: "\(error.got) at position \(position + 1)")
      }
    }
    return elements
  }

  private static var sequenceTypeName: String { LuaValueType.list(of: Element.luaType).name }
}

extension Array: LuaPushable where Element: LuaPushable {
  /// Pushes a new table with the elements as its sequence; `[UInt8]` pushes a string of its bytes.
  public func push(to stack: LuaStack) throws(LuaError) {
    // As `Any`, because a cast between arrays is one of each element.
    if Element.self == UInt8.self, let bytes = self as Any as? [UInt8] {
      stack.push(bytes: bytes)
    } else {
      try stack.pushSequence(self)
    }
  }
}

extension Array: LuaTyped where Element: LuaTyped {
  /// The element's type with brackets; "string" for `[UInt8]`.
  public static var luaTypeName: String { luaType.name }

  /// A sequence of elements; a string for `[UInt8]`.
  public static var luaType: LuaValueType {
    Element.self == UInt8.self ? LuaString.luaType : .list(of: Element.luaType)
  }
}

extension Set: LuaReadable where Element: LuaReadable {
  /// Reads a table whose keys are 1 to the number of its entries, as an array does; equal elements become one.
  ///
  /// - Complexity: O(n).
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    Set(try [Element].readSequence(from: stack, at: index))
  }
}

extension Set: LuaPushable where Element: LuaPushable {
  /// Pushes a new table with the elements as its sequence, in no particular order.
  public func push(to stack: LuaStack) throws(LuaError) { try stack.pushSequence(self) }
}

extension Set: LuaTyped where Element: LuaTyped {
  /// The element's type with brackets.
  public static var luaTypeName: String { luaType.name }

  /// A sequence of elements.
  public static var luaType: LuaValueType { .list(of: Element.luaType) }
}

extension LuaStack {
  fileprivate func pushSequence<Element: LuaPushable>(_ elements: some Collection<Element>)
    throws(LuaError)
  {
    try pushTable(elementCount: elements.count) { table throws(LuaError) in
      for element in elements { try table.append(element) }
    }
  }
}

/// A type whose values can be the keys of a table that is a dictionary: strings and integers.
///
/// A key that is read and pushed again is the same key.
public protocol LuaKey: Hashable, LuaReadable, LuaPushable {}

extension String: LuaKey {}
extension Int: LuaKey {}
extension Int8: LuaKey {}
extension Int16: LuaKey {}
extension Int32: LuaKey {}
extension Int64: LuaKey {}
extension UInt: LuaKey {}
extension UInt8: LuaKey {}
extension UInt16: LuaKey {}
extension UInt32: LuaKey {}
extension UInt64: LuaKey {}

extension Dictionary: LuaReadable where Key: LuaKey, Value: LuaReadable {
  /// Reads a table all of whose keys are of the key's type.
  ///
  /// - Complexity: O(n).
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .table, lua_checkstack(stack.pointer, 4) != 0,
      !stack.isModule(at: index)
    else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let table = lua_absindex(stack.pointer, index)
    // All keys first: reading a value may run a metamethod that changes the table.
    let keys = try keys(of: table, stack)
    var entries = Self(minimumCapacity: keys.count)
    for key in keys {
      do throws(LuaError) {
        try key.push(to: stack)
      } catch {
        throw LuaTypeMismatch(expected: luaTypeName, got: "a key that can't be looked up")
      }
      lua_pushvalue(stack.pointer, -1)
      lua_rawget(stack.pointer, table)
      defer { stack.pop(2) }
      do {
        entries[key] = try Value.read(from: stack, at: stack.count)
      } catch {
        throw LuaTypeMismatch(
          expected: luaTypeName, got: "\(error.got) for the key \(stack.keyText(at: -2))")
      }
    }
    return entries
  }

  private static func keys(of table: Int32, _ stack: LuaStack) throws(LuaTypeMismatch) -> [Key] {
    var keys: [Key] = []
    stack.pushNil()
    while lua_next(stack.pointer, table) != 0 {
      stack.pop(1)
      guard let key = stack.value(at: -1, as: Key.self) else {
        let text = stack.keyText(at: -1)
        stack.pop(1)
        throw LuaTypeMismatch(expected: luaTypeName, got: "a table with the key \(text)")
      }
      keys.append(key)
    }
    return keys
  }
}

extension Dictionary: LuaPushable where Key: LuaKey, Value: LuaPushable {
  /// Pushes a new table with the entries.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.pushTable(fieldCount: count) { table throws(LuaError) in
      for (key, value) in self { try table.set(key: key, to: value) }
    }
  }
}

extension Dictionary: LuaTyped where Key: LuaKey, Value: LuaTyped {
  /// "table<string, integer>", for strings and integers.
  public static var luaTypeName: String { luaType.name }

  /// A table of values by their keys.
  public static var luaType: LuaValueType { .map(from: Key.luaType, to: Value.luaType) }
}

enum SequenceFault: Error {
  /// A key that isn't a position, as messages show it.
  case otherKey(String)
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
