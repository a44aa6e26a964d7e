internal import CLua
internal import CLuaTrampolines

/// The metatable of a module's table before the module is first used.
///
/// A program has many modules, and a script mostly uses a few of them. So the metatable of a module that wasn't
/// described has only the metamethods that any module may have. Whichever Lua calls first has the module described, gives
/// the table a metatable with the members, and then does what Lua called it for.
struct DeferredMembers {
  /// The metamethods that a module may turn out to have, and what Swift calls to see which it has.
  private enum Event: lua_Integer, CaseIterable {
    case index, newIndex, length, pairs, call, describe

    var metafield: String {
      switch self {
      case .index: "__index"
      case .newIndex: "__newindex"
      case .length: "__len"
      case .pairs: "__pairs"
      case .call: "__call"
      case .describe: "__describe"
      }
    }
  }

  private let module: LuaModule

  init(of module: LuaModule) { self.module = module }

  /// Pushes the metatable.
  ///
  /// Uses up to 4 stack slots and doesn't check for them.
  func pushMetatable(to stack: LuaStack) {
    MemberTable.pushMetatable(of: module.name, to: stack)
    stack.push(module.name)
    lua_setfield(stack.pointer, -2, LuaStack.moduleMark)
    HostFunction { stack in try replace(stack) }.pushBox(to: stack)
    for event in Event.allCases {
      // The second upvalue tells one function, which all events share, what it is called for.
      lua_pushvalue(stack.pointer, -1)
      lua_pushinteger(stack.pointer, event.rawValue)
      lua_pushcclosure(stack.pointer, clua_function, 2)
      lua_setfield(stack.pointer, -3, event.metafield)
    }
    stack.pop(1)
  }

  /// Whether the function on top is one of ours, not one that a script has put there.
  fileprivate static func isOnTop(of stack: LuaStack) -> Bool {
    guard lua_iscfunction(stack.pointer, -1) != 0, lua_getupvalue(stack.pointer, -1, 2) != nil
    else { return false }
    defer { stack.pop(1) }
    return lua_isinteger(stack.pointer, -1) != 0
  }

  /// Has the module described, and does what the running metamethod is called for.
  private func replace(_ stack: LuaStack) throws -> Int32 {
    let event = Event(rawValue: lua_tointegerx(stack.pointer, clua_registry_index - 2, nil))
    // By the debug library a script can call it with anything, and again when it is replaced.
    guard let event, lua_checkstack(stack.pointer, 12) != 0, isTable(at: 1, of: stack) else {
      throw LuaError(.badArgument, "\(module.name) expected, got \(stack.typeName(at: 1))")
    }
    _ = module.members
    module.pushMetatable(to: stack)
    // Scripts may have it already.
    if luaL_getmetafield(stack.pointer, 1, "__metatable") != LUA_TNIL {
      lua_setfield(stack.pointer, -2, "__metatable")
    }
    lua_setmetatable(stack.pointer, 1)
    return try perform(event, stack)
  }

  /// Whether the value at an index is a table of the module that has the running function in its metatable.
  ///
  /// A new metatable replaces that one, which isn't changed: a script may have given it a metatable of its own, and its
  /// metamethods would run here.
  private func isTable(at index: Int32, of stack: LuaStack) -> Bool {
    let top = stack.count
    defer { lua_settop(stack.pointer, top) }
    guard stack.type(at: index) == .table,
      luaL_getmetafield(stack.pointer, index, Event.describe.metafield) != LUA_TNIL,
      Self.isOnTop(of: stack), lua_getupvalue(stack.pointer, -1, 1) != nil
    else { return false }
    return lua_rawequal(stack.pointer, -1, clua_registry_index - 1) != 0
  }

  /// Does what the metamethod in the place of an event's does.
  private func perform(_ event: Event, _ stack: LuaStack) throws -> Int32 {
    let members = module.members
    switch event {
    case .index: return try index(stack)
    case .newIndex:
      if case .property(_, let setter?) = content(stack) { return try setter.call(stack) }
      return try members.writeFallback.call(stack)
    case .length:
      if let length = members.metamethods["__len"] { return try length.call(stack) }
      lua_pushinteger(stack.pointer, lua_Integer(lua_rawlen(stack.pointer, 1)))
      return 1
    case .pairs: return try (members.metamethods["__pairs"] ?? members.allMembers).call(stack)
    case .call:
      guard let call = members.metamethods["__call"] else { throw notCallable(stack) }
      return try call.call(stack)
    case .describe: return 0
    }
  }

  private func index(_ stack: LuaStack) throws -> Int32 {
    switch content(stack) {
    case .function:
      guard luaL_getmetafield(stack.pointer, 1, "__index") == LUA_TTABLE else { return 0 }
      lua_pushvalue(stack.pointer, 2)
      lua_rawget(stack.pointer, -2)
      return 1
    case .property(let getter, _): return try getter.call(stack)
    case nil: return try module.members.readFallback.call(stack)
    }
  }

  /// The member whose name is at index 2.
  private func content(_ stack: LuaStack) -> MemberTable.Content? {
    guard let name = stack.bytes(at: 2) else { return nil }
    return module.members.contents.first { $0.name.utf8.elementsEqual(name) }?.content
  }

  /// The error that Lua raises for a call of a table without `__call`.
  private func notCallable(_ stack: LuaStack) -> LuaError {
    var message = "attempt to call a \(module.name) value"
    var activation = lua_Debug()
    if lua_getstack(stack.pointer, 0, &activation) != 0,
      lua_getinfo(stack.pointer, "n", &activation) != 0, let name = activation.name
    {
      message += " (\(String(cString: activation.namewhat)) '\(String(cString: name))')"
    }
    luaL_where(stack.pointer, 1)
    stack.push(message)
    lua_concat(stack.pointer, 2)
    return stack.popError(status: LUA_ERRRUN)
  }
}

extension LuaStack {
  /// Has the module whose table is at an index described, so that its metatable has the members; other values stay as they are.
  ///
  /// - Throws: ``LuaError`` if memory is short.
  package func describeModule(at index: Int32) throws(LuaError) {
    try reserve(4)
    let value = lua_absindex(pointer, index)
    guard luaL_getmetafield(pointer, value, "__describe") != LUA_TNIL else { return }
    guard DeferredMembers.isOnTop(of: self) else { return pop(1) }
    lua_pushvalue(pointer, value)
    try call(argumentCount: 1, resultCount: 0)
  }
}
