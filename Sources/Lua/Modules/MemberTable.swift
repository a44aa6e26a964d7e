internal import CLua
internal import CLuaTrampolines

/// The members of a module or class, and the tables through which Lua finds them.
@usableFromInline
final class MemberTable {
  /// The name of the module or class, for messages.
  let owner: String

  private typealias Member = (name: String, function: HostFunction)

  private(set) var documentation: [LuaMember] = []
  private var functions: [Member] = []
  private var getters: [Member] = []
  private var setters: [Member] = []
  private var metamethods: [Member] = []
  private var sequence: LiveSequence?
  private var dynamicField: ((LuaStack, String) throws -> Bool)?

  init(owner: String) { self.owner = owner }

  @usableFromInline
  func add(function: HostFunction, documentation member: LuaMember) {
    documentation.append(member)
    functions.append((member.name, function))
  }

  @usableFromInline
  func add(getter: HostFunction, setter: HostFunction?, documentation member: LuaMember) {
    documentation.append(member)
    getters.append((member.name, getter))
    if let setter { setters.append((member.name, setter)) }
  }

  func add(metamethod name: String, _ function: HostFunction) {
    metamethods.append((name, function))
  }

  /// Adds fields whose names aren't known beforehand.
  ///
  /// - Parameter read: pushes the value of the field of the object at index 1, or pushes nothing and returns false.
  func addDynamicFields(_ read: @escaping (LuaStack, String) throws -> Bool) { dynamicField = read }

  /// Makes the object a sequence: `#`, `[i]`, `ipairs` and `pairs`.
  func add(sequence: LiveSequence) {
    self.sequence = sequence
    add(
      metamethod: "__len",
      HostFunction { stack in
        stack.push(Int64(try sequence.count(stack)))
        return 1
      })
    let next = HostFunction { stack in
      let position = try Int.read(from: stack, at: 2)
      guard position >= 0, position < (try sequence.count(stack)) else { return 0 }
      stack.push(Int64(position) + 1)
      try sequence.pushElement(stack, position)
      return 2
    }
    add(
      metamethod: "__pairs",
      HostFunction { stack in
        next.pushFunction(to: stack)
        lua_pushvalue(stack.pointer, 1)
        stack.push(Int64(0))
        return 3
      })
  }

  /// Pushes the metatable of a class's objects.
  func pushClassMetatable(to stack: LuaStack) {
    pushTable(to: stack) {
      for (name, function) in metamethods { setFunction(function, name, in: $0) }
      if getters.isEmpty && sequence == nil && dynamicField == nil {
        pushFunctions(to: $0)
      } else {
        pushReader(of: functions, getters, to: $0)
      }
      lua_setfield($0.pointer, -2, "__index")
      setNewIndex(in: $0)
      lua_pushcclosure($0.pointer, clua_collect, 0)
      lua_setfield($0.pointer, -2, "__gc")
    }
  }

  /// Pushes the metatable of a module's table.
  func pushModuleMetatable(to stack: LuaStack) {
    pushTable(to: stack) {
      for (name, function) in metamethods { setFunction(function, name, in: $0) }
      if sequence == nil { setFunction(allMembers, "__pairs", in: $0) }
      pushFunctions(to: $0)
      lua_setfield($0.pointer, -2, "__index")
      setNewIndex(in: $0)
    }
  }

  /// Pushes an `__index` for what doesn't need the object: the interpreter itself finds functions in a plain table, and
  /// only properties and misses get further, with that table in place of the object.
  private func pushFunctions(to stack: LuaStack) {
    pushTable(to: stack) {
      for (name, function) in functions { setFunction(function, name, in: $0) }
      lua_createtable($0.pointer, 0, 1)
      pushReader(of: [], getters, to: $0)
      lua_setfield($0.pointer, -2, "__index")
      lua_setmetatable($0.pointer, -2)
    }
  }

  /// Pushes an `__index` that is given the object.
  private func pushReader(of functions: [Member], _ getters: [Member], to stack: LuaStack) {
    pushTable(to: stack) {
      for (name, function) in functions { setFunction(function, name, in: $0) }
      for (name, getter) in getters { setBox(getter, name, in: $0) }
    }
    readFallback.pushBox(to: stack)
    lua_pushcclosure(stack.pointer, clua_index, 2)
  }

  /// `pairs(module)`: every member's name with its value now.
  private var allMembers: HostFunction {
    HostFunction { [functions, getters] stack in
      // Not the global `next`: a script may have replaced it, and reading it may run a metamethod.
      lua_pushcclosure(stack.pointer, clua_next, 0)
      lua_createtable(stack.pointer, 0, Int32(clamping: functions.count + getters.count))
      let values = stack.count
      if luaL_getmetafield(stack.pointer, 1, "__index") == LUA_TTABLE {
        for (name, _) in functions {
          stack.push(name)
          lua_pushvalue(stack.pointer, -1)
          lua_rawget(stack.pointer, values + 1)
          lua_rawset(stack.pointer, values)
        }
      }
      lua_settop(stack.pointer, values)
      for (name, getter) in getters {
        _ = try getter.call(stack)
        lua_setfield(stack.pointer, values, name)
      }
      return 2
    }
  }

  /// What `__index` calls for a key that isn't a member.
  private var readFallback: HostFunction {
    HostFunction { [self] stack in
      if let sequence, stack.type(at: 2) == .number {
        guard let position = try? Int.read(from: stack, at: 2), position >= 1,
          position <= (try sequence.count(stack))
        else { return 0 }
        try sequence.pushElement(stack, position - 1)
        return 1
      }
      let key = try keyName(stack)
      if let dynamicField, try dynamicField(stack, key) { return 1 }
      throw LuaError(.unknownField, "\(owner) has no field '\(key)'\(advice(for: key))")
    }
  }

  /// What `__newindex` calls for a key that can't be assigned.
  private var writeFallback: HostFunction {
    HostFunction { [self] stack in
      if sequence != nil, stack.type(at: 2) == .number {
        throw LuaError(.readOnlyField, "the elements of \(owner) can't be assigned")
      }
      let key = try keyName(stack)
      if let member = documentation.first(where: { $0.name == key }) {
        let kind = if case .function = member.kind { "a function" } else { "read-only" }
        throw LuaError(.readOnlyField, "\(owner).\(key) is \(kind) and can't be assigned")
      }
      throw LuaError(.unknownField, "\(owner) has no field '\(key)'\(advice(for: key))")
    }
  }

  private func keyName(_ stack: LuaStack) throws(LuaError) -> String {
    guard let bytes = stack.bytes(at: 2) else {
      throw LuaError(
        .unknownField, "\(owner) has no field with a \(stack.typeName(at: 2)) for a name")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func advice(for key: String) -> String {
    let names = documentation.map(\.name).sorted()
    guard !names.isEmpty else { return sequence == nil ? "" : ": it has elements, 1 to #\(owner)" }
    let nearest = key.nearest(of: names).map { "; did you mean '\($0)'?" } ?? "."
    return "\(nearest) It has: \(names.joined(separator: ", "))"
  }

  private func setNewIndex(in stack: LuaStack) {
    pushTable(to: stack) {
      for (name, setter) in setters { setBox(setter, name, in: $0) }
    }
    writeFallback.pushBox(to: stack)
    lua_pushcclosure(stack.pointer, clua_newindex, 2)
    lua_setfield(stack.pointer, -2, "__newindex")
    stack.push(false)
    lua_setfield(stack.pointer, -2, "__metatable")
    stack.push(owner)
    lua_setfield(stack.pointer, -2, "__name")
  }

  private func pushTable(to stack: LuaStack, filledBy fill: (LuaStack) -> Void) {
    lua_createtable(stack.pointer, 0, 8)
    fill(stack)
  }

  private func setFunction(_ function: HostFunction, _ name: String, in stack: LuaStack) {
    function.pushFunction(to: stack)
    lua_setfield(stack.pointer, -2, name)
  }

  private func setBox(_ function: HostFunction, _ name: String, in stack: LuaStack) {
    function.pushBox(to: stack)
    lua_setfield(stack.pointer, -2, name)
  }
}
