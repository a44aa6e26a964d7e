internal import CLua
internal import CLuaTrampolines

/// A Swift function that Lua can call: the object in a trampoline's box.
@usableFromInline
final class HostFunction {
  /// Reads its arguments from the stack and returns the number of results it pushed on top, or `CLUA_WAIT`.
  private let body: (LuaStack) throws -> Int32

  @usableFromInline
  init(_ body: @escaping (LuaStack) throws -> Int32) { self.body = body }

  /// Calls the function with the arguments on the stack, from Swift.
  func call(_ stack: LuaStack) throws -> Int32 { try body(stack) }

  /// Pushes the function as a Lua closure.
  func pushFunction(to stack: LuaStack) {
    pushBox(to: stack)
    lua_pushcclosure(stack.pointer, clua_function, 1)
  }

  /// Pushes the box alone, for the tables of `clua_index` and `clua_newindex`.
  func pushBox(to stack: LuaStack) {
    let pointer = stack.pointer
    stack.pushBox(self) { pointer, object in
      Unmanaged<HostFunction>.fromOpaque(object)._withUnsafeGuaranteedRef { function in
        let stack = LuaStack(pointer)
        do {
          return try function.body(stack)
        } catch {
          return stack.raise(error)
        }
      }
    }
    if luaL_newmetatable(pointer, "host function") != 0 {
      lua_pushcclosure(pointer, clua_collect, 0)
      lua_setfield(pointer, -2, "__gc")
    }
    lua_setmetatable(pointer, -2)
  }
}
