internal import CLua
internal import CLuaTrampolines

/// A Lua coroutine, held from Swift.
///
/// ```swift
/// let generator = try state.load("for i = 1, 3 do coroutine.yield(i) end")
/// let coroutine = try state.makeCoroutine(generator)
/// while let value = try coroutine.resume(as: Int?.self) { print(value) }
/// ```
///
/// The code in it can yield, but not wait: a function that waits raises `cannot_wait` there. For code that waits, use
/// ``LuaState/run(_:_:)``.
public final class LuaCoroutine: LuaReference, LuaReadable {
  /// The states of a coroutine.
  public enum Status: String, Sendable {
    /// It hasn't started, or has yielded.
    case suspended
    /// It called the running function.
    case running
    /// It resumed another coroutine, or waits in a task.
    case normal
    /// It has ended, failed or been closed.
    case dead
  }

  /// "thread", as Lua's `type` names coroutines.
  public override class var luaTypeName: String { "thread" }

  /// Reads a coroutine.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch)
    -> LuaCoroutine
  {
    try LuaCoroutine(reading: .thread, at: index, of: stack)
  }

  /// Starts or continues the coroutine, until it yields or ends.
  ///
  /// - Parameter arguments: The arguments of its function at the start, and the results of `coroutine.yield` later.
  /// - Returns: What it yielded or, when it has ended, returned.
  /// - Throws: ``LuaError`` for what it raised, and `runtime_error` if it isn't suspended.
  @discardableResult
  public func resume(_ arguments: any LuaPushable...) throws(LuaError) -> [LuaValue] {
    try resume(with: arguments)
  }

  /// Starts or continues the coroutine, like ``resume(_:)``, and returns the first value as a type of Swift.
  ///
  /// - Throws: As ``resume(_:)`` does, and `wrong_type` if the value isn't of the type.
  public func resume<Value: LuaReadable>(_ arguments: any LuaPushable..., as type: Value.Type)
    throws(LuaError) -> Value
  {
    try resume(with: arguments).value(as: type)
  }

  /// Starts or continues the coroutine, like ``resume(_:)``, and returns the first values as types of Swift.
  ///
  /// ```swift
  /// let (name, count) = try coroutine.resume(as: (String, Int).self)
  /// ```
  ///
  /// - Throws: As ``resume(_:)`` does, and `wrong_type` if a value isn't of its type.
  public func resume<each Value: LuaReadable>(
    _ arguments: any LuaPushable..., as types: (repeat each Value).Type
  ) throws(LuaError) -> (repeat each Value) {
    try resume(with: arguments).values(as: types)
  }

  /// The coroutine's state.
  public var status: Status {
    get throws(LuaError) {
      try withStack { stack throws(LuaError) in
        try push(to: stack)
        let name = String(cString: clua_coroutine_status(stack.pointer, -1))
        return Status(rawValue: name) ?? .dead
      }
    }
  }

  /// Ends the coroutine where it is suspended: its to-be-closed variables are closed.
  ///
  /// One that has failed needs this too; without to-be-closed variables no coroutine does.
  ///
  /// - Throws: ``LuaError`` for what a `__close` handler raised, and `runtime_error` if the coroutine runs.
  public func close() throws(LuaError) {
    try withStack { stack throws(LuaError) in
      lua_pushcclosure(stack.pointer, clua_protected_close, 0)
      try push(to: stack)
      try stack.call(argumentCount: 1, resultCount: 0)
    }
  }

  private func resume(with arguments: [any LuaPushable]) throws(LuaError) -> [LuaValue] {
    try withStack { stack throws(LuaError) in
      let bottom = stack.count
      lua_pushcclosure(stack.pointer, clua_protected_resume, 0)
      try push(to: stack)
      for argument in arguments {
        try stack.reserve(LUA_MINSTACK)
        _ = try argument.pushResults(to: stack)
      }
      try stack.call(argumentCount: stack.count - bottom - 1, resultCount: LUA_MULTRET)
      return stack.values(above: bottom)
    }
  }
}
