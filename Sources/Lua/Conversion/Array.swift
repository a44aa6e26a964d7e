internal import CLua

extension Array: LuaReadable where Element: LuaReadable {
  /// Reads a table whose keys are 1 to the number of its entries: without holes, and without other keys.
  ///
  /// Complexity: O(n).
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .table, lua_checkstack(stack.pointer, 4) != 0,
      !stack.isModule(at: index)
    else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let table = lua_absindex(stack.pointer, index)
    let count = try sequenceLength(of: table, stack)
    var elements: [Element] = []
    for position in 0..<count {
      // A metamethod that the element before ran may have taken this one away; then it is nil.
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

  /// The number of elements: not Lua's own length, which in a table with holes can be any border, however far.
  private static func sequenceLength(of table: Int32, _ stack: LuaStack) throws(LuaTypeMismatch)
    -> Int
  {
    var count: lua_Integer = 0
    var highest: lua_Integer = 0
    stack.pushNil()
    while lua_next(stack.pointer, table) != 0 {
      stack.pop(1)
      let position = lua_tointegerx(stack.pointer, -1, nil)
      guard lua_isinteger(stack.pointer, -1) != 0, position > 0 else {
        let key = stack.keyText(at: -1)
        stack.pop(1)
        throw LuaTypeMismatch(expected: luaTypeName, got: "a table with the key \(key)")
      }
      count += 1
      highest = Swift.max(highest, position)
    }
    // The keys differ, so if none is above their number, they are 1 to that number.
    guard highest > count else { return Int(count) }
    throw LuaTypeMismatch(
      expected: luaTypeName, got: "nil at position \(firstHole(of: table, stack))")
  }

  private static func firstHole(of table: Int32, _ stack: LuaStack) -> lua_Integer {
    var position: lua_Integer = 1
    while lua_rawgeti(stack.pointer, table, position) != LUA_TNIL {
      stack.pop(1)
      position += 1
    }
    stack.pop(1)
    return position
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
