/// Reads a host function's arguments in order, and says which one was wrong.
@usableFromInline
struct ArgumentReader {
  @usableFromInline let stack: LuaStack
  @usableFromInline let function: FunctionDescription
  @usableFromInline var index: Int32

  @inlinable
  init(_ stack: LuaStack, of function: FunctionDescription) {
    self.stack = stack
    self.function = function
    index = 0
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

  /// Reads the object that a method was called on.
  @inlinable @inline(__always)
  mutating func next<Object: LuaExposed>(_ identity: ClassIdentity, of type: Object.Type)
    throws -> Object
  {
    index += 1
    do {
      return try identity.object(of: type, at: index, of: stack)
    } catch {
      throw function.badArgument(at: index, error, stack)
    }
  }
}
