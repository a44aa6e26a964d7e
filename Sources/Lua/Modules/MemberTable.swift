internal import CLua

/// The members of a module or class.
///
/// What a subclass adds comes before what it inherits, and replaces members of the same name.
@usableFromInline
final class MemberTable {
  typealias Operator = (symbol: String, isUnary: Bool, overloads: RankedList<OperatorOverload>)

  /// What Lua finds under a name.
  enum Content {
    case function(HostFunction)
    case property(getter: HostFunction, setter: HostFunction?)
  }

  private struct Member {
    let rank: Int
    let documentation: LuaMember
    let content: Content
  }

  /// The name of the module or class, for messages.
  @usableFromInline let owner: String

  private var members: [Member] = []
  private var ranksOfMetamethods: [String: Int] = [:]
  private(set) var metamethods: [String: HostFunction] = [:]
  private(set) var operators: [String: Operator] = [:]
  private(set) var callDocumentation: LuaMember?
  private(set) var collected: ((AnyObject) -> Void)?
  private(set) var text: ((AnyObject) throws -> String?)?
  private(set) var hasElements = false

  /// Push the value of the key at index 2, or nothing and return false.
  private var readers = RankedList<(LuaStack) throws -> Bool>()

  /// Assign the value at index 3 to the key at index 2, or return false.
  private var writers = RankedList<(LuaStack) throws -> Bool>()

  /// How far the class that adds members now is from the root; each refinement counts.
  private var rank = 0
  private var refinements = 0

  init(owner: String) { self.owner = owner }

  /// The named members, in the order they were added.
  var documentation: [LuaMember] { members.map(\.documentation) }

  /// The named members' contents.
  var contents: [(name: String, content: Content)] {
    members.map { ($0.documentation.name, $0.content) }
  }

  var hasReaders: Bool { !readers.isEmpty }

  /// Adds members that come before all that were added until now.
  func refine(_ body: () -> Void) {
    let inherited = rank
    refinements += 1
    rank = refinements
    body()
    rank = inherited
  }

  @usableFromInline
  func add(function: HostFunction, documentation: LuaMember) {
    add(Member(rank: rank, documentation: documentation, content: .function(function)))
  }

  @usableFromInline
  func add(getter: HostFunction, setter: HostFunction?, documentation: LuaMember) {
    add(
      Member(
        rank: rank, documentation: documentation,
        content: .property(getter: getter, setter: setter)))
  }

  private func add(_ member: Member) {
    let name = member.documentation.name
    guard let index = members.firstIndex(where: { $0.documentation.name == name }) else {
      return members.append(member)
    }
    if member.rank >= members[index].rank { members[index] = member }
  }

  /// Adds a metamethod, unless a subclass has.
  ///
  /// - Returns: whether it was added.
  @discardableResult
  @usableFromInline
  func add(metamethod name: String, _ function: HostFunction) -> Bool {
    guard rank >= ranksOfMetamethods[name, default: 0] else { return false }
    ranksOfMetamethods[name] = rank
    metamethods[name] = function
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

  /// Adds what is to happen when Lua gives an object up.
  func add(collected: @escaping (AnyObject) -> Void) {
    guard rank >= ranksOfMetamethods["__gc", default: 0] else { return }
    ranksOfMetamethods["__gc"] = rank
    self.collected = collected
  }

  /// Adds the text of an object, which is none for an object of another class.
  func add(text: @escaping (AnyObject) throws -> String?, _ tostring: HostFunction) {
    if add(metamethod: "__tostring", tostring) { self.text = text }
  }

  /// Adds a way to find the value of a key that isn't a member's name.
  @usableFromInline
  func add(reader: @escaping (LuaStack) throws -> Bool) { readers.add(reader, rank: rank) }

  /// Adds a way to assign to a key that isn't a member's name.
  @usableFromInline
  func add(writer: @escaping (LuaStack) throws -> Bool) { writers.add(writer, rank: rank) }

  /// Makes the object a sequence: `#`, `[i]`, `ipairs` and `pairs`.
  func add(_ sequence: LiveSequence) {
    hasElements = true
    add(metamethod: "__len", sequence.length)
    add(metamethod: "__pairs", sequence.pairs)
    add(reader: sequence.read)
    add(writer: { [owner] stack in try sequence.write(stack, in: owner) })
  }

  /// Adds the entries that `pairs` goes through.
  ///
  /// - Parameter entries: makes what pushes the next key and value, or returns false at the end.
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

  /// What `__index` calls for a key that isn't a member's name.
  var readFallback: HostFunction {
    HostFunction { [self, readers = readers.elements] stack in
      for read in readers where try read(stack) { return 1 }
      throw unknownField(stack)
    }
  }

  /// What `__newindex` calls for a key that isn't a writable property's name.
  var writeFallback: HostFunction {
    HostFunction { [self, writers = writers.elements] stack in
      if let member = member(stack) {
        let kind = if case .function = member.kind { "a function" } else { "read-only" }
        throw LuaError(.readOnlyField, "\(owner).\(member.name) is \(kind) and can't be assigned")
      }
      for write in writers where try write(stack) { return 0 }
      throw unknownField(stack)
    }
  }

  /// The member whose name is at index 2.
  private func member(_ stack: LuaStack) -> LuaMember? {
    guard let name = stack.bytes(at: 2) else { return nil }
    return members.first { $0.documentation.name.utf8.elementsEqual(name) }?.documentation
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
    let advice = hasElements ? ": it has elements, 1 to #\(owner)" : ""
    return LuaError(
      .unknownField, "\(owner) has no field '\(String(shortening: bytes))'\(advice)")
  }
}

extension LuaStack {
  /// The key that `__index` or `__newindex` was given, if it is a string of valid UTF-8.
  var fieldName: String? { bytes(at: 2).flatMap { String(validating: $0, as: UTF8.self) } }

  /// Pushes the value at an index once more.
  func pushCopy(at index: Int32) { lua_pushvalue(pointer, index) }
}
