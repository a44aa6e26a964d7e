internal import CLua
internal import CLuaTrampolines

extension LuaStack {
  /// Pushes a userdata that keeps a Swift object alive; the caller sets its metatable.
  ///
  /// `call` calls the object if it is a function; `release` releases it when Lua frees the userdata.
  func pushBox(
    _ object: AnyObject, call: clua_callback?,
    release: clua_release = { _, object in Unmanaged<AnyObject>.fromOpaque(object).release() }
  ) {
    let core = core
    guard core.isClosing else {
      clua_push_box(pointer, Unmanaged.passRetained(object).toOpaque(), call, release)
      return
    }
    // Lua doesn't finalize objects made while the state closes, so the box mustn't own its object.
    core.keepUntilClosed(object)
    clua_push_box(pointer, Unmanaged.passUnretained(object).toOpaque(), call, { _, _ in })
  }

  /// The Swift object at an index; `nil` if it isn't one of the class, or was released.
  ///
  /// Scripts with the debug library can give a userdata any metatable, so the object itself is asked for its class.
  @inlinable @inline(__always)
  func object<Object: AnyObject>(of type: Object.Type, at index: Int32) -> Object? {
    guard let address = objectAddress(at: index) else { return nil }
    let object = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    // Usually exactly that class; a cast, which also finds subclasses, takes longer.
    guard ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) else {
      return object as? Object
    }
    return unsafeDowncast(object, to: type)
  }

  /// The address of the Swift object at an index; `nil` if there is none, or it was released.
  @usableFromInline
  func objectAddress(at index: Int32) -> UnsafeMutableRawPointer? { clua_object(pointer, index) }

  @usableFromInline
  func objectMismatch(expected: String, at index: Int32) -> LuaTypeMismatch {
    guard clua_is_released(pointer, index) else {
      return LuaTypeMismatch(expected: expected, at: index, of: self)
    }
    return LuaTypeMismatch(
      expected: expected, got: "a \(typeName(at: index)) that was released already")
  }
}

/// The metatables of exposed classes, and the userdata of their objects.
final class ClassRegistry {
  struct Entry {
    let metatable: RegistryReference
    let collected: ((AnyObject) -> Void)?
    let text: ((AnyObject) throws -> String?)?
  }

  /// Keyed by the objects' own classes.
  private var entries: [ObjectIdentifier: Entry] = [:]

  /// A table with weak values from an object's address to its userdata.
  private var userdata: RegistryReference?

  /// Pushes the object's userdata; `makeEntry` is called for the first object of its class.
  func push(_ object: AnyObject, to stack: LuaStack, makeEntry: (LuaStack) -> Entry)
    throws(LuaError)
  {
    try stack.reserve(12)
    let address = Unmanaged.passUnretained(object).toOpaque()
    try pushUserdataTable(to: stack)
    // The userdata of a released object may still be there, and another object at its address.
    if lua_rawgetp(stack.pointer, -1, address) == LUA_TUSERDATA,
      clua_object(stack.pointer, -1) == address
    {
      lua_rotate(stack.pointer, -2, 1)
      stack.pop(1)
      return
    }
    stack.pop(1)
    let type = ObjectIdentifier(type(of: object))
    let entry: Entry
    if let known = entries[type] {
      entry = known
    } else {
      entry = makeEntry(stack)
      entries[type] = entry
    }
    if entry.collected == nil {
      stack.pushBox(object, call: nil)
    } else {
      stack.pushBox(object, call: nil) { pointer, address in
        let object = Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue()
        LuaStack(pointer).core.classes.collected(object)
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

  private func collected(_ object: AnyObject) {
    entries[ObjectIdentifier(type(of: object))]?.collected?(object)
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
