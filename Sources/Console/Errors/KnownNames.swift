import Lua
import Scripting

/// The names that code can use, read without running any of its code.
@MainActor
struct KnownNames {
  let state: LuaState
  let modules: [LuaModule]

  /// The number of a table's entries that are looked at.
  private static let maximumCount = 10_000

  /// The number of tables that are looked at in a chain of `__index` tables, which may be endless.
  private static let maximumDepth = 10

  /// The names of the global variables.
  var globals: [String] {
    read { () throws(LuaError) in try names(in: state.globals()) }
  }

  /// The names of the methods of strings.
  var stringMethods: [String] { members(of: ["string"]) }

  /// The names of the members of what an expression such as `string` or `app.counter` stands for.
  ///
  /// - Parameter path: The names in the expression: a global variable, and fields.
  /// - Returns: The names; none if it isn't a table.
  func members(of path: [String]) -> [String] {
    read { () throws(LuaError) in
      switch try value(of: path) {
      case .table(let table): try names(in: table, path.last)
      case .string: try names(in: value(of: ["string"]))
      default: []
      }
    }
  }

  private func value(of path: [String]) throws(LuaError) -> LuaValue {
    var value = LuaValue.table(try state.globals())
    for name in path {
      guard case .table(let table) = value else { return .nil }
      value = try table.rawGet(name)
    }
    return value
  }

  private func names(in value: LuaValue) throws(LuaError) -> [String] {
    guard case .table(let table) = value else { return [] }
    return try names(in: table)
  }

  /// The names of a table's fields, its `__index` tables' included, or the members of the module of some name.
  private func names(in table: LuaTable, _ module: String? = nil) throws(LuaError) -> [String] {
    var found: [String] = []
    var next: LuaTable? = table
    for _ in 0..<Self.maximumDepth {
      guard let table = next else { break }
      for (key, _) in try table.entries(atMost: Self.maximumCount).entries {
        if case .string(let bytes) = key, let name = bytes.text, LuaTokens.isName(name.utf8) {
          found.append(name)
        }
      }
      guard case .table(let index)? = try table.metatable()?.rawGet("__index") else { break }
      next = index
    }
    // A module's table is empty itself, and its properties are in no table.
    if let module = modules.first(where: { $0.name == module }),
      try table.entries(atMost: 1).entries.isEmpty
    {
      found += module.documentation.map(\.name)
    }
    return found
  }

  private func read(_ names: () throws(LuaError) -> [String]) -> [String] {
    do {
      return try names()
    } catch {
      // The state is closed or has no memory left: there is nothing to suggest.
      return []
    }
  }
}
