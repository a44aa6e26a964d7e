import Lua
import StateStore

/// The metatables of tables that are written as arrays, even if they are empty.
struct JSONMarks {
  /// The metatable of arrays that were read from JSON, or made for it.
  let array: LuaTable
  /// The metatable of lists of the state.
  let list: LuaTable?
  private(set) weak var state: LuaState?

  init(in state: LuaState) throws(LuaError) {
    self.state = state
    array = try state.makeTable(LuaRecord([:]))
    list = try state.makeTable(StateValue.list([])).metatable()
  }

  /// The state, which a finalizer may outlive.
  func openState() throws(LuaError) -> LuaState {
    guard let state else { throw LuaError.closed }
    return state
  }

  /// Marks a table as an array.
  ///
  /// - Throws: `bad_argument` for a table with a metatable of its own, which says what it is.
  func marked(_ table: LuaTable) throws(LuaError) -> LuaTable {
    let metatable = try table.metatable()
    guard metatable == nil || metatable == array || metatable == list else {
      throw LuaError(
        .badArgument,
        "json.array takes a plain table, and this one has a metatable: copy its elements")
    }
    if metatable == nil { try table.setMetatable(array) }
    return table
  }
}

/// An object of the host that may have a value of its own in JSON.
protocol JSONRepresentable: AnyObject {
  /// The value; nil for an object that is written by its `__pairs`.
  ///
  /// `isForState` is whether it becomes part of a state, with its secrets, instead of a text.
  ///
  /// - Throws: The error for an object that is gone.
  func jsonValue(isForState: Bool) throws -> StateValue?
}

/// Converts a Lua value to the value that JSON has for it: objects by their `__pairs`, members sorted by name.
struct JSONWriter {
  private let marks: JSONMarks
  private let state: LuaState
  private let isForState: Bool
  /// The keys that lead to the current value.
  private var path: [Key] = []
  /// The tables and objects that contain the current value.
  private var open: Set<LuaReference> = []

  private enum Key {
    case name(String)
    case position(Int)
  }

  private init(_ marks: JSONMarks, in state: LuaState, isForState: Bool) {
    (self.marks, self.state, self.isForState) = (marks, state, isForState)
  }

  /// A value as JSON text without a line end; in a pretty one, each part of a table has a line.
  ///
  /// - Throws: ``JSONError`` for a value that JSON has no place for; errors that metamethods raise.
  static func text(of value: LuaValue, isPretty: Bool, _ marks: JSONMarks) throws -> String {
    let state = try marks.openState()
    let value = try Self.value(of: value, marks)
    return try value.json(isPretty: isPretty) { () throws(LuaError) in try state.checkStop() }
  }

  /// The JSON of a value; the errors are those of ``text(of:isPretty:_:)``.
  ///
  /// `isForState` is whether it becomes part of a state, with its secrets.
  static func value(
    of value: LuaValue, _ marks: JSONMarks, isForState: Bool = false
  ) throws -> StateValue {
    var writer = JSONWriter(marks, in: try marks.openState(), isForState: isForState)
    return try writer.converted(value)
  }

  private mutating func converted(_ value: LuaValue) throws -> StateValue {
    try state.checkStop()
    switch value {
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(Int(value))
    case .number(let value):
      guard !value.isNaN else { throw refusal("it is not a number") }
      guard value.isFinite else { throw refusal("it is infinite") }
      return .number(value)
    case .string(let value):
      guard let text = value.text else { throw refusal("it isn't valid UTF-8") }
      return .text(text)
    case .table(let table): return try contents(of: table)
    case .userdata(let object):
      if let object = try object.hostObject() as? any JSONRepresentable,
        let value = try object.jsonValue(isForState: isForState)
      {
        return value
      }
      return try object.isNull ? .none : contents(of: object)
    case .nil: throw refusal("it is nil; json.null stands for null")
    case .function: throw refusal("it is a function")
    case .coroutine: throw refusal("it is a coroutine")
    }
  }

  private mutating func contents(of object: LuaReference) throws -> StateValue {
    guard open.insert(object).inserted else { throw refusal("it contains itself") }
    defer { open.remove(object) }
    guard path.count < JSONScanner.maximumDepth else {
      throw refusal("it is nested more than \(JSONScanner.maximumDepth) deep")
    }
    let metatable = try object.metatable()
    let isList = metatable != nil && metatable == marks.list
    let isArray = isList || metatable == marks.array
    guard let pairs = try object.pairs() else { throw refusal("it is an object without fields") }
    let (names, elements) = try entries(of: pairs)
    guard names.isEmpty || elements.isEmpty || isList else {
      throw refusal("it has both positions and names")
    }
    let members = try names.map { name, value in
      StateValue.Member(name: name, value: try converted(value, at: .name(name)))
    }
    let hasLength = try metatable.map { try $0.rawGet("__len") != .nil } ?? false
    guard isList || !elements.isEmpty || (names.isEmpty && (isArray || hasLength)) else {
      return .record(members.flatMap(Self.withMembersBeside))
    }
    return .list(
      try elements.enumerated().map { try converted($1, at: .position($0 + 1)) }, members: members)
  }

  private mutating func converted(_ value: LuaValue, at key: Key) throws -> StateValue {
    path.append(key)
    defer { path.removeLast() }
    return try converted(value)
  }

  /// The named values sorted by their names, and the values at positions.
  private func entries(
    of pairs: LuaPairs
  ) throws -> (names: [(name: String, value: LuaValue)], elements: [LuaValue]) {
    var names: [(name: String, value: LuaValue)] = []
    var elements: [(position: Int64, value: LuaValue)] = []
    for (key, value) in pairs.entries {
      switch key {
      case .string(let name):
        guard let text = name.text else { throw refusal("it has a name that isn't valid UTF-8") }
        names.append((text, value))
      case .integer(let position): elements.append((position, value))
      case .number: throw refusal("it has a key that is a float")
      case .boolean: throw refusal("it has a key that is a boolean")
      case .nil, .table, .userdata, .function, .coroutine:
        throw refusal("it has a key that is neither a name nor a position")
      }
    }
    elements.sort { $0.position < $1.position }
    guard zip(1..., elements).allSatisfy({ $0 == $1.position }) else {
      throw refusal("it has positions with gaps between them; json.null fills a gap")
    }
    names.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return (names, elements.map(\.value))
  }

  /// A member, and after it the members of a list, which have no place in an array: "persons.loading".
  private static func withMembersBeside(_ member: StateValue.Member) -> [StateValue.Member] {
    guard case .list(_, let beside) = member.value else { return [member] }
    return [member]
      + beside.flatMap {
        withMembersBeside(.init(name: "\(member.name).\($0.name)", value: $0.value))
      }
  }

  private func refusal(_ problem: String) -> JSONError {
    JSONError(place: .path(path.isEmpty ? nil : pathText), problem: problem)
  }

  /// The path as Lua code would index it.
  private var pathText: String {
    path.enumerated().map { index, key in
      switch key {
      case .position(let position): return "[\(position)]"
      case .name(let name):
        let shown = name.count > 60 ? name.prefix(60) + "..." : name
        guard LuaTokens.isName(shown.utf8) else { return "[\(shown.luaLiteral)]" }
        return index > 0 ? ".\(shown)" : shown
      }
    }.joined()
  }
}
