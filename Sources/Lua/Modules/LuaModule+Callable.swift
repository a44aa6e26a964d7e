extension LuaModule {
  /// Makes the module a function, which scripts call by the module's own name: `Point(1, 2)`.
  ///
  /// - Parameters:
  ///   - parameters: the names of the parameters.
  ///   - help: what it does, in one line.
  ///   - example: a line of Lua that uses it.
  ///   - body: what it does.
  @inlinable
  public func callable<each Argument: LuaReadable, each Value: LuaPushable>(
    _ parameters: String..., help: String, example: String,
    body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: false,
      help: help, example: example)
    let description = member.description(as: name, .metamethod)
    members.add(
      call: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description, from: 2)
        let values = try body(repeat try reader.next((each Argument).self))
        return try stack.pushResults(repeat each values)
      }, documentation: member)
  }

  /// Makes the module a function with one result, as ``callable(_:help:example:body:)`` with any number does, but faster
  /// to call.
  @inlinable
  public func callable<each Argument: LuaReadable, Value: LuaPushable>(
    _ parameters: String..., help: String, example: String,
    body: @escaping (repeat each Argument) throws -> Value
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (Value.self), waits: false,
      help: help, example: example)
    let description = member.description(as: name, .metamethod)
    members.add(
      call: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description, from: 2)
        return try body(repeat try reader.next((each Argument).self)).pushResults(to: stack)
      }, documentation: member)
  }
}
