/// Reads a host function's arguments in order, and says which one was wrong.
@usableFromInline
struct ArgumentReader {
  @usableFromInline let stack: LuaStack
  @usableFromInline let function: FunctionDescription
  @usableFromInline var index: Int32

  /// Reads from the first argument, or from the one at an index.
  @inlinable
  init(_ stack: LuaStack, of function: FunctionDescription, from first: Int32 = 1) {
    self.stack = stack
    self.function = function
    index = first - 1
  }

  /// Throws where a function without parameters is called with a colon, which reading arguments would tell of others.
  @usableFromInline
  func refuseModule() throws(LuaError) {
    guard stack.count > 0, stack.isModule(at: 1) else { return }
    let mismatch = LuaTypeMismatch(expected: "nothing", at: 1, of: stack)
    throw function.badArgument(at: 1, mismatch, stack)
  }

  @inlinable @inline(__always)
  mutating func next<Argument: LuaReadable>(_ type: Argument.Type) throws -> Argument {
    index += 1
    do {
      return try Argument.read(from: stack, at: index)
    } catch {
      throw function.badArgument(at: index, error, stack)
    }
  }
}
