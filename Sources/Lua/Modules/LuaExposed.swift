internal import CLua
internal import CLuaTrampolines

/// A Swift class whose objects Lua can hold and use.
///
/// The same object is the same userdata for as long as Lua holds it, and Lua's holding it keeps it alive.
public protocol LuaExposed: AnyObject, LuaReadable, LuaPushable {
  /// Adds the members that scripts see. Called once for each state.
  static func describe(_ members: LuaClass<Self>)
}

extension LuaExposed {
  /// Reads an object of the class.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard let object = stack.core.classes.object(of: Self.self, at: index, of: stack) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return object
  }

  /// Pushes the object's userdata.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.core.classes.push(self, to: stack)
  }
}
