/// The arguments of a call of a function whose parameters are only known at run time.
package struct LuaArguments {
  /// The stack, on which the results are pushed.
  package let stack: LuaStack

  package let count: Int

  private let function: FunctionDescription
  /// The number of values that Lua passes before the arguments.
  private let base: Int32

  fileprivate init(_ stack: LuaStack, after base: Int32, of function: FunctionDescription) {
    (self.stack, self.function, self.base) = (stack, function, base)
    count = max(0, Int(stack.count - base))
  }

  /// The stack's index of the argument at a position, counted from 1.
  package func index(of position: Int) -> Int32 { base + Int32(clamping: position) }

  /// Reads the argument at a position, counted from 1; it may lie after the last that was given.
  ///
  /// - Throws: What ``badArgument(_:_:)`` makes of a mismatch.
  package func read<Value: LuaReadable>(
    _ position: Int, as type: Value.Type = Value.self
  ) throws(LuaError) -> Value {
    do {
      return try Value.read(from: stack, at: index(of: position))
    } catch {
      throw badArgument(position, error)
    }
  }

  /// The error for an argument of the wrong type, which names the function and the parameter.
  package func badArgument(_ position: Int, _ mismatch: LuaTypeMismatch) -> LuaError {
    function.badArgument(at: index(of: position), mismatch, stack)
  }

  package func badArgument(_ position: Int, expected: String) -> LuaError {
    badArgument(
      position, LuaTypeMismatch(expected: expected, at: index(of: position), of: stack))
  }
}

extension HostFunction {
  /// Makes a function that reads its arguments after some values itself, and pushes its results.
  convenience init(
    _ description: FunctionDescription, after base: Int32 = 0,
    body: @escaping (LuaArguments) throws -> Int32
  ) {
    let takesNothing = base == 0 && description.parameters.isEmpty
    self.init { stack in
      if takesNothing { try description.refuseModule(stack) }
      return try body(LuaArguments(stack, after: base, of: description))
    }
  }

  convenience init(
    waiting description: FunctionDescription, after base: Int32 = 0,
    body: @escaping (LuaArguments) throws -> () async throws -> any LuaPushable
  ) {
    let takesNothing = base == 0 && description.parameters.isEmpty
    self.init { stack in
      if takesNothing { try description.refuseModule(stack) }
      let operation = try body(LuaArguments(stack, after: base, of: description))
      return try stack.wait(in: description) { wait in
        let value = try await operation()
        if let stack = wait.stackAtOnce { return try value.pushResults(to: stack) }
        return try await value.pushResults(to: wait.stackForResults())
      }
    }
  }
}
