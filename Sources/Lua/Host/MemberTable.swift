internal import CLua
internal import CLuaTrampolines

/// The members of a module or class.
///
/// The members of a subclass come before inherited ones, and replace those of the same name.
@usableFromInline
final class MemberTable {
  private typealias Operator = (
    symbol: String, isUnary: Bool, overloads: RankedList<OperatorOverload>
  )

  private enum Content {
    case function(Function)
    case property(getter: HostFunction, setter: HostFunction?)
  }

  private enum Function {
    case host(HostFunction)
    case lua(LuaFunction)

    func pushFunction(to stack: LuaStack) {
      switch self {
      case .host(let function): function.pushFunction(to: stack)
      case .lua(let function):
        do {
          try function.push(to: stack)
        } catch {
          // It is another state's: whoever calls it gets the error.
          HostFunction { _ in throw error }.pushFunction(to: stack)
        }
      }
    }
  }

  private struct Member {
    let rank: Int
    let documentation: LuaMember
    let content: Content
  }

  /// The name of the module or class, for messages.
  @usableFromInline let owner: String

  /// The class that the members belong to, if objects of their Swift type can belong to another.
  private let runtimeClass: LuaObjectClass?

  private var members: [Member] = []
  private var indexesOfMembers: [String: Int] = [:]
  /// The names of members that were added twice by one class or module.
  private(set) var redeclared: [String] = []
  private var ranksOfMetamethods: [String: Int] = [:]
  private var metamethods: [String: HostFunction] = [:]
  private var operators: [String: Operator] = [:]
  private(set) var callDocumentation: LuaMember?
  private(set) var collected: ((AnyObject) -> Void)?
  /// Finds the type of the elements of a sequence; nil for what is none.
  private var findElementType: (() -> LuaValueType?)?
  var elementType: LuaValueType? { findElementType?() }
  /// Finds the properties that `pairs` iterates over, unless there is a metamethod for that.
  private var namesOfEntries: ((LuaStack) throws -> [String])?

  /// Each pushes the value of the key at index 2, or pushes nothing and returns false.
  private var readers = RankedList<(LuaStack) throws -> Bool>()

  /// Each assigns the value at index 3 to the key at index 2, or returns false.
  private var writers = RankedList<(LuaStack) throws -> Bool>()

  /// The rank of the class that is adding members: 0 for the root, higher with each refinement.
  private var rank = 0
  private var refinements = 0

  init(owner: String, of runtimeClass: LuaObjectClass? = nil) {
    (self.owner, self.runtimeClass) = (owner, runtimeClass)
  }

  var documentation: [LuaMember] { members.map(\.documentation) }

  private var contents: [(name: String, content: Content)] {
    members.map { ($0.documentation.name, $0.content) }
  }

  /// Adds members that come before all that were added so far.
  func refine(_ body: () -> Void) {
    let inherited = rank
    refinements += 1
    rank = refinements
    body()
    rank = inherited
  }

  @usableFromInline
  func add(function: HostFunction, documentation: LuaMember) {
    let function = checked(
      function, documentation.description(as: "\(owner):\(documentation.name)", .method))
    add(Member(rank: rank, documentation: documentation, content: .function(.host(function))))
  }

  func add(function: LuaFunction, documentation: LuaMember) {
    add(Member(rank: rank, documentation: documentation, content: .function(.lua(function))))
  }

  @usableFromInline
  func add(getter: HostFunction, setter: HostFunction?, documentation: LuaMember) {
    let check = { [self] (function: HostFunction) in
      checked(
        function, documentation.description(as: "\(owner).\(documentation.name)", .metamethod))
    }
    add(
      Member(
        rank: rank, documentation: documentation,
        content: .property(getter: check(getter), setter: setter.map(check))))
  }

  private func add(_ member: Member) {
    let name = member.documentation.name
    guard let index = indexesOfMembers[name] else {
      indexesOfMembers[name] = members.count
      return members.append(member)
    }
    if member.rank == members[index].rank { redeclared.append(name) }
    if member.rank >= members[index].rank { members[index] = member }
  }

  /// Adds a metamethod unless a subclass has, and returns whether it did.
  @discardableResult
  @usableFromInline
  func add(metamethod name: String, _ function: HostFunction) -> Bool {
    guard claims(metamethod: name) else { return false }
    // `..` may have the object on its right, and only asks for the operands' texts.
    metamethods[name] = name == "__concat" ? function : checked(function)
    return true
  }

  private func claims(metamethod name: String) -> Bool {
    guard rank >= ranksOfMetamethods[name, default: 0] else { return false }
    ranksOfMetamethods[name] = rank
    return true
  }

  @usableFromInline
  func add(call: HostFunction, documentation: LuaMember) {
    if add(metamethod: "__call", call) { callDocumentation = documentation }
  }

  @usableFromInline
  func add(_ overload: OperatorOverload, to metamethod: String, symbol: String, isUnary: Bool) {
    operators[metamethod, default: (symbol, isUnary, RankedList())].overloads.add(
      overload, rank: rank)
  }

  func add(collected: @escaping (AnyObject) -> Void) {
    if claims(metamethod: "__gc") { self.collected = collected }
  }

  /// Adds a way to find the value of a key that isn't a member's name.
  @usableFromInline
  func add(reader: @escaping (LuaStack) throws -> Bool) {
    readers.add(checked(reader), rank: rank)
  }

  /// Adds a way to assign to a key that isn't a member's name.
  @usableFromInline
  func add(writer: @escaping (LuaStack) throws -> Bool) {
    writers.add(checked(writer), rank: rank)
  }

  @usableFromInline func add(_ sequence: LiveSequence) {
    findElementType = sequence.elementType
    add(metamethod: "__len", sequence.length)
    add(metamethod: "__pairs", sequence.pairs { checked($0) })
    add(reader: sequence.read)
    add(writer: { [owner] stack in try sequence.write(stack, in: owner) })
  }

  /// Adds the entries of `pairs`: makes a function that pushes the next key and value, or returns false at the end.
  @usableFromInline
  func add(entries: @escaping (LuaStack) throws -> (LuaStack) throws -> Bool) {
    add(
      metamethod: "__pairs",
      HostFunction { stack in
        let next = try entries(stack)
        HostFunction { stack in try next(stack) ? 2 : 0 }.pushFunction(to: stack)
        return 1
      })
  }

  /// Makes properties the entries of `pairs`, in the order of their names.
  func add(entriesOfProperties names: @escaping (LuaStack) throws -> [String]) {
    guard claims(metamethod: "__pairs") else { return }
    metamethods["__pairs"] = nil
    namesOfEntries = names
  }

  /// The function that `__index` calls for a key that isn't a member's name.
  private var readFallback: HostFunction {
    HostFunction { [self, readers = readers.elements] stack in
      for read in readers where try read(stack) { return 1 }
      throw unknownField(stack)
    }
  }

  /// The function that `__newindex` calls for a key that isn't a writable property's name.
  private var writeFallback: HostFunction {
    HostFunction { [self, writers = writers.elements] stack in
      if let member = member(stack)?.documentation {
        let kind = if case .function = member.kind { "a function" } else { "read-only" }
        throw LuaError(.readOnlyField, "\(owner).\(member.name) is \(kind) and can't be assigned")
      }
      for write in writers where try write(stack) { return 0 }
      throw unknownField(stack)
    }
  }

  /// The member whose name is at index 2.
  private func member(_ stack: LuaStack) -> Member? {
    guard let name = stack.bytes(at: 2) else { return nil }
    return members.first { $0.documentation.name.utf8.elementsEqual(name) }
  }

  private func unknownField(_ stack: LuaStack) -> LuaError {
    guard let bytes = stack.bytes(at: 2) else {
      let type = stack.typeName(at: 2)
      let names = documentation.map(\.name).sorted().joined(separator: ", ")
      let advice = members.isEmpty ? "" : ". It has: \(names)"
      return LuaError(.unknownField, "\(owner) has no field with a \(type) for a name\(advice)")
    }
    guard members.isEmpty else {
      return .unknownField(bytes, of: owner, known: documentation.map(\.name))
    }
    let advice = findElementType != nil ? ": it has elements, 1 to #\(owner)" : ""
    return LuaError(
      .unknownField, "\(owner) has no field '\(String(shortening: bytes))'\(advice)")
  }

  // MARK: - Objects of other classes

  /// A function that takes an object first and refuses one of another class.
  ///
  /// That of a Swift type's members is the function itself: they read the object as one of that type.
  private func checked(
    _ function: HostFunction, _ description: @autoclosure () -> FunctionDescription? = nil
  ) -> HostFunction {
    guard let runtimeClass else { return function }
    let description = description() ?? metamethodDescription
    return HostFunction { stack in
      try runtimeClass.check(stack, description)
      return try function.call(stack)
    }
  }

  private func checked(_ access: @escaping (LuaStack) throws -> Bool) -> (LuaStack) throws -> Bool {
    guard let runtimeClass else { return access }
    let description = metamethodDescription
    return { stack in
      try runtimeClass.check(stack, description)
      return try access(stack)
    }
  }

  private var metamethodDescription: FunctionDescription {
    FunctionDescription(name: owner, parameters: [], kind: .metamethod)
  }

  // MARK: - Metatables

  /// The entry of a class, whose metatable the objects of all scopes share.
  func classEntry(on stack: LuaStack) -> ClassRegistry.Entry {
    stack.inScope(Int32(CLUA_NO_SCOPE)) { pushClassMetatable(to: stack) }
    return ClassRegistry.Entry(
      metatable: stack.makeReference(), collected: collected, runtimeClass: runtimeClass)
  }

  private func pushClassMetatable(to stack: LuaStack) {
    Self.pushMetatable(of: owner, to: stack)
    setMetamethods(in: stack)
    if metamethods["__pairs"] == nil, let namesOfEntries {
      setFunction(entries(of: namesOfEntries), "__pairs", in: stack)
    }
    let hasProperties = contents.contains { if case .property = $0.content { true } else { false } }
    if hasProperties || !readers.isEmpty {
      pushReader(to: stack, withFunctions: true)
    } else {
      pushFunctions(to: stack)
    }
    lua_setfield(stack.pointer, -2, "__index")
    setNewIndex(in: stack)
    lua_pushcclosure(stack.pointer, clua_collect, 0)
    lua_setfield(stack.pointer, -2, "__gc")
  }

  func pushModuleMetatable(to stack: LuaStack) {
    Self.pushMetatable(of: owner, to: stack)
    setModuleMetamethods(in: stack)
  }

  /// Sets all metamethods of a module, in the metatable on top.
  func setModuleMetamethods(in stack: LuaStack) {
    setMetamethods(in: stack)
    if metamethods["__pairs"] == nil { setFunction(allMembers, "__pairs", in: stack) }
    pushFunctions(to: stack)
    lua_setfield(stack.pointer, -2, "__index")
    setNewIndex(in: stack)
  }

  /// Pushes a metatable without metamethods, which scripts can't get at.
  static func pushMetatable(of owner: String, to stack: LuaStack) {
    lua_createtable(stack.pointer, 0, 8)
    // `getmetatable` returns this table, which nothing reads: scripts may index it and assign to it.
    lua_createtable(stack.pointer, 0, 0)
    lua_setfield(stack.pointer, -2, "__metatable")
    stack.push(owner)
    lua_setfield(stack.pointer, -2, "__name")
  }

  /// Sets all metamethods except those for members, in the metatable on top.
  private func setMetamethods(in stack: LuaStack) {
    for (name, function) in metamethods { setFunction(function, name, in: stack) }
    for (name, definition) in operators {
      setFunction(operatorFunction(definition, instead: metamethods[name]), name, in: stack)
    }
  }

  /// Pushes an `__index` for members that don't need the object: the interpreter itself finds functions in a plain
  /// table, and only properties and misses get further, with that table in place of the object.
  private func pushFunctions(to stack: LuaStack) {
    lua_createtable(stack.pointer, 0, 8)
    setFunctions(in: stack)
    lua_createtable(stack.pointer, 0, 1)
    pushReader(to: stack, withFunctions: false)
    lua_setfield(stack.pointer, -2, "__index")
    lua_setmetatable(stack.pointer, -2)
  }

  /// Pushes an `__index` that receives the object.
  private func pushReader(to stack: LuaStack, withFunctions: Bool) {
    lua_createtable(stack.pointer, 0, 8)
    if withFunctions { setFunctions(in: stack) }
    for case (let name, .property(let getter, _)) in contents { setBox(getter, name, in: stack) }
    readFallback.pushBox(to: stack)
    lua_pushcclosure(stack.pointer, clua_index, 2)
  }

  private func setNewIndex(in stack: LuaStack) {
    lua_createtable(stack.pointer, 0, 8)
    for case (let name, .property(_, let setter?)) in contents { setBox(setter, name, in: stack) }
    writeFallback.pushBox(to: stack)
    lua_pushcclosure(stack.pointer, clua_newindex, 2)
    lua_setfield(stack.pointer, -2, "__newindex")
  }

  /// `pairs(module)`: every member's name with its value now.
  private var allMembers: HostFunction {
    HostFunction { [contents] stack in
      // Not the global `next`: a script may have replaced it, and reading it may run a metamethod.
      lua_pushcclosure(stack.pointer, clua_next, 0)
      lua_createtable(stack.pointer, 0, Int32(clamping: contents.count))
      let values = stack.count
      if luaL_getmetafield(stack.pointer, 1, "__index") == LUA_TTABLE {
        for case (let name, .function) in contents {
          stack.push(name)
          lua_pushvalue(stack.pointer, -1)
          lua_rawget(stack.pointer, values + 1)
          lua_rawset(stack.pointer, values)
        }
      }
      lua_settop(stack.pointer, values)
      for case (let name, .property(let getter, _)) in contents {
        _ = try getter.call(stack)
        lua_setfield(stack.pointer, values, name)
      }
      return 2
    }
  }

  /// `pairs(object)`: properties in the order of their names, each with its value when its turn comes.
  private func entries(of names: @escaping (LuaStack) throws -> [String]) -> HostFunction {
    var getters: [String: HostFunction] = [:]
    for case (let name, .property(let getter, _)) in contents { getters[name] = getter }
    return HostFunction { [getters] stack in
      var rest = try names(stack)[...]
      // The getters find the object at index 1, where Lua passes it to the iterator.
      HostFunction { stack in
        while let name = rest.popFirst() {
          guard let getter = getters[name] else { continue }
          stack.push(name)
          return 1 + (try getter.call(stack))
        }
        return 0
      }.pushFunction(to: stack)
      stack.pushCopy(at: 1)
      return 2
    }
  }

  private func setFunctions(in stack: LuaStack) {
    for case (let name, .function(let function)) in contents {
      function.pushFunction(to: stack)
      lua_setfield(stack.pointer, -2, name)
    }
  }

  private func setFunction(_ function: HostFunction, _ name: String, in stack: LuaStack) {
    function.pushFunction(to: stack)
    lua_setfield(stack.pointer, -2, name)
  }

  private func setBox(_ function: HostFunction, _ name: String, in stack: LuaStack) {
    function.pushBox(to: stack)
    lua_setfield(stack.pointer, -2, name)
  }

  // MARK: - First uses of modules

  /// Does what the metamethod for a use of a module does, with its arguments, and returns the number of its results.
  ///
  /// The module, at index 1, has these members in its metatable.
  func perform(_ use: UndescribedModule.Use, _ stack: LuaStack) throws -> Int32 {
    switch use {
    case .read: return try read(stack)
    case .write:
      lua_settop(stack.pointer, 3)
      guard case .property(_, let setter?) = member(stack)?.content else {
        return try writeFallback.call(stack)
      }
      return try setter.call(stack)
    case .length:
      if let length = metamethods["__len"] { return try length.call(stack) }
      stack.push(Int64(clamping: lua_rawlen(stack.pointer, 1)))
      return 1
    case .pairs: return try (metamethods["__pairs"] ?? allMembers).call(stack)
    case .call:
      guard let call = metamethods["__call"] else {
        throw LuaError(.wrongType, "attempt to call a table value (global '\(owner)')")
      }
      return try call.call(stack)
    }
  }

  private func read(_ stack: LuaStack) throws -> Int32 {
    lua_settop(stack.pointer, 2)
    switch member(stack)?.content {
    case .function:
      // The one that later uses get.
      luaL_getmetafield(stack.pointer, 1, "__index")
      stack.pushCopy(at: 2)
      lua_rawget(stack.pointer, -2)
      return 1
    case .property(let getter, _): return try getter.call(stack)
    case nil: return try readFallback.call(stack)
    }
  }

  /// Makes every use throw an error.
  func refuse(with error: any Error) {
    add(reader: { _ in throw error })
    add(writer: { _ in throw error })
    for name in ["__len", "__pairs", "__call"] {
      add(metamethod: name, HostFunction { _ in throw error })
    }
  }

  // MARK: - Operators

  /// The metamethod of an operator: the first body that takes the operands, or else the fallback.
  ///
  /// Without either, equality is false, and any other operator throws.
  private func operatorFunction(_ definition: Operator, instead fallback: HostFunction?)
    -> HostFunction
  {
    let overloads = definition.overloads.elements
    let symbol = definition.symbol
    let isEquality = symbol == LuaOperator.Comparison.equal.symbol
    return HostFunction { stack in
      for overload in overloads where try overload.apply(stack) { return 1 }
      if let fallback { return try fallback.call(stack) }
      if isEquality {
        stack.push(false)
        return 1
      }
      let left = stack.typeName(at: 1)
      let given =
        definition.isUnary ? symbol + left : "\(left) \(symbol) \(stack.typeName(at: 2))"
      let defined = overloads.map(\.expression).joined(separator: ", ")
      throw LuaError(
        .wrongType, "attempt to evaluate '\(given)': the operands can be \(defined)")
    }
  }

  /// Joins the texts of two operands, at least one of which is an object that has one.
  static func concatenate(_ stack: LuaStack) throws -> Int32 {
    var joined: [UInt8] = []
    for index: Int32 in 1...2 {
      if stack.object(of: AnyObject.self, at: index) != nil,
        stack.hasMetafield("__tostring", at: index)
      {
        joined += try stack.convertedText(at: index)
      } else if let bytes = stack.textBytes(at: index) {
        joined += bytes
      } else {
        throw LuaError(
          .wrongType, "attempt to concatenate a \(stack.typeName(at: index)) value")
      }
    }
    stack.push(bytes: joined)
    return 1
  }
}

/// A list in which a subclass's elements come before inherited ones.
struct RankedList<Element> {
  private var entries: [(rank: Int, element: Element)] = []

  /// The elements, those of the highest rank first; elements of one rank are in the order they were added.
  var elements: [Element] { entries.map(\.element) }

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ element: Element, rank: Int) {
    let index = entries.firstIndex { $0.rank < rank } ?? entries.count
    entries.insert((rank, element), at: index)
  }
}

extension LuaStack {
  /// The key that `__index` or `__newindex` was given, if it is a string of valid UTF-8.
  var fieldName: String? { bytes(at: 2).flatMap { String(validating: $0, as: UTF8.self) } }

  func pushCopy(at index: Int32) { lua_pushvalue(pointer, index) }
}
