internal import CLua
internal import CLuaTrampolines

/// What tells the objects of one exposed class from all other values of a state: their metatable.
///
/// Scripts can't get at the metatable to set it on other userdata.
@usableFromInline
final class ClassIdentity {
  /// The metatable's address; `nil` until the state has its first object of the class.
  private var metatable: UnsafeRawPointer?

  /// Takes the metatable on top of the stack, and leaves it there.
  func adoptMetatable(on stack: LuaStack) { metatable = lua_topointer(stack.pointer, -1) }

  /// The object at an index; `nil` if it isn't one of the class, or was released.
  @usableFromInline
  func pointer(at index: Int32, of stack: LuaStack) -> UnsafeMutableRawPointer? {
    metatable.flatMap { clua_object(stack.pointer, index, $0) }
  }

  /// The object at an index.
  @inlinable
  func object<Object: LuaExposed>(
    of type: Object.Type, at index: Int32, of stack: LuaStack
  ) throws(LuaTypeMismatch) -> Object {
    guard let pointer = pointer(at: index, of: stack) else {
      throw LuaTypeMismatch(expected: Object.luaTypeName, at: index, of: stack)
    }
    return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
  }
}
