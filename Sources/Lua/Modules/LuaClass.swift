/// The methods and properties that Lua sees on the objects of a Swift class.
public final class LuaClass<Object: LuaExposed> {
  @usableFromInline let members: MemberTable
  @usableFromInline let identity = ClassIdentity()

  init() { members = MemberTable(owner: Object.luaTypeName) }

  /// The members, in the order they were added.
  public var documentation: [LuaMember] { members.documentation }

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
    let description = member.description(as: "\(Object.luaTypeName):\(name)")
    members.add(
      function: HostFunction { [identity] stack in
        var reader = ArgumentReader(stack, of: description)
        let object = try reader.next(identity, of: Object.self)
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
    let description = member.description(as: "\(Object.luaTypeName):\(name)")
    members.add(
      function: HostFunction { [identity] stack in
        var reader = ArgumentReader(stack, of: description)
        let object = try reader.next(identity, of: Object.self)
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
    let description = member.description(as: "\(Object.luaTypeName):\(name)")
    members.add(
      function: HostFunction { [identity] stack in
        var reader = ArgumentReader(stack, of: description)
        let object = try reader.next(identity, of: Object.self)
        let operation = try body(object, repeat try reader.next((each Argument).self))
        return try stack.wait(in: description) {
          let values = try await operation()
          return { stack in try stack.pushResults(repeat each values) }
        }
      }, documentation: member)
  }

  /// Adds a property that scripts can read.
  @inlinable
  public func property<Value: LuaPushable>(
    _ name: String, help: String, example: String, get: @escaping (Object) throws -> Value
  ) {
    members.add(
      getter: HostFunction { [identity] stack in
        try stack.pushProperty(get(identity.object(of: Object.self, at: 1, of: stack)))
      }, setter: nil,
      documentation: .property(
        name, Value.luaTypeName, isWritable: false, help: help, example: example))
  }

  /// Adds a property that scripts can read and assign.
  @inlinable
  public func property<Value: LuaPushable & LuaReadable>(
    _ name: String, help: String, example: String, get: @escaping (Object) throws -> Value,
    set: @escaping (Object, Value) throws -> Void
  ) {
    let qualifiedName = "\(Object.luaTypeName).\(name)"
    members.add(
      getter: HostFunction { [identity] stack in
        try stack.pushProperty(get(identity.object(of: Object.self, at: 1, of: stack)))
      },
      setter: HostFunction { [identity] stack in
        try set(
          identity.object(of: Object.self, at: 1, of: stack),
          stack.assignedValue(to: qualifiedName))
        return 0
      },
      documentation: .property(
        name, Value.luaTypeName, isWritable: true, help: help, example: example))
  }

  /// Adds fields whose names only the object knows.
  ///
  /// - Parameter read: the value of a field, or `nil` where there is none.
  public func dynamicFields(_ read: @escaping (Object, String) throws -> (any LuaPushable)?) {
    members.addDynamicFields { stack, name in
      guard let value = try read(Object.read(from: stack, at: 1), name) else { return false }
      try value.push(to: stack)
      return true
    }
  }

  /// Makes the objects sequences: `#`, `[i]`, `ipairs` and `pairs`.
  ///
  /// - Parameters:
  ///   - count: the number of elements.
  ///   - element: the element at a position, counted from 0.
  public func sequence<Element: LuaPushable>(
    count: @escaping (Object) throws -> Int, element: @escaping (Object, Int) throws -> Element
  ) {
    members.add(
      sequence: LiveSequence(
        count: { stack in try count(Object.read(from: stack, at: 1)) },
        pushElement: { stack, position in
          try element(Object.read(from: stack, at: 1), position).push(to: stack)
        }))
  }

  /// Sets the text that `tostring` and `print` show for an object, and that `..` joins.
  public func text(_ text: @escaping (Object) throws -> String) {
    members.add(
      metamethod: "__tostring",
      HostFunction { stack in
        stack.push(try text(Object.read(from: stack, at: 1)))
        return 1
      })
    members.add(
      metamethod: "__concat",
      HostFunction { stack in
        var joined: [UInt8] = []
        for index: Int32 in 1...2 {
          if stack.type(at: index) == .userdata {
            joined += Array(try text(Object.read(from: stack, at: index)).utf8)
          } else if let bytes = stack.textBytes(at: index) {
            joined += bytes
          } else {
            throw LuaError(
              .wrongType, "attempt to concatenate a \(stack.typeName(at: index)) value")
          }
        }
        stack.push(bytes: joined)
        return 1
      })
  }
}
