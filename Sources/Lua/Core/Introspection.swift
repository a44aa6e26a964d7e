internal import CLua
internal import CLuaTrampolines

// What tools see of values without running any code of scripts: no metamethods.

extension LuaTable {
  /// The first entries of the table, as Lua's `next` returns them: no metamethods run.
  ///
  /// - Parameter limit: The maximum number of entries.
  /// - Returns: The entries, and whether they are all.
  /// - Throws: What ``LuaStack/checkStop()`` does.
  /// - Complexity: O(`limit`).
  package func entries(atMost limit: Int) throws(LuaError)
    -> (entries: [(key: LuaValue, value: LuaValue)], areAll: Bool)
  {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      let table = stack.count
      var entries: [(key: LuaValue, value: LuaValue)] = []
      stack.pushNil()
      while lua_next(stack.pointer, table) != 0 {
        try stack.checkStop()
        guard entries.count < limit else { return (entries, false) }
        entries.append((stack.value(at: table + 1), stack.value(at: table + 2)))
        stack.pop(1)
      }
      return (entries, true)
    }
  }

  /// The value of a key in the table itself: no metamethods run.
  package func rawGet(_ key: some LuaPushable) throws(LuaError) -> LuaValue {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      try key.push(to: stack)
      lua_rawget(stack.pointer, -2)
      return stack.value(at: stack.count)
    }
  }

  /// The length of the table's sequence: no metamethods run.
  package func rawLength() throws(LuaError) -> Int {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      return Int(clamping: lua_rawlen(stack.pointer, -1))
    }
  }
}

extension LuaObject {
  /// The metatable, whatever its `__metatable` says; nil if there is none.
  package final func metatable() throws(LuaError) -> LuaTable? {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      guard lua_getmetatable(stack.pointer, -1) != 0 else { return nil }
      return LuaTable(popping: stack)
    }
  }

  /// The type of the value.
  package final func type() throws(LuaError) -> LuaType {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      return stack.type(at: -1) ?? .nil
    }
  }

  /// The object's address in Lua, as `tostring` writes it: "0x55d0c8e0".
  package final var address: String {
    identity.map { "0x" + String(UInt(bitPattern: $0), radix: 16) } ?? "0x0"
  }
}

extension LuaObject: Hashable {
  /// Hashes what makes the object the same as another handle's.
  public final func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension LuaFunction {
  /// Where a function comes from.
  package enum Origin: Equatable, Sendable {
    /// A function in C: of a library of Lua, or of the host.
    case native
    /// A function in Lua.
    case lua(LuaFunctionDefinition)
  }

  /// Where the function comes from.
  package func origin() throws(LuaError) -> Origin {
    try withStack { stack throws(LuaError) in
      var info = lua_Debug()
      try push(to: stack)
      // ">" pops the function.
      guard lua_getinfo(stack.pointer, ">Su", &info) != 0, let source = info.source,
        info.what.pointee != CChar(UInt8(ascii: "C"))
      else { return .native }
      try push(to: stack)
      let parameters = (0..<Int32(info.nparams)).map { index in
        lua_getlocal(stack.pointer, nil, index + 1).map { String(cString: $0) } ?? "?"
      }
      let name = UnsafeRawBufferPointer(start: source, count: info.srclen)
      return .lua(
        LuaFunctionDefinition(
          chunkName: String(escapingInvalid: name), firstLine: Int(info.linedefined),
          lastLine: Int(info.lastlinedefined), parameters: parameters,
          isVariadic: info.isvararg != 0))
    }
  }
}

/// The definition of a function written in Lua.
package struct LuaFunctionDefinition: Equatable, Sendable {
  /// The name of its chunk as `debug.getinfo` has it: a file's begins with "@", a text's name with "=".
  package let chunkName: String
  /// 0 for the chunk itself.
  package let firstLine: Int
  package let lastLine: Int
  /// The names of the parameters.
  package let parameters: [String]
  package let isVariadic: Bool
}

extension LuaState {
  /// The text of a value as by `tostring`: `__tostring` and `__name` count.
  ///
  /// - Throws: What `__tostring` raised.
  package func text(of value: LuaValue) throws(LuaError) -> LuaString {
    let stack = try core.currentStack()
    let top = stack.count
    defer { lua_settop(stack.pointer, top) }
    try stack.reserve(8)
    lua_pushcclosure(stack.pointer, clua_protected_tostring, 0)
    try value.push(to: stack)
    try stack.call(argumentCount: 1, resultCount: 1)
    return LuaString(bytes: stack.bytes(at: -1).map(Array.init) ?? [])
  }
}
