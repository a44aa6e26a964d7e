internal import CLua
internal import CLuaTrampolines

/// The metatables of exposed classes, and the userdata of their objects.
final class ClassRegistry {
  private struct Entry {
    let metatable: LuaReference
    let collected: ((AnyObject) -> Void)?
    let text: ((AnyObject) throws -> String?)?
  }

  /// By the objects' own classes.
  private var entries: [ObjectIdentifier: Entry] = [:]

  /// A table with weak values from an object's address to its userdata.
  private var userdata: LuaReference?

  func push<Object: LuaExposed>(_ object: Object, to stack: LuaStack) throws(LuaError) {
    try stack.reserve(12)
    let address = Unmanaged.passUnretained(object).toOpaque()
    try pushUserdataTable(to: stack)
    // The userdata of one that was released may still be there, and another object at its address.
    if lua_rawgetp(stack.pointer, -1, address) == LUA_TUSERDATA,
      clua_object(stack.pointer, -1) == address
    {
      lua_rotate(stack.pointer, -2, 1)
      stack.pop(1)
      return
    }
    stack.pop(1)
    let entry = entry(for: type(of: object), stack)
    if entry.collected == nil {
      stack.pushBox(object, call: nil)
    } else {
      stack.pushBox(object, call: nil) { pointer, address in
        let object = Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue()
        LuaStack(pointer).core.classes.giveUp(object)
      }
    }
    try stack.push(entry.metatable)
    lua_setmetatable(stack.pointer, -2)
    lua_pushvalue(stack.pointer, -1)
    lua_rawsetp(stack.pointer, -3, address)
    lua_rotate(stack.pointer, -2, 1)
    stack.pop(1)
  }

  /// The text of an object that Lua holds; `nil` if its class has none.
  func text(of object: AnyObject) throws -> String? {
    try entries[ObjectIdentifier(type(of: object))]?.text?(object)
  }

  private func giveUp(_ object: AnyObject) {
    entries[ObjectIdentifier(type(of: object))]?.collected?(object)
  }

  private func entry<Object: LuaExposed>(for type: Object.Type, _ stack: LuaStack) -> Entry {
    if let entry = entries[ObjectIdentifier(type)] { return entry }
    let members = LuaClass<Object.LuaBase>(of: type)
    type.describe(members)
    // The objects of all scopes share it.
    stack.inScope(Int32(CLUA_NO_SCOPE)) { members.members.pushClassMetatable(to: stack) }
    let entry = Entry(
      metatable: stack.makeReference(), collected: members.members.collected,
      text: members.members.text)
    entries[ObjectIdentifier(type)] = entry
    return entry
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
