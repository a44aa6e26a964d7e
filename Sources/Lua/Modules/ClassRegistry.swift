internal import CLua
internal import CLuaTrampolines

/// The metatables of exposed classes, and the userdata of their objects.
final class ClassRegistry {
  private struct Entry {
    let metatable: LuaReference
    let identity: ClassIdentity
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  /// A table with weak values from an object's address to its userdata.
  private var userdata: LuaReference?

  /// The object at an index; `nil` if it isn't one of the class, or was released.
  func object<Object: LuaExposed>(of type: Object.Type, at index: Int32, of stack: LuaStack)
    -> Object?
  {
    guard let entry = entries[ObjectIdentifier(type)],
      let object = entry.identity.pointer(at: index, of: stack)
    else { return nil }
    return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
  }

  func push<Object: LuaExposed>(_ object: Object, to stack: LuaStack) throws(LuaError) {
    try stack.reserve(12)
    let address = Unmanaged.passUnretained(object).toOpaque()
    try pushUserdataTable(to: stack)
    if lua_rawgetp(stack.pointer, -1, address) == LUA_TUSERDATA {
      lua_rotate(stack.pointer, -2, 1)
      stack.pop(1)
      return
    }
    stack.pop(1)
    stack.pushBox(object, call: nil)
    try pushMetatable(of: Object.self, to: stack)
    lua_setmetatable(stack.pointer, -2)
    lua_pushvalue(stack.pointer, -1)
    lua_rawsetp(stack.pointer, -3, address)
    lua_rotate(stack.pointer, -2, 1)
    stack.pop(1)
  }

  private func pushMetatable<Object: LuaExposed>(of type: Object.Type, to stack: LuaStack)
    throws(LuaError)
  {
    if let entry = entries[ObjectIdentifier(type)] { return try stack.push(entry.metatable) }
    let members = LuaClass<Object>()
    Object.describe(members)
    members.members.pushClassMetatable(to: stack)
    members.identity.adoptMetatable(on: stack)
    lua_pushvalue(stack.pointer, -1)
    entries[ObjectIdentifier(type)] = Entry(
      metatable: stack.makeReference(), identity: members.identity)
  }

  private func pushUserdataTable(to stack: LuaStack) throws(LuaError) {
    if let userdata { return try stack.push(userdata) }
    lua_createtable(stack.pointer, 0, 0)
    lua_createtable(stack.pointer, 0, 1)
    stack.push("v")
    lua_setfield(stack.pointer, -2, "__mode")
    lua_setmetatable(stack.pointer, -2)
    lua_pushvalue(stack.pointer, -1)
    userdata = stack.makeReference()
  }
}
