internal import CLua

/// A Lua function, held from Swift.
public final class LuaFunction: LuaReference, LuaReadable {
  /// "function".
  public override class var luaTypeName: String { "function" }

  /// Reads a function.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch)
    -> LuaFunction
  {
    guard stack.type(at: index) == .function else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    return LuaFunction(at: index, of: stack)
  }

  /// Calls the function and returns all its results.
  ///
  /// Functions that wait can't be called in it: they raise `cannot_wait`. A ``LuaVariadic`` passes all its values.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  @discardableResult
  public func call(_ arguments: any LuaPushable...) throws(LuaError) -> [LuaValue] {
    try call(with: arguments)
  }

  /// Calls the function with an array of arguments, like ``call(_:)``.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  @discardableResult
  public func call(with arguments: [any LuaPushable]) throws(LuaError) -> [LuaValue] {
    try withStack { stack throws(LuaError) in
      let bottom = stack.count
      try call(with: arguments, resultCount: LUA_MULTRET, on: stack)
      return stack.values(above: bottom)
    }
  }

  /// Calls the function and returns its first result as a type of Swift.
  ///
  /// ```swift
  /// let answer = try multiply.call(6, 7, as: Int.self)
  /// ```
  ///
  /// - Throws: ``LuaError`` for what the function raised, and `wrong_type` if the result isn't of the type.
  public func call<Value: LuaReadable>(_ arguments: any LuaPushable..., as type: Value.Type)
    throws(LuaError) -> Value
  {
    try withStack { stack throws(LuaError) in
      try call(with: arguments, resultCount: 1, on: stack)
      do {
        return try Value.read(from: stack, at: stack.count)
      } catch {
        throw LuaError(.wrongType, "result: \(error)")
      }
    }
  }

  /// Calls the function with a few arguments, and drops its results; for what is called often.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  public func callDroppingResults<each Argument: LuaPushable>(
    _ arguments: repeat each Argument
  ) throws(LuaError) {
    try withStack { stack throws(LuaError) in
      try stack.reserve(10)
      try push(to: stack)
      var count: Int32 = 0
      for argument in repeat each arguments {
        count += try argument.pushResults(to: stack)
        try stack.reserve(10)
      }
      try stack.call(argumentCount: count, resultCount: 0)
    }
  }

  /// Calls the function with two arguments, as ``callDroppingResults(_:)`` does with any number, but faster.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  public func callDroppingResults(
    _ first: some LuaPushable, _ second: some LuaPushable
  ) throws(LuaError) {
    try withStack { stack throws(LuaError) in
      try stack.reserve(10)
      try push(to: stack)
      var count = try first.pushResults(to: stack)
      try stack.reserve(10)
      count += try second.pushResults(to: stack)
      try stack.call(argumentCount: count, resultCount: 0)
    }
  }

  /// The function's code in binary form, without the values of its upvalues.
  ///
  /// - Parameter isStripped: Whether the lines and names that messages use are left out.
  /// - Returns: The bytes.
  /// - Throws: `wrong_type` for a function that isn't written in Lua.
  package func bytecode(isStripped: Bool = false) throws(LuaError) -> [UInt8] {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      var bytes: [UInt8] = []
      let status = withUnsafeMutablePointer(to: &bytes) { bytes in
        lua_dump(
          stack.pointer,
          { _, piece, count, bytes in
            let piece = UnsafeRawBufferPointer(start: piece, count: count)
            bytes?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: piece)
            return 0
          }, bytes, isStripped ? 1 : 0)
      }
      guard status == 0 else {
        throw LuaError(.wrongType, "only a function written in Lua has bytecode")
      }
      return bytes
    }
  }

  private func call(with arguments: [any LuaPushable], resultCount: Int32, on stack: LuaStack)
    throws(LuaError)
  {
    try stack.reserve(Int32(clamping: arguments.count + 2))
    try push(to: stack)
    var count: Int32 = 0
    for argument in arguments {
      let pushed = try argument.pushResults(to: stack)
      count += pushed
      // A variadic argument has used up the room of the others.
      if pushed > 1 { try stack.reserve(Int32(clamping: arguments.count + 2)) }
    }
    try stack.call(argumentCount: count, resultCount: resultCount)
  }
}
