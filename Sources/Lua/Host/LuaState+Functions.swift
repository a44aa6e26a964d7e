extension LuaState {
  /// Makes a Lua function of a closure, without a module.
  ///
  /// ```swift
  /// let double = state.function("double") { (n: Int) in 2.0 * Double(n) }
  /// try table.set("double", to: double)
  /// ```
  ///
  /// Lua holds the closure as long as it holds the function.
  ///
  /// - Parameters:
  ///   - name: The function's name in messages.
  ///   - body: What it does. It may return nothing, one value, or several as a tuple.
  /// - Returns: The function.
  /// - Throws: ``LuaError`` (`state_closed`).
  @inlinable
  public func function<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) throws(LuaError) -> LuaFunction {
    let description = FunctionDescription(name: name, parameters: [], kind: .function)
    return try makeFunction(
      HostFunction { stack in
        var reader = ArgumentReader(stack)
        let values = try body(repeat try reader.next((each Argument).self, of: description))
        return try stack.pushResults(repeat each values)
      })
  }

  /// Makes a Lua function with one result, like ``function(_:body:)`` for any number, but faster to call.
  @inlinable
  public func function<each Argument: LuaReadable, Value: LuaPushable>(
    _ name: String, body: @escaping (repeat each Argument) throws -> Value
  ) throws(LuaError) -> LuaFunction {
    let description = FunctionDescription(name: name, parameters: [], kind: .function)
    return try makeFunction(
      HostFunction { stack in
        var reader = ArgumentReader(stack)
        return try body(repeat try reader.next((each Argument).self, of: description)).pushResults(
          to: stack)
      })
  }

  /// Makes a Lua function that waits: it suspends the calling coroutine, and other tasks continue.
  ///
  /// - Warning: Write the async closure without a capture list (see ``LuaModule/asyncFunction(_:_:help:example:body:)``).
  ///
  /// - Parameters:
  ///   - name: The function's name in messages.
  ///   - body: Takes the arguments and returns the operation to wait for, as in
  ///     ``LuaModule/asyncFunction(_:_:help:example:body:)``.
  /// - Returns: The function.
  /// - Throws: ``LuaError`` (`state_closed`).
  @inlinable
  public func asyncFunction<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String,
    body: @escaping (repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) throws(LuaError) -> LuaFunction {
    let description = FunctionDescription(name: name, parameters: [], kind: .function)
    return try makeFunction(
      HostFunction { stack in
        var reader = ArgumentReader(stack)
        let operation = try body(repeat try reader.next((each Argument).self, of: description))
        return try stack.wait(in: description) { wait in
          let values = try await operation()
          if let stack = wait.stackAtOnce { return try stack.pushResults(repeat each values) }
          return try await wait.stackForResults().pushResults(repeat each values)
        }
      })
  }

  @usableFromInline
  func makeFunction(_ function: HostFunction) throws(LuaError) -> LuaFunction {
    try core.withStack { stack in
      function.pushFunction(to: stack)
      return LuaFunction(popping: stack)
    }
  }
}
