extension LuaClass {
  /// Adds a method, which scripts call with a colon.
  ///
  /// - Parameters:
  ///   - name: the method's name.
  ///   - parameters: the names of the parameters, without the object.
  ///   - help: what it does, in one line.
  ///   - example: a line of Lua that uses it.
  ///   - body: what it does with the object and the arguments.
  @inlinable
  public func method<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String, example: String,
    body: @escaping (Object, repeat each Argument) throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: false,
      help: help, example: example)
    let description = member.description(as: "\(members.owner):\(name)", .method)
    members.add(
      function: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description)
        let object = try reader.next(Object.self)
        let values = try body(object, repeat try reader.next((each Argument).self))
        return try stack.pushResults(repeat each values)
      }, documentation: member)
  }

  /// Adds a method with one result, as ``method(_:_:help:example:body:)`` for any number does, but faster to call.
  @inlinable
  public func method<each Argument: LuaReadable, Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String, example: String,
    body: @escaping (Object, repeat each Argument) throws -> Value
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (Value.self), waits: false,
      help: help, example: example)
    let description = member.description(as: "\(members.owner):\(name)", .method)
    members.add(
      function: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description)
        let object = try reader.next(Object.self)
        return try body(object, repeat try reader.next((each Argument).self))
          .pushResults(to: stack)
      }, documentation: member)
  }

  /// Adds a method that waits: it suspends the calling coroutine, and other tasks go on.
  ///
  /// - Parameters:
  ///   - name: the method's name.
  ///   - parameters: the names of the parameters, without the object.
  ///   - help: what it does, in one line.
  ///   - example: a line of Lua that uses it.
  ///   - body: takes the object and the arguments and returns the operation to wait for, as in
  ///     ``LuaModule/asyncFunction(_:_:help:example:body:)``.
  @inlinable
  public func asyncMethod<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String, example: String,
    body: @escaping (Object, repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: true,
      help: help, example: example)
    let description = member.description(as: "\(members.owner):\(name)", .method)
    members.add(
      function: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description)
        let object = try reader.next(Object.self)
        let operation = try body(object, repeat try reader.next((each Argument).self))
        return try stack.wait(in: description) {
          let values = try await operation()
          return { stack in try stack.pushResults(repeat each values) }
        }
      }, documentation: member)
  }

  /// Makes the objects functions, which scripts call by their own name.
  ///
  /// - Parameters:
  ///   - parameters: the names of the parameters, without the object.
  ///   - help: what it does, in one line.
  ///   - example: a line of Lua that uses it.
  ///   - body: what it does with the object and the arguments.
  @inlinable
  public func callable<each Argument: LuaReadable, each Value: LuaPushable>(
    _ parameters: String..., help: String, example: String,
    body: @escaping (Object, repeat each Argument) throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      members.owner, parameters, (repeat (each Argument).self), (repeat (each Value).self),
      waits: false, help: help, example: example)
    let description = member.description(as: members.owner, .metamethod)
    members.add(
      call: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description)
        let object = try reader.next(Object.self)
        let values = try body(object, repeat try reader.next((each Argument).self))
        return try stack.pushResults(repeat each values)
      }, documentation: member)
  }

  /// Makes the objects functions with one result, as ``callable(_:help:example:body:)`` with any number does, but faster
  /// to call.
  @inlinable
  public func callable<each Argument: LuaReadable, Value: LuaPushable>(
    _ parameters: String..., help: String, example: String,
    body: @escaping (Object, repeat each Argument) throws -> Value
  ) {
    let member = LuaMember.function(
      members.owner, parameters, (repeat (each Argument).self), (Value.self), waits: false,
      help: help, example: example)
    let description = member.description(as: members.owner, .metamethod)
    members.add(
      call: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description)
        let object = try reader.next(Object.self)
        return try body(object, repeat try reader.next((each Argument).self))
          .pushResults(to: stack)
      }, documentation: member)
  }
}
