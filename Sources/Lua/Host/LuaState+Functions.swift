extension LuaState {
  /// Makes a Lua function of a closure, without a module.
  ///
  /// ```swift
  /// let double = state.function("double") { (n: Int) in 2.0 * Double(n) }
  /// try table.set("double", to: double)
  /// ```
  ///
  /// Lua holds the closure as long as it holds the function.
  @inlinable
  public func function<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) throws(LuaError) -> LuaFunction {
    let description = FunctionDescription(name: name, parameters: [], kind: .function)
    return try makeFunction(HostFunction(description, body))
  }

  /// Makes a Lua function that waits: it suspends the calling coroutine, and other tasks continue.
  ///
  /// - Warning: Write the async closure without a capture list (see ``LuaModule/asyncFunction(_:_:help:example:body:)``).
  @inlinable
  public func asyncFunction<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String,
    body: @escaping (repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) throws(LuaError) -> LuaFunction {
    let description = FunctionDescription(name: name, parameters: [], kind: .function)
    return try makeFunction(HostFunction(waiting: description, body))
  }

  /// Makes a Lua function whose parameters are known only at run time.
  ///
  /// - Parameters:
  ///   - name: Its name in messages, such as "cart.add".
  ///   - documentation: Its documentation.
  ///   - body: Takes the arguments, and returns the number of results that it pushed.
  /// - Returns: The function.
  /// - Throws: `out_of_memory`.
  package func function(
    _ name: String, _ documentation: LuaMember, body: @escaping (LuaArguments) throws -> Int32
  ) throws(LuaError) -> LuaFunction {
    try makeFunction(HostFunction(documentation.description(as: name), body: body))
  }

  @usableFromInline
  func makeFunction(_ function: HostFunction) throws(LuaError) -> LuaFunction {
    try core.withStack { stack in
      function.pushFunction(to: stack)
      return LuaFunction(popping: stack)
    }
  }
}
