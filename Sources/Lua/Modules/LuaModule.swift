/// A table of functions and properties that Swift gives to Lua.
///
/// Every member is described where it is registered; help, completion and the reference come from that.
///
/// ```swift
/// let counter = LuaModule("counter", help: "A number to count with.")
/// counter.function("increment", "by", help: "Adds to the count.", example: "counter.increment(10)") {
///   (amount: Int?) in model.increment(by: amount ?? 1)
/// }
/// state.setGlobal("counter", to: counter)
/// ```
///
/// To Lua it is an empty table whose metatable scripts can't reach. One that puts a field in front of a member by
/// `rawset` misleads itself, in that table only: neither Swift nor another table of the module sees it.
open class LuaModule: LuaPushable {
  /// The name, under which messages speak of it.
  public let name: String

  /// What it is for, in one line.
  public let help: String

  @usableFromInline let members: MemberTable

  /// Makes a module without members.
  public init(_ name: String, help: String) {
    self.name = name
    self.help = help
    members = MemberTable(owner: name)
  }

  /// Makes the module of a class: with its static members, for a global of the class's name.
  ///
  /// ```swift
  /// state.setGlobal("Point", to: LuaModule("Point", help: "Points of the plane.", of: Point.self))
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - help: what it is for, in one line.
  ///   - type: the class, whose `describeStatics` adds the members.
  public convenience init<Object: LuaExposed>(_ name: String, help: String, of type: Object.Type) {
    self.init(name, help: help)
    type.describeStatics(self)
  }

  /// Makes the module of a struct or enum, as ``init(_:help:of:)`` of a class.
  public convenience init<Value: LuaExposedValue>(
    _ name: String, help: String, of type: Value.Type
  ) {
    self.init(name, help: help)
    type.describeStatics(self)
  }

  /// The members, each once, in the order they were added.
  public var documentation: [LuaMember] { members.documentation }

  /// How the module is called as a function, if it can be; its name is the module's.
  public var callDocumentation: LuaMember? { members.callDocumentation }

  /// "table".
  public static var luaTypeName: String { "table" }

  /// Pushes a new table that has the members.
  public func push(to stack: LuaStack) throws(LuaError) {
    try ModuleTable.push(self, to: stack)
  }

  /// Adds a function.
  ///
  /// - Parameters:
  ///   - name: the field's name.
  ///   - parameters: the names of the parameters.
  ///   - help: what it does, in one line.
  ///   - example: a line of Lua that uses it.
  ///   - body: what it does. It may return nothing, one value, or several as a tuple.
  @inlinable
  public func function<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String, example: String,
    body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: false,
      help: help, example: example)
    let description = member.description(as: "\(self.name).\(name)")
    let takesNothing = parameters.isEmpty
    members.add(
      function: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description)
        if takesNothing { try reader.refuseModule() }
        let values = try body(repeat try reader.next((each Argument).self))
        return try stack.pushResults(repeat each values)
      }, documentation: member)
  }

  /// Adds a function with one result, as ``function(_:_:help:example:body:)`` for any number does, but faster to call.
  @inlinable
  public func function<each Argument: LuaReadable, Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String, example: String,
    body: @escaping (repeat each Argument) throws -> Value
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (Value.self), waits: false,
      help: help, example: example)
    let description = member.description(as: "\(self.name).\(name)")
    let takesNothing = parameters.isEmpty
    members.add(
      function: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description)
        if takesNothing { try reader.refuseModule() }
        return try body(repeat try reader.next((each Argument).self)).pushResults(to: stack)
      }, documentation: member)
  }

  /// Adds a function that waits: it suspends the calling coroutine, and other tasks go on.
  ///
  /// ```swift
  /// prime.asyncFunction("nth", "n", help: "The n-th prime.", example: "prime.nth(100)") {
  ///   (n: Int) in { try await primes.nthPrime(n) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the field's name.
  ///   - parameters: the names of the parameters.
  ///   - help: what it does, in one line.
  ///   - example: a line of Lua that uses it.
  ///   - body: takes the arguments and returns the operation to wait for, which runs on the state's own actor; what it
  ///     does before it first suspends has happened when other Lua code runs. Cancelling the task cancels it.
  ///     Written without a capture list: with one, Swift 6.3 runs it off that actor.
  @inlinable
  public func asyncFunction<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String, example: String,
    body: @escaping (repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: true,
      help: help, example: example)
    let description = member.description(as: "\(self.name).\(name)")
    let takesNothing = parameters.isEmpty
    members.add(
      function: HostFunction { stack in
        var reader = ArgumentReader(stack, of: description)
        if takesNothing { try reader.refuseModule() }
        let operation = try body(repeat try reader.next((each Argument).self))
        return try stack.wait(in: description) {
          let values = try await operation()
          return { stack in try stack.pushResults(repeat each values) }
        }
      }, documentation: member)
  }

  /// Adds a property that scripts can read.
  @inlinable
  public func property<Value: LuaPushable>(
    _ name: String, help: String, example: String, get: @escaping () throws -> Value
  ) {
    members.add(
      getter: HostFunction { stack in try stack.pushProperty(get()) }, setter: nil,
      documentation: .property(
        name, Value.luaTypeName, isWritable: false, help: help, example: example))
  }

  /// Adds a property that scripts can read and assign.
  @inlinable
  public func property<Value: LuaPushable & LuaReadable>(
    _ name: String, help: String, example: String, get: @escaping () throws -> Value,
    set: @escaping (Value) throws -> Void
  ) {
    let qualifiedName = "\(self.name).\(name)"
    members.add(
      getter: HostFunction { stack in try stack.pushProperty(get()) },
      setter: HostFunction { stack in
        try set(stack.assignedValue(to: qualifiedName))
        return 0
      },
      documentation: .property(
        name, Value.luaTypeName, isWritable: true, help: help, example: example))
  }
}
