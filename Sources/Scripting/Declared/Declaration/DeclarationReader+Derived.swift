import Lua
import StateStore

// The derived values of a declaration.
extension DeclarationReader {
  /// A derived value: a field, or a function if it has parameters.
  enum DerivedMember {
    case field(FeatureDeclaration.Derived)
    case function(FeatureDeclaration.DerivedFunction)
  }

  func derived(
    _ value: LuaValue, in region: Range<Int>, over fields: DeclaredFields
  ) throws -> [DerivedMember] {
    try entries(
      of: "derived", value, in: region, "a table of functions: { total = function(state) ... end }"
    ) { member, path in
      guard try kind(of: member.value) == "derived" else {
        return .field(try field(member.name, member.value, help: "", at: path, over: fields))
      }
      let content = try content(of: member.value, "derived", at: path)
      let table = try CallTable(content, at: path, reader: self, known: [], acceptsQuery: true)
      guard let value = table.query ?? table.code.map({ .function($0) }) else {
        throw DeclarationError.bad(path, "it needs a function(state, ...), or a query")
      }
      guard !table.parameters.isEmpty else {
        return .field(try field(member.name, value, help: table.help, at: path, over: fields))
      }
      guard let code = table.code else {
        throw DeclarationError.bad(path, "a query has no parameters; write a function(state, ...)")
      }
      // The state, the parameters, and the app if the function has one more.
      let count = try definition(of: code, at: path).parameters.count
      return .function(
        FeatureDeclaration.DerivedFunction(
          call: table.call(named: member.name), code: code,
          readsApp: count > table.parameters.count + 1))
    }
  }

  private func field(
    _ name: String, _ value: LuaValue, help: String, at path: String, over fields: DeclaredFields
  ) throws -> FeatureDeclaration.Derived {
    if let (query, functions) = try query(value, at: path, over: fields) {
      return FeatureDeclaration.Derived(
        field: .init(name, help: help, readsApp: false, isListView: query.kind.hasObject),
        source: .query(query, functions))
    }
    guard case .function(let code) = value else {
      throw DeclarationError.bad(path, "it must be a function, or a query such as sum(...)")
    }
    let readsApp = try definition(of: code, at: path).parameters.count > 1
    return FeatureDeclaration.Derived(
      field: .init(name, help: help, readsApp: readsApp),
      source: .function(code, readsApp: readsApp))
  }

  // MARK: - Queries

  private static let aggregates: [String: QueryKind] = [
    "sum": .sum, "count": .count, "min": .minimum, "max": .maximum,
  ]

  /// Reads a query and its functions of a record, of which one that counts all records has none; nil for another value.
  private func query(
    _ value: LuaValue, at path: String, over fields: DeclaredFields
  ) throws -> (DeclaredQuery, [LuaFunction?])? {
    guard let word = try kind(of: value), case .table(let table)? = try marked(value) else {
      return nil
    }
    let kind: QueryKind
    var members: [(member: QueryKind.Member, function: LuaFunction?)] = []
    switch word {
    case "where": kind = .selection
    case "sorted": kind = .order
    case "group":
      members = try groupMembers(table.rawGet("members"), at: path)
      kind = .groups(members.map(\.member))
    default:
      guard let aggregate = Self.aggregates[word] else { return nil }
      kind = aggregate
    }
    let list = try list(table.rawGet("list"), of: word, at: path, among: fields)
    guard !list.isMap || !kind.hasObject else {
      throw DeclarationError.bad(path, "of a map there are sum, count, min and max")
    }
    let function = try function(of: table, word, at: path)
    return (DeclaredQuery(kind, over: list), [function] + members.map(\.function))
  }

  private func list(
    _ value: LuaValue, of word: String, at path: String, among fields: DeclaredFields
  ) throws(DeclarationError) -> DeclaredList {
    let lists = fields.fields.compactMap(\.list)
    guard case .string(let name) = value else {
      throw .bad(path, "it needs the name of a list: \(word)(\"items\", function(item) ... end)")
    }
    guard let list = lists.first(where: { $0.name == name.description }) else {
      throw .bad(
        path,
        "\(self.name) has no list '\(name.description.shortenedForMessage)'"
          + (lists.isEmpty ? "" : Self.remedy(name.description, lists.map(\.name))))
    }
    return list
  }

  private func function(
    of query: LuaTable, _ word: String, at path: String
  ) throws -> LuaFunction? {
    let value = try query.rawGet("fn")
    if value == .nil, word == "count" { return nil }
    guard case .function(let function) = value else {
      throw DeclarationError.bad(path, "\(word) needs a function of a record")
    }
    return function
  }

  private func groupMembers(
    _ value: LuaValue, at path: String
  ) throws -> [(member: QueryKind.Member, function: LuaFunction?)] {
    let expected = "a table of sum, count, min and max: { total = sum(function(item) ... end) }"
    guard value != .nil else {
      throw DeclarationError.bad(path, "a group has \(expected)")
    }
    let table = try plainTable(value, at: path, expected)
    return try members(of: table, at: path, 0..<0).map { member in
      let path = "\(path).\(member.name)"
      guard let word = try kind(of: member.value), let kind = Self.aggregates[word],
        case .table(let query)? = try marked(member.value)
      else { throw DeclarationError.bad(path, "it must be sum, count, min or max") }
      guard try query.rawGet("list") == .nil else {
        throw DeclarationError.bad(
          path, "it is about the records of a group: write \(word)(function(record) ... end)")
      }
      return (
        QueryKind.Member(member.name, kind), try function(of: query, word, at: path)
      )
    }
  }
}
