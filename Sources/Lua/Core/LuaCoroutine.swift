internal import CLua

/// A Lua coroutine, held from Swift.
public final class LuaCoroutine: LuaReference, LuaReadable {
  /// "thread", as Lua's `type` names coroutines.
  public override class var luaTypeName: String { "thread" }

  /// Reads a coroutine.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch)
    -> LuaCoroutine
  {
    guard stack.type(at: index) == .thread else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return LuaCoroutine(at: index, of: stack)
  }
}
