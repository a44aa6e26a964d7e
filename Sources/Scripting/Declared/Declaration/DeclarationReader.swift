import Lua
import StateStore

struct DeclarationReader {
  let name: String
  let source: DeclarationSource
  private let region: Range<Int>
  /// The metatable of values of the vocabulary.
  private let mark: LuaTable
  let typeCount = TypeCount()

  /// A number that all reads of a declaration share.
  final class TypeCount {
    var value = 0
  }

  init(
    of name: LuaValue, in source: DeclarationSource, _ mark: LuaTable
  ) throws(DeclarationError) {
    guard case .string(let bytes) = name, let name = bytes.text else {
      throw DeclarationError.bad("feature", "it needs a name: feature \"cart\" { ... }")
    }
    let place = "feature \(name.shortenedForMessage.luaLiteral)"
    try Self.check(name, at: place)
    if let owner = ReservedNames.owner(of: name) {
      throw .bad(place, "\(name) is \(owner); give the feature another name")
    }
    (self.name, self.source, self.mark) = (name, source, mark)
    region = source.region(ofFeature: name)
  }

  /// Checks that a name is one of Lua and of paths.
  static func check(_ name: String, at path: String) throws(DeclarationError) {
    guard StatePath.isName(name) else {
      throw .bad(path, "names have small letters, digits and underscores")
    }
    guard LuaTokens.isName(name.utf8) else { throw .bad(path, "\(name) is a word of Lua") }
  }

  // MARK: - The feature

  func declaration(_ value: LuaValue) throws -> FeatureDeclaration {
    let table = try plainTable(value, at: name, "a table: feature \(name.luaLiteral) { ... }")
    let parts = try members(
      of: table, at: name, region,
      known: [
        "help", "version", "migrate", "state", "derived", "actions", "requests", "functions",
        "page",
      ])
    func part(_ name: String) -> (LuaValue, Range<Int>)? {
      parts.first { $0.name == name }.map { ($0.value, $0.region) }
    }
    var version = 1
    if let (value, _) = part("version") {
      guard case .integer(let number) = value, number >= 1, number < 1 << 53 else {
        throw DeclarationError.bad("\(name).version", "it must be a whole number from 1")
      }
      version = Int(number)
    }
    let fields = try part("state").map { try self.fields($0, in: $1) } ?? DeclaredFields()
    let derived = try part("derived").map { try self.derived($0, in: $1, over: fields) } ?? []
    var declaration = FeatureDeclaration(
      name: name, help: try text(part("help")?.0, at: "\(name).help") ?? "", version: version,
      fields: fields,
      derived: derived.compactMap { if case .field(let field) = $0 { field } else { nil } },
      derivedFunctions: derived.compactMap {
        if case .function(let function) = $0 { function } else { nil }
      },
      actions: try part("actions").map { try actions($0, in: $1) } ?? [],
      requests: try part("requests").map { try requests($0, in: $1) } ?? [],
      functions: try part("functions").map { try functions($0, in: $1) } ?? [],
      migrate: try part("migrate").map { try function($0.0, at: "\(name).migrate") },
      errorCodes: source.errorCodes(ofFeature: name))
    try checkNames(of: declaration)
    for (call, part, _) in declaration.calls {
      for parameter in call.parameters.parts {
        try checkReference(
          parameter.type, in: fields, at: "\(name).\(part).\(call.name).\(parameter.name)")
      }
    }
    if let (value, _) = part("page") { declaration.page = try page(value, of: declaration) }
    return declaration
  }

  /// Checks that each member of the module has a name of its own, and each action in the history.
  private func checkNames(of declaration: FeatureDeclaration) throws(DeclarationError) {
    var members: [String: String] = [:]
    func add(_ name: String, _ part: String, _ role: String) throws(DeclarationError) {
      if let other = members.updateValue(role, forKey: name) {
        throw .bad("\(self.name).\(part)", "\(other) has the name \(name), too; rename one")
      }
    }
    for field in declaration.fields.fields {
      try add(field.name, "state.\(field.name)", "a field of the state")
    }
    for derived in declaration.derived {
      try add(derived.field.name, "derived.\(derived.field.name)", "a derived value")
    }
    for (call, part, role) in declaration.calls {
      let place = "\(part).\(call.name)"
      try add(call.name, place, role)
      for suffix in part == "requests" ? ["pending", "error"] : [] {
        try add("\(call.name)_\(suffix)", place, "the state of a request")
      }
    }
    for setter in declaration.fields.setterNames {
      if let other = members.updateValue("the assignment of an editable field", forKey: setter.name)
      {
        throw .bad(
          "\(name).state.\(setter.field)",
          "assigning it is an action \(setter.name), and \(other) has that name; rename one")
      }
    }
  }

  /// Reads each entry of a part of the declaration, such as each of its actions, in the order of the source.
  func entries<Entry>(
    of part: String, _ value: LuaValue, in region: Range<Int>, _ expected: String,
    _ read: (_ member: Member, _ path: String) throws -> Entry
  ) throws -> [Entry] {
    let path = "\(name).\(part)"
    let table = try plainTable(value, at: path, expected)
    return try members(of: table, at: path, region).map { try read($0, "\(path).\($0.name)") }
  }

  // MARK: - Values

  /// A member of a table, with the tokens from its key on.
  struct Member {
    let name: String
    let value: LuaValue
    let region: Range<Int>
  }

  /// The members of a table, in the order of the source; those that it computes come last.
  func members(
    of table: LuaTable, at path: String, _ region: Range<Int>, known: [String]? = nil
  ) throws -> [Member] {
    let keys = source.keys(in: region)
    var members: [Member] = []
    for (key, value) in try table.entries() {
      guard case .string(let bytes) = key, let name = bytes.text else {
        throw DeclarationError.bad(path, "it has a value without a name: \(value)")
      }
      if let known, !known.contains(name) { throw unknown(name, at: path, known: known) }
      try Self.check(name, at: "\(path).\(name.onOneLine)")
      members.append(Member(name: name, value: value, region: keys[name] ?? region))
    }
    func place(_ member: Member) -> (Int, String) {
      (keys[member.name]?.lowerBound ?? .max, member.name)
    }
    return members.sorted { place($0) < place($1) }
  }

  /// The values of a table by their names, which all have to be known.
  func options(_ table: LuaTable, at path: String, known: [String]) throws -> [String: LuaValue] {
    var options: [String: LuaValue] = [:]
    var unknown: [String] = []
    for (key, value) in try table.entries() {
      if case .string(let name) = key, known.contains(name.description) {
        options[name.description] = value
      } else {
        unknown.append("\(key)")
      }
    }
    // Always the same one of several.
    if let name = unknown.min() { throw self.unknown(name, at: path, known: known) }
    return options
  }

  func unknown(_ name: String, at path: String, known: [String]) -> DeclarationError {
    .bad("\(path).\(name.onOneLine)", "there is no such part" + Self.remedy(name, known))
  }

  static func remedy(_ name: String, _ known: [String]) -> String {
    name.suggestion(of: known) ?? "; there are \(known.joined(separator: ", "))"
  }

  /// The word of the vocabulary that made a value; nil for another value.
  func kind(of value: LuaValue) throws -> String? {
    guard case .table(let table) = value, try table.metatable() == mark,
      case .string(let kind) = try table.rawGet("kind")
    else { return nil }
    return kind.description
  }

  /// The content of a value that a word of the vocabulary made.
  func marked(_ value: LuaValue) throws -> LuaValue? {
    guard case .table(let table) = value else { return nil }
    return try table.rawGet("content")
  }

  func content(of value: LuaValue, _ word: String, at path: String) throws -> LuaTable {
    guard try kind(of: value) == word, let content = try marked(value) else {
      throw DeclarationError.bad(path, "write \(word) { ... }")
    }
    return try plainTable(content, at: path, "a table: \(word) { ... }")
  }

  func plainTable(
    _ value: LuaValue, at path: String, _ expected: String
  ) throws -> LuaTable {
    guard case .table(let table) = value, try kind(of: value) == nil else {
      throw DeclarationError.bad(path, "it must be \(expected)")
    }
    return table
  }

  func function(_ value: LuaValue, at path: String) throws(DeclarationError) -> LuaFunction {
    guard case .function(let function) = value else { throw .bad(path, "it must be a function") }
    return function
  }

  func definition(
    of function: LuaFunction, at path: String
  ) throws -> LuaFunctionDefinition {
    guard case .lua(let definition) = try function.origin() else {
      throw DeclarationError.bad(path, "it must be a function written in Lua")
    }
    return definition
  }

  func text(_ value: LuaValue?, at path: String) throws(DeclarationError) -> String? {
    guard let value else { return nil }
    guard case .string(let bytes) = value, let text = bytes.text else {
      throw .bad(path, "it must be a string")
    }
    return text
  }
}
