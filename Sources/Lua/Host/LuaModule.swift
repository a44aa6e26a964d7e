internal import CLua

/// A table of Swift functions and properties for Lua.
///
/// Every member is documented where it is registered; help, completion and the reference use that.
///
/// ```swift
/// let counter = LuaModule("counter", help: "A number to count with.")
/// counter.function("increment", "by", help: "Adds to the count.", example: "counter.increment(10)") {
///   (amount: Int?) in model.increment(by: amount ?? 1)
/// }
/// state.setGlobal("counter", to: counter)
/// ```
///
/// To Lua it is an empty table whose metatable scripts can't reach. A script that hides a member by `rawset` misleads
/// only itself: neither Swift nor another table of the module sees that.
open class LuaModule: LuaPushable {
  /// The name, which messages use.
  public let name: String

  /// A description in one line.
  public let help: String

  private var table: MemberTable

  /// Adds the members; nil once it has.
  private var describe: ((LuaModule) throws -> Void)?
  private var failure: (any Error)?

  /// Makes a module without members.
  public init(_ name: String, help: String = "") {
    (self.name, self.help) = (name, help)
    table = MemberTable(owner: name)
  }

  /// Makes a module whose members are added when Lua or Swift first needs one of them.
  ///
  /// If `describe` fails, every use of the module in Lua throws its error.
  package convenience init(
    _ name: String, help: String, describe: @escaping (LuaModule) throws -> Void
  ) {
    self.init(name, help: help)
    self.describe = describe
  }

  @usableFromInline final var members: MemberTable {
    if let describe {
      self.describe = nil
      do {
        try describe(self)
      } catch {
        failure = error
        table.refuse(with: error)
      }
    }
    return table
  }

  /// Why the members couldn't be added; nil if they could.
  package final var descriptionError: (any Error)? {
    _ = members
    return failure
  }

  /// Takes the members of another module of the same name.
  ///
  /// Functions of the members can use the other module: a module that its own members use would never be freed.
  package final func adoptMembers(of other: LuaModule) {
    (table, other.table) = (other.members, MemberTable(owner: name))
  }

  /// Adds members that replace those added before: also the elements.
  package final func refine(_ body: () -> Void) { members.refine(body) }

  /// Makes the module of a class: with its static members, for a global of the class's name.
  ///
  /// ```swift
  /// state.setGlobal("Point", to: LuaModule("Point", help: "Points of the plane.", of: Point.self))
  /// ```
  public convenience init<Object: LuaExposed>(
    _ name: String, help: String = "", of type: Object.Type
  ) {
    self.init(name, help: help)
    type.describeStatics(self)
  }

  /// Makes the module of a struct or enum, as ``init(_:help:of:)`` of a class.
  public convenience init<Value: LuaExposedValue>(
    _ name: String, help: String = "", of type: Value.Type
  ) {
    self.init(name, help: help)
    type.describeStatics(self)
  }

  /// The members, each once, in the order they were added.
  public var documentation: [LuaMember] { members.documentation }

  /// The names of members that were added twice; the last one of each counts.
  package var redeclared: [String] { members.redeclared }

  /// The function that calling the module calls, if there is one; its name is the module's.
  public var callDocumentation: LuaMember? { members.callDocumentation }

  package var elementType: LuaValueType? { members.elementType }

  /// "table".
  public static var luaTypeName: String { "table" }

  /// Pushes a new table that has the members: empty, so that every access goes through its metatable.
  ///
  /// Members that aren't added yet are when the table is first used.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.reserve(12)
    lua_createtable(stack.pointer, 0, 0)
    if describe == nil {
      table.pushModuleMetatable(to: stack)
    } else {
      UndescribedModule.pushMetatable(of: self, to: stack)
    }
    stack.push(name)
    lua_setfield(stack.pointer, -2, LuaStack.moduleMark)
    lua_setmetatable(stack.pointer, -2)
  }

  /// Adds a function.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - parameters: The names of the parameters, for messages and help; those that are left out are "arg1" and so on.
  ///     The name of a function can have the parameters that it is called with, for editors: `"fn(new, old)"`.
  ///   - help: What it does, in one line.
  ///   - example: A line of Lua that uses it.
  ///   - body: What it does. It may return nothing, one value, or several as a tuple.
  @inlinable
  public final func function<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String = "", example: String = "",
    body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) {
    function(name, parameters: parameters, help: help, example: example, body: body)
  }

  @inlinable
  package final func function<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, parameters: [String], help: String, example: String,
    body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: false,
      help: help, example: example)
    let description = member.description(as: "\(self.name).\(name)")
    members.add(function: HostFunction(description, body), documentation: member)
  }

  /// Adds a function with one result, like ``function(_:_:help:example:body:)`` for any number; calls take a quarter less
  /// time.
  @inlinable
  public final func function<each Argument: LuaReadable, Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String = "", example: String = "",
    body: @escaping (repeat each Argument) throws -> Value
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (Value.self), waits: false,
      help: help, example: example)
    let description = member.description(as: "\(self.name).\(name)")
    let takesNothing = member.parameters.isEmpty
    members.add(
      function: HostFunction { stack in
        var reader = ArgumentReader(stack)
        if takesNothing { try description.refuseModule(stack) }
        return try body(repeat try reader.next((each Argument).self, of: description)).pushResults(
          to: stack)
      }, documentation: member)
  }

  /// Adds a function that waits: it suspends the calling coroutine, and other tasks continue.
  ///
  /// ```swift
  /// prime.asyncFunction("nth", "n", help: "The n-th prime.", example: "prime.nth(100)") {
  ///   (n: Int) in { try await primes.nthPrime(n) }
  /// }
  /// ```
  ///
  /// - Warning: Write the async closure without a capture list, and no local function in its place. Swift 6.3 runs these
  ///   off the state's actor, and doesn't say so; if one uses the state there, that throws `off_actor`. A list at the
  ///   outer closure does no harm:
  ///   `{ [cache] (name: String) in { () async throws -> String in try await cache.load(name) } }`.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - parameters: The names of the parameters, for messages and help; those that are left out are "arg1" and so on.
  ///   - help: What it does, in one line.
  ///   - example: A line of Lua that uses it.
  ///   - body: Takes the arguments and returns the operation to wait for, which runs on the state's own actor; what
  ///     it does before it first suspends has happened when other Lua code runs. Cancelling the task cancels it.
  @inlinable
  public final func asyncFunction<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String = "", example: String = "",
    body: @escaping (repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) {
    asyncFunction(name, parameters: parameters, help: help, example: example, body: body)
  }

  @inlinable
  package final func asyncFunction<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, parameters: [String], help: String, example: String,
    body: @escaping (repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: true,
      help: help, example: example)
    let description = member.description(as: "\(self.name).\(name)")
    members.add(function: HostFunction(waiting: description, body), documentation: member)
  }

  /// Adds a function whose parameters and results are known only at run time.
  ///
  /// The body returns the number of results that it pushed.
  package final func function(
    _ documentation: LuaMember, body: @escaping (LuaArguments) throws -> Int32
  ) {
    let description = documentation.description(as: "\(name).\(documentation.name)")
    members.add(function: HostFunction(description, body: body), documentation: documentation)
  }

  /// Adds a function that waits, whose parameters and results are known only at run time.
  ///
  /// - Warning: Write the async closure without a capture list (see ``asyncFunction(_:_:help:example:body:)``).
  package final func asyncFunction(
    _ documentation: LuaMember,
    body: @escaping (LuaArguments) throws -> () async throws -> any LuaPushable
  ) {
    let description = documentation.description(as: "\(name).\(documentation.name)")
    members.add(
      function: HostFunction(waiting: description, body: body), documentation: documentation)
  }

  /// Adds a function that is written in Lua: scripts get that very function.
  package final func function(_ documentation: LuaMember, _ function: LuaFunction) {
    members.add(function: function, documentation: documentation)
  }

  /// Adds a property that scripts can read.
  @inlinable
  public final func property<Value: LuaPushable>(
    _ name: String, help: String = "", example: String = "", get: @escaping () throws -> Value
  ) {
    members.add(
      getter: HostFunction { stack in try stack.pushProperty(get()) }, setter: nil,
      documentation: .property(
        name, Value.self, isWritable: false, help: help, example: example))
  }

  /// Adds a property that scripts can read and assign.
  @inlinable
  public final func property<Value: LuaPushable & LuaReadable>(
    _ name: String, help: String = "", example: String = "", get: @escaping () throws -> Value,
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
        name, Value.self, isWritable: true, help: help, example: example))
  }

  /// Adds a property whose values have a type that is known only at run time.
  ///
  /// `assign` reads the value from the stack; without it the property can't be assigned.
  @inlinable
  package final func property<Value: LuaPushable>(
    _ documentation: LuaMember, get: @escaping () throws -> Value,
    assign: ((LuaStack) throws -> Void)?
  ) {
    members.add(
      getter: HostFunction { stack in try stack.pushProperty(get()) },
      setter: assign.map { assign in
        HostFunction { stack in
          try assign(stack)
          return 0
        }
      }, documentation: documentation)
  }

  // MARK: - Calls

  /// Makes the module a function, which scripts call by the module's own name: `Point(1, 2)`.
  @inlinable
  public final func callable<each Argument: LuaReadable, each Value: LuaPushable>(
    _ parameters: String..., help: String = "", example: String = "",
    body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: false,
      help: help, example: example)
    let description = member.description(as: name, .metamethod)
    members.add(call: HostFunction(description, from: 2, body), documentation: member)
  }

  // MARK: - Sequences

  /// Makes the module a sequence: `#`, `[i]`, `ipairs` and `pairs`.
  public final func sequence<Element: LuaPushable>(
    count: @escaping () throws -> Int, element: @escaping (Int) throws -> Element
  ) {
    members.add(readOnlySequence(count: count, element: element))
  }

  /// Makes the module a sequence that scripts can change: `list[i] = x`, `list[#list + 1] = x`, `list[#list] = nil`.
  ///
  /// With all of them, `table.insert`, `table.remove` and `table.sort` work too.
  ///
  /// - Parameters:
  ///   - count: The number of elements.
  ///   - element: The element at a position, counted from 0; only called with positions below `count`.
  ///   - set: Replaces the element at a position below `count`; without it none can be replaced.
  ///   - append: Adds an element after the last; without it none can be added.
  ///   - removeLast: Removes the last element; without it none can be removed.
  public final func sequence<Element: LuaPushable & LuaReadable>(
    count: @escaping () throws -> Int, element: @escaping (Int) throws -> Element,
    set: ((Int, Element) throws -> Void)? = nil, append: ((Element) throws -> Void)? = nil,
    removeLast: (() throws -> Void)? = nil
  ) {
    var sequence = readOnlySequence(count: count, element: element)
    sequence.allowChanges(
      of: { _ in }, in: name,
      set: set.map { set in { (_: Void, position, element) in try set(position, element) } },
      append: append.map { append in { (_: Void, element) in try append(element) } },
      removeLast: removeLast.map { removeLast in { (_: Void) in try removeLast() } })
    members.add(sequence)
  }

  /// Makes the module a sequence whose elements have a type that is looked up when it is asked for.
  package final func sequence<Element: LuaPushable>(
    of type: @escaping () -> LuaValueType, count: @escaping () throws -> Int,
    element: @escaping (Int) throws -> Element
  ) {
    var sequence = readOnlySequence(count: count, element: element)
    sequence.elementType = type
    members.add(sequence)
  }

  private func readOnlySequence<Element: LuaPushable>(
    count: @escaping () throws -> Int, element: @escaping (Int) throws -> Element
  ) -> LiveSequence {
    LiveSequence(
      of: { _ in }, count: { (_: Void) in try count() },
      element: { (_: Void, position) in try element(position) })
  }
}
