/// The methods, properties and metamethods that Lua sees on the objects of a Swift class.
///
/// Members that a subclass adds replace inherited ones of the same name.
public final class LuaClass<Object: LuaExposed> {
  @usableFromInline let members: MemberTable

  /// The class whose objects get the members: `Object`, or one that inherits from it.
  private let type: any LuaExposed.Type

  init<Described: LuaExposed>(of type: Described.Type) {
    members = MemberTable(owner: type.luaTypeName)
    self.type = type
  }

  @usableFromInline init(of runtimeClass: LuaObjectClass) {
    members = MemberTable(owner: runtimeClass.name, of: runtimeClass)
    type = Object.self
  }

  private init(refining members: MemberTable, of type: any LuaExposed.Type) {
    self.members = members
    self.type = type
  }

  /// The named members, each once, in the order they were added.
  public var documentation: [LuaMember] { members.documentation }

  /// Adds the members of a subclass to those it inherits.
  ///
  /// Called in the subclass's own `describe`; see ``LuaExposed``.
  public func refine<Subclass: LuaExposed>(
    _ subclass: Subclass.Type, describe: (LuaClass<Subclass>) -> Void
  ) {
    precondition(
      type is Subclass.Type && subclass is Object.Type,
      "\(subclass) refines \(Object.self), and \(type) is described")
    members.refine { describe(LuaClass<Subclass>(refining: members, of: type)) }
  }

  // MARK: - Properties

  /// Adds a property that scripts can read.
  @inlinable
  public func property<Value: LuaPushable>(
    _ name: String, help: String = "", example: String = "", get: @escaping (Object) throws -> Value
  ) {
    members.add(
      getter: HostFunction { stack in
        try stack.pushProperty(get(Object.read(from: stack, at: 1)))
      }, setter: nil,
      documentation: .property(
        name, Value.self, isWritable: false, help: help, example: example))
  }

  /// Adds a property that scripts can read and assign.
  @inlinable
  public func property<Value: LuaPushable & LuaReadable>(
    _ name: String, help: String = "", example: String = "",
    get: @escaping (Object) throws -> Value,
    set: @escaping (Object, Value) throws -> Void
  ) {
    property(name, help: help, example: example, get: get, assigning: Value.self, set: set)
  }

  /// Adds a property that scripts can read, and to which they can assign values of another type.
  ///
  /// For example, they read a live sequence, and assign a table. It is documented with the type of the assigned values.
  @inlinable
  public func property<Value: LuaPushable, NewValue: LuaReadable>(
    _ name: String, help: String = "", example: String = "",
    get: @escaping (Object) throws -> Value, assigning type: NewValue.Type,
    set: @escaping (Object, NewValue) throws -> Void
  ) {
    let qualifiedName = "\(members.owner).\(name)"
    members.add(
      getter: HostFunction { stack in
        try stack.pushProperty(get(Object.read(from: stack, at: 1)))
      },
      setter: HostFunction { stack in
        try set(Object.read(from: stack, at: 1), stack.assignedValue(to: qualifiedName))
        return 0
      },
      documentation: .property(
        name, Value.self, assigning: NewValue.self, help: help,
        example: example))
  }

  /// Adds a property that scripts can read, which Swift reads by a key path.
  ///
  /// ```swift
  /// members.property("owner", \.owner, help: "Whose it is.", example: "account.owner")
  /// ```
  ///
  /// Swift takes longer to follow a key path than to run a closure: where scripts read it in a loop, write
  /// `get: \.owner`, which makes the literal a closure.
  @inlinable
  public func property<Value: LuaPushable>(
    _ name: String, _ path: KeyPath<Object, Value>, help: String = "", example: String = ""
  ) {
    property(name, help: help, example: example, get: { $0[keyPath: path] })
  }

  /// Adds a property that scripts can read and assign, which Swift can assign by a key path.
  ///
  /// Scripts can assign what Swift can assign where this is called: to prevent that, pass a closure that reads.
  @inlinable
  public func property<Value: LuaPushable & LuaReadable>(
    _ name: String, _ path: ReferenceWritableKeyPath<Object, Value>, help: String = "",
    example: String = ""
  ) {
    property(
      name, help: help, example: example, get: { $0[keyPath: path] },
      set: { $0[keyPath: path] = $1 })
  }

  /// Adds a property whose values have a type that is known only at run time.
  ///
  /// `assign` reads the value from the stack, at index 3; without it the property can't be assigned.
  @inlinable package func property<Value: LuaPushable>(
    _ documentation: LuaMember, get: @escaping (Object) throws -> Value,
    assign: ((Object, LuaStack) throws -> Void)? = nil
  ) {
    members.add(
      getter: HostFunction { stack in
        try stack.pushProperty(get(Object.read(from: stack, at: 1)))
      },
      setter: assign.map { assign in
        HostFunction { stack in
          try assign(Object.read(from: stack, at: 1), stack)
          return 0
        }
      }, documentation: documentation)
  }

  // MARK: - Methods

  /// Adds a method, which scripts call with a colon.
  ///
  /// The parameters are those of ``LuaModule/function(_:_:help:example:body:)``, without the object.
  @inlinable
  public func method<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String = "", example: String = "",
    body: @escaping (Object, repeat each Argument) throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: false,
      help: help, example: example)
    let description = member.description(as: "\(members.owner):\(name)", .method)
    members.add(function: HostFunction(description, body), documentation: member)
  }

  /// Adds a method with one result, like ``method(_:_:help:example:body:)`` for any number; calls take a sixth less time.
  @inlinable
  public func method<each Argument: LuaReadable, Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String = "", example: String = "",
    body: @escaping (Object, repeat each Argument) throws -> Value
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (Value.self), waits: false,
      help: help, example: example)
    let description = member.description(as: "\(members.owner):\(name)", .method)
    members.add(
      function: HostFunction { stack in
        var reader = ArgumentReader(stack)
        let object = try reader.next(Object.self, of: description)
        return try body(object, repeat try reader.next((each Argument).self, of: description))
          .pushResults(to: stack)
      }, documentation: member)
  }

  /// Adds a method that waits: it suspends the calling coroutine, and other tasks continue.
  ///
  /// The body takes the object and the arguments, and returns the operation to wait for.
  ///
  /// - Warning: Write the async closure without a capture list (see ``LuaModule/asyncFunction(_:_:help:example:body:)``).
  @inlinable
  public func asyncMethod<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameters: String..., help: String = "", example: String = "",
    body: @escaping (Object, repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      name, parameters, (repeat (each Argument).self), (repeat (each Value).self), waits: true,
      help: help, example: example)
    let description = member.description(as: "\(members.owner):\(name)", .method)
    members.add(function: HostFunction(waiting: description, body), documentation: member)
  }

  /// Adds a method whose parameters and results are known only at run time.
  ///
  /// The body returns the number of results that it pushed.
  package func method(
    _ documentation: LuaMember, body: @escaping (Object, LuaArguments) throws -> Int32
  ) {
    let function = HostFunction(methodDescription(documentation), after: 1) { arguments in
      try body(Object.read(from: arguments.stack, at: 1), arguments)
    }
    members.add(function: function, documentation: documentation)
  }

  /// Adds a method that waits, whose parameters and results are known only at run time.
  package func asyncMethod(
    _ documentation: LuaMember,
    body: @escaping (Object, LuaArguments) throws -> () async throws -> any LuaPushable
  ) {
    let function = HostFunction(waiting: methodDescription(documentation), after: 1) { arguments in
      try body(Object.read(from: arguments.stack, at: 1), arguments)
    }
    members.add(function: function, documentation: documentation)
  }

  private func methodDescription(_ documentation: LuaMember) -> FunctionDescription {
    documentation.description(as: "\(members.owner):\(documentation.name)", .method)
  }

  /// Makes the objects functions, which scripts call by their own name.
  @inlinable
  public func callable<each Argument: LuaReadable, each Value: LuaPushable>(
    _ parameters: String..., help: String = "", example: String = "",
    body: @escaping (Object, repeat each Argument) throws -> (repeat each Value)
  ) {
    let member = LuaMember.function(
      members.owner, parameters, (repeat (each Argument).self), (repeat (each Value).self),
      waits: false, help: help, example: example)
    let description = member.description(as: members.owner, .metamethod)
    members.add(metamethod: "__call", HostFunction(description, body))
  }

  // MARK: - Operators and text

  /// Defines an operator of two operands, one of which is the object.
  ///
  /// Several bodies may be added for one operator: the first whose types the operands have is called.
  ///
  /// ```swift
  /// members.operator(.multiply) { (left: Vector, right: Double) in left.scaled(by: right) }
  /// members.operator(.multiply) { (left: Double, right: Vector) in right.scaled(by: left) }
  /// ```
  @inlinable
  public func `operator`<Left: LuaReadable, Right: LuaReadable, Value: LuaPushable>(
    _ operator: LuaOperator.Binary, body: @escaping (Left, Right) throws -> Value
  ) {
    addOperator(`operator`.rawValue, symbol: `operator`.symbol, body)
  }

  /// Defines an operator of one operand, the object.
  @inlinable
  public func `operator`<Operand: LuaReadable, Value: LuaPushable>(
    _ operator: LuaOperator.Unary, body: @escaping (Operand) throws -> Value
  ) {
    let symbol = `operator`.symbol
    members.add(
      OperatorOverload(expression: symbol + Operand.luaTypeName) { stack in
        guard let operand = stack.value(at: 1, as: Operand.self) else { return false }
        try body(operand).push(to: stack)
        return true
      }, to: `operator`.rawValue, symbol: symbol, isUnary: true)
  }

  /// Defines a comparison.
  ///
  /// Operands of other types are never equal; comparing their order is an error.
  @inlinable
  public func `operator`<Left: LuaReadable, Right: LuaReadable>(
    _ comparison: LuaOperator.Comparison, body: @escaping (Left, Right) throws -> Bool
  ) {
    addOperator(comparison.rawValue, symbol: comparison.symbol, body)
  }

  @inlinable
  func addOperator<Left: LuaReadable, Right: LuaReadable, Value: LuaPushable>(
    _ metamethod: String, symbol: String, _ body: @escaping (Left, Right) throws -> Value
  ) {
    members.add(
      OperatorOverload(expression: "\(Left.luaTypeName) \(symbol) \(Right.luaTypeName)") { stack in
        guard let left = stack.value(at: 1, as: Left.self),
          let right = stack.value(at: 2, as: Right.self)
        else { return false }
        try body(left, right).push(to: stack)
        return true
      }, to: metamethod, symbol: symbol, isUnary: false)
  }

  /// Sets the text that `tostring` and `print` show for an object, and that `..` joins, also with other objects'
  /// text.
  public func text(_ text: @escaping (Object) throws -> String) {
    members.add(
      metamethod: "__tostring",
      HostFunction { stack in
        stack.push(try text(Object.read(from: stack, at: 1)))
        return 1
      })
    members.add(
      metamethod: "__concat", HostFunction { stack in try MemberTable.concatenate(stack) })
  }

  // MARK: - Sequences and entries

  /// Makes the objects sequences: `#`, `[i]`, `ipairs` and `pairs`.
  ///
  /// Positions are counted from 0, and are below `count`.
  public func sequence<Element: LuaPushable>(
    count: @escaping (Object) throws -> Int, element: @escaping (Object, Int) throws -> Element
  ) {
    members.add(
      LiveSequence(of: { try Object.read(from: $0, at: 1) }, count: count, element: element))
  }

  /// Makes the objects sequences whose elements have a type that is looked up when it is asked for.
  @inlinable package func sequence<Element: LuaPushable>(
    of type: @escaping () -> LuaValueType, count: @escaping (Object) throws -> Int,
    element: @escaping (Object, Int) throws -> Element
  ) {
    var sequence = LiveSequence(
      of: { try Object.read(from: $0, at: 1) }, count: count, element: element)
    sequence.elementType = type
    members.add(sequence)
  }

  /// Makes the objects sequences that scripts can change: `list[i] = x`, `list[#list + 1] = x`, `list[#list] = nil`.
  ///
  /// Scripts can do only that for which there is a closure; positions are counted from 0.
  ///
  /// With all of them, `table.insert`, `table.remove` and `table.sort` work too.
  public func sequence<Element: LuaPushable & LuaReadable>(
    count: @escaping (Object) throws -> Int, element: @escaping (Object, Int) throws -> Element,
    set: ((Object, Int, Element) throws -> Void)? = nil,
    append: ((Object, Element) throws -> Void)? = nil,
    removeLast: ((Object) throws -> Void)? = nil
  ) {
    let object = { (stack: LuaStack) throws -> Object in try Object.read(from: stack, at: 1) }
    var sequence = LiveSequence(of: object, count: count, element: element)
    sequence.allowChanges(
      of: object, in: members.owner, set: set, append: append, removeLast: removeLast)
    members.add(sequence)
  }

  /// Sets the keys and values that `pairs` iterates over.
  ///
  /// - Parameter entries: The entries; a key that is nil ends the loop.
  public func entries<Entries: Sequence, Key: LuaPushable, Value: LuaPushable>(
    _ entries: @escaping (Object) throws -> Entries
  ) where Entries.Element == (Key, Value) {
    addEntries(entries) { entry, stack in
      try entry.0.push(to: stack)
      try entry.1.push(to: stack)
    }
  }

  /// Sets what `pairs` iterates over: a dictionary, or another sequence of keys with values.
  public func entries<Entries: Sequence, Key: LuaPushable, Value: LuaPushable>(
    _ entries: @escaping (Object) throws -> Entries
  ) where Entries.Element == (key: Key, value: Value) {
    addEntries(entries) { entry, stack in
      try entry.key.push(to: stack)
      try entry.value.push(to: stack)
    }
  }

  /// Makes `pairs` iterate over the properties that an object has at that time, by their names, each with its value when its
  /// turn comes.
  package func entries(ofProperties names: @escaping (Object) throws -> [String]) {
    members.add(entriesOfProperties: { stack in
      try names(Object.read(from: stack, at: 1))
    })
  }

  private func addEntries<Entries: Sequence>(
    _ entries: @escaping (Object) throws -> Entries,
    push: @escaping (Entries.Element, LuaStack) throws -> Void
  ) {
    members.add(entries: { stack in
      // `nil` after the end, and while it advances: that may run Lua code that asks for the next entry.
      var iterator: Entries.Iterator? = try entries(Object.read(from: stack, at: 1)).makeIterator()
      return { stack in
        guard var advancing = iterator else { return false }
        iterator = nil
        guard let entry = advancing.next() else { return false }
        iterator = advancing
        try push(entry, stack)
        return true
      }
    })
  }

  // MARK: - Other fields

  /// Adds fields whose names only the object knows.
  ///
  /// Called only for names that no other member has; a key that isn't valid UTF-8 is no name.
  ///
  /// - Parameters:
  ///   - read: The value of a field, or `nil` if there is none, which is an error for scripts.
  ///   - write: Assigns a value to a field, or returns false if there is none; without it nothing can be assigned.
  public func dynamicFields(
    _ read: @escaping (Object, String) throws -> (any LuaPushable)?,
    write: ((Object, String, LuaValue) throws -> Bool)? = nil
  ) {
    members.add(reader: { stack in
      guard let name = stack.fieldName,
        let value = try read(Object.read(from: stack, at: 1), name)
      else { return false }
      try value.push(to: stack)
      return true
    })
    guard let write else { return }
    members.add(writer: { stack in
      guard let name = stack.fieldName else { return false }
      return try write(
        Object.read(from: stack, at: 1), name, LuaValue.read(from: stack, at: 3))
    })
  }

  /// Adds values for all keys of a type, like those of a dictionary.
  ///
  /// Called only for keys that aren't the name of another member; a key of another type is an error.
  ///
  /// - Parameter get: The value of a key; `nil` is nil for scripts.
  public func subscripts<Key: LuaReadable>(
    get: @escaping (Object, Key) throws -> (any LuaPushable)?
  ) {
    members.add(reader: { stack in
      guard let key = stack.value(at: 2, as: Key.self) else { return false }
      let value = try get(Object.read(from: stack, at: 1), key)
      if let value { try value.push(to: stack) } else { stack.pushNil() }
      return true
    })
  }

  /// Adds values for all keys of a type, like those of a dictionary, which scripts can assign.
  ///
  /// - Parameters:
  ///   - get: The value of a key; `nil` is nil for scripts.
  ///   - set: Assigns a value to a key. To let scripts assign nil, take an optional value.
  public func subscripts<Key: LuaReadable, Value: LuaReadable>(
    get: @escaping (Object, Key) throws -> (any LuaPushable)?,
    set: @escaping (Object, Key, Value) throws -> Void
  ) {
    subscripts(get: get)
    members.add(writer: { [owner = members.owner] stack in
      guard let key = stack.value(at: 2, as: Key.self) else { return false }
      let value: Value = try stack.assignedValue(to: "\(owner)[\("\(key)".shortened)]")
      try set(Object.read(from: stack, at: 1), key, value)
      return true
    })
  }

  // MARK: - Lifetime

  /// Sets what happens at the end of the block of an object's to-be-closed variable: `local x <close> = host.open()`.
  ///
  /// - Parameter body: Takes the object, and the error that ended the block, or nil. An error that it throws replaces
  ///   it.
  public func closed(_ body: @escaping (Object, LuaValue) throws -> Void) {
    members.add(
      metamethod: "__close",
      HostFunction { stack in
        try body(Object.read(from: stack, at: 1), LuaValue.read(from: stack, at: 2))
        return 0
      })
  }

  /// Sets what happens when Lua releases an object: once, and before Swift's `deinit` if Lua held the last reference.
  ///
  /// An object that is pushed again is released again. The body runs whenever Lua collects garbage, so it must be
  /// quick, and mustn't use Lua: neither the state, nor its tables and functions.
  public func collected(_ body: @escaping (Object) -> Void) {
    members.add(collected: { object in
      if let object = object as? Object { body(object) }
    })
  }
}
