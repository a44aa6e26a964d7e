import Lua
import StateStore

/// The declaration of a feature, as its file's code makes it.
struct FeatureDeclaration {
  struct Action {
    let call: DeclaredFeature.Call
    let help: String
    let example: String
    let code: LuaFunction
    let result: DeclarationSource.Result
  }

  struct Request {
    let type: DeclaredFeature.RequestType
    let help: String
    let example: String
    let asked: LuaFunction?
    let done: LuaFunction?
  }

  struct Derived {
    let field: DeclaredFeature.DerivedField
    let code: LuaFunction
  }

  /// A function for scripts, which runs in their state.
  struct Function {
    let name: String
    let parameters: [String]
  }

  let name: String
  let help: String
  let version: Int
  let fields: DeclaredFields
  let derived: [Derived]
  let actions: [Action]
  let requests: [Request]
  let functions: [Function]
  let migrate: LuaFunction?
  let errorCodes: [String]
}

/// Reads the table of a declaration.
struct DeclarationReader {
  private let name: String
  private let source: DeclarationSource
  private let region: Range<Int>
  /// The metatable of values of the vocabulary.
  private let mark: LuaTable

  /// - Throws: ``DeclarationError`` if the name isn't one.
  init(
    of name: LuaValue, in source: DeclarationSource, _ mark: LuaTable
  ) throws(DeclarationError) {
    guard case .string(let bytes) = name, let name = bytes.text else {
      throw DeclarationError.bad("feature", "it needs a name: feature \"cart\" { ... }")
    }
    try Self.check(name, at: "feature \(name.luaLiteral)")
    (self.name, self.source, self.mark) = (name, source, mark)
    region = source.region(ofFeature: name)
  }

  /// Checks that a name is one of Lua and of paths.
  private static func check(_ name: String, at path: String) throws(DeclarationError) {
    guard StatePath.isName(name) else {
      throw .bad(path, "names have small letters, digits and underscores")
    }
    guard LuaTokens.isName(name.utf8) else { throw .bad(path, "\(name) is a word of Lua") }
  }

  // MARK: - The feature

  /// Reads the declaration.
  ///
  /// - Throws: ``DeclarationError``, or `LuaError`.
  func declaration(_ value: LuaValue) throws -> FeatureDeclaration {
    let table = try plainTable(value, at: name, "a table: feature \(name.luaLiteral) { ... }")
    let parts = try members(
      of: table, at: name, region,
      known: ["help", "version", "migrate", "state", "derived", "actions", "requests", "functions"])
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
    let declaration = FeatureDeclaration(
      name: name, help: try text(part("help")?.0, at: "\(name).help") ?? "", version: version,
      fields: fields,
      derived: try part("derived").map { try derived($0, in: $1) } ?? [],
      actions: try part("actions").map { try actions($0, in: $1) } ?? [],
      requests: try part("requests").map { try requests($0, in: $1) } ?? [],
      functions: try part("functions").map { try functions($0, in: $1) } ?? [],
      migrate: try part("migrate").map { try function($0.0, at: "\(name).migrate") },
      errorCodes: source.errorCodes(ofFeature: name))
    try checkNames(of: declaration)
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
    for action in declaration.actions {
      try add(action.call.name, "actions.\(action.call.name)", "an action")
    }
    for request in declaration.requests.map(\.type.call.name) {
      try add(request, "requests.\(request)", "a request")
      for suffix in ["pending", "error"] {
        try add("\(request)_\(suffix)", "requests.\(request)", "the state of a request")
      }
    }
    for function in declaration.functions {
      try add(function.name, "functions.\(function.name)", "a function")
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

  private func derived(
    _ value: LuaValue, in region: Range<Int>
  ) throws -> [FeatureDeclaration.Derived] {
    let path = "\(name).derived"
    let table = try plainTable(
      value, at: path, "a table of functions: { total = function(state) ... end }")
    return try members(of: table, at: path, region)
      .map { member in
        let code = try function(member.value, at: "\(path).\(member.name)")
        let parameters = try definition(of: code, at: "\(path).\(member.name)").parameters
        return FeatureDeclaration.Derived(
          field: DeclaredFeature.DerivedField(
            member.name, help: "", readsApp: parameters.count > 1),
          code: code)
      }
  }

  private func functions(
    _ value: LuaValue, in region: Range<Int>
  ) throws -> [FeatureDeclaration.Function] {
    let path = "\(name).functions"
    let table = try plainTable(
      value, at: path, "a table of functions: { add_all = function(\(name), ...) ... end }")
    return try members(of: table, at: path, region)
      .map { member in
        let path = "\(path).\(member.name)"
        let definition = try definition(of: function(member.value, at: path), at: path)
        // The first parameter is the module.
        let parameters = definition.parameters.dropFirst() + (definition.isVariadic ? ["..."] : [])
        return FeatureDeclaration.Function(name: member.name, parameters: Array(parameters))
      }
  }

  // MARK: - Calls

  private func actions(
    _ value: LuaValue, in region: Range<Int>
  ) throws -> [FeatureDeclaration.Action] {
    let path = "\(name).actions"
    let table = try plainTable(
      value, at: path, "a table of actions: { clear = function(state) ... end }")
    return try members(of: table, at: path, region)
      .map { member in
        let path = "\(path).\(member.name)"
        if case .function(let code) = member.value {
          let definition = try definition(of: code, at: path)
          guard !definition.isVariadic else {
            throw DeclarationError.bad(
              path, "its parameters have names: write them in place of ...")
          }
          let parameters = definition.parameters.dropFirst().map {
            DeclaredRecordType.Part($0, .optional(.any))
          }
          for parameter in parameters {
            try Self.check(parameter.name, at: "\(path).\(parameter.name)")
          }
          let call = DeclaredFeature.Call(member.name, parameters: parameters)
          return FeatureDeclaration.Action(
            call: call, help: "", example: "", code: code,
            result: source.result(ofFunctionOn: definition.firstLine, in: member.region))
        }
        let content = try content(of: member.value, "action", at: path)
        let table = try CallTable(content, at: path, reader: self, known: [])
        guard let code = table.code else {
          throw DeclarationError.bad(path, "it needs a function(state, ...) that changes the state")
        }
        let line = try definition(of: code, at: path).firstLine
        return FeatureDeclaration.Action(
          call: DeclaredFeature.Call(member.name, parameters: table.parameters), help: table.help,
          example: table.example, code: code,
          result: source.result(ofFunctionOn: line, in: member.region))
      }
  }

  private func requests(
    _ value: LuaValue, in region: Range<Int>
  ) throws -> [FeatureDeclaration.Request] {
    let path = "\(name).requests"
    let table = try plainTable(
      value, at: path, "a table of requests: { checkout = request { ... } }")
    return try members(of: table, at: path, region)
      .map { member in
        let path = "\(path).\(member.name)"
        let content = try content(of: member.value, "request", at: path)
        let table = try CallTable(
          content, at: path, reader: self, known: ["ask", "asked", "done", "exclusive"])
        guard table.code == nil else {
          throw DeclarationError.bad(path, "its functions have names: ask = function(...) and done")
        }
        func code(_ name: String) throws -> LuaFunction? {
          try table.others[name].map { try function($0, at: "\(path).\(name)") }
        }
        guard try code("ask") != nil else {
          throw DeclarationError.bad(
            path, "it needs ask = function(\(name), ...), which gives the answer")
        }
        var isExclusive = false
        if let value = table.others["exclusive"] {
          guard case .boolean(let flag) = value else {
            throw DeclarationError.bad("\(path).exclusive", "it must be true or false")
          }
          isExclusive = flag
        }
        let call = DeclaredFeature.Call(member.name, parameters: table.parameters)
        return FeatureDeclaration.Request(
          type: DeclaredFeature.RequestType(call, isExclusive: isExclusive), help: table.help,
          example: table.example, asked: try code("asked"), done: try code("done"))
      }
  }

  /// The table of an action or a request: parameters as texts, help, and code.
  private struct CallTable {
    var parameters: [DeclaredRecordType.Part] = []
    var help = ""
    var example = ""
    var code: LuaFunction?
    var others: [String: LuaValue] = [:]

    init(
      _ table: LuaTable, at path: String, reader: DeclarationReader, known: [String]
    ) throws {
      var positions: [(Int64, LuaValue)] = []
      for (key, value) in try table.entries() {
        switch (key, value) {
        case (.integer(let position), _): positions.append((position, value))
        case (.string("help"), _): help = try reader.text(value, at: "\(path).help") ?? ""
        case (.string("example"), _): example = try reader.text(value, at: "\(path).example") ?? ""
        case (.string(let key), _):
          let name = key.description
          guard known.contains(name) else {
            throw reader.unknown(name, at: path, known: ["help", "example"] + known)
          }
          others[name] = value
        default: throw DeclarationError.bad(path, "it has a key that is no name")
        }
      }
      for (_, value) in positions.sorted(by: { $0.0 < $1.0 }) {
        switch value {
        case .string(let declaration):
          guard code == nil else {
            throw DeclarationError.bad(path, "parameters come before the function")
          }
          parameters.append(try reader.parameter(declaration.description, at: path))
        case .function(let function) where code == nil: code = function
        default: throw DeclarationError.bad(path, "it has texts of parameters, and one function")
        }
      }
      for (index, parameter) in parameters.enumerated()
      where parameters[..<index].contains(where: { $0.name == parameter.name }) {
        throw DeclarationError.bad(path, "two parameters are called \(parameter.name)")
      }
      // A text such as "name", without a type, can be left out, too, wherever it stands.
      for (index, parameter) in parameters.enumerated().dropFirst()
      where !parameter.type.isOptional && parameters[index - 1].type.isBracketed {
        throw DeclarationError.bad(
          path,
          "\(parameter.name) can't be left out, so it comes before [\(parameters[index - 1].name)]")
      }
    }
  }

  /// A parameter: "name: string", or "[quantity: integer]" for one that may be left out.
  private func parameter(
    _ declaration: String, at path: String
  ) throws(DeclarationError) -> DeclaredRecordType.Part {
    // Not by a regular expression: making one takes as long as reading all the rest.
    var text = declaration[...].trimmingWhitespace
    let isOptional = text.hasPrefix("[") && text.hasSuffix("]")
    if isOptional { text = text.dropFirst().dropLast().trimmingWhitespace }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map(\.trimmingWhitespace)
    guard !text.contains(where: { "[]".contains($0) }), parts.allSatisfy({ !$0.isEmpty }),
      parts.first?.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) == true
    else {
      throw .bad(
        path,
        "\(declaration.luaLiteral) is no parameter; write \"name: string\" or \"[name: string]\"")
    }
    let name = String(parts[0])
    try Self.check(name, at: "\(path).\(name)")
    let type =
      parts.count == 1
      ? .optional(.any) : try self.type(named: String(parts[1]), at: "\(path).\(name)")
    if isOptional, case .optional = type { return .init(name, type) }
    return .init(name, isOptional ? .optional(type) : type)
  }

  // MARK: - The state

  private func fields(_ value: LuaValue, in region: Range<Int>) throws -> DeclaredFields {
    let path = "\(name).state"
    var fields = DeclaredFields()
    let table = try plainTable(value, at: path, "a table of fields: { count = 0 }")
    for member in try members(of: table, at: path, region) {
      let path = "\(path).\(member.name)"
      switch try kind(of: member.value) {
      case "list":
        let content = try content(of: member.value, "list", at: path)
        fields.addList(
          member.name, try list(content, at: path, in: member.region), help: "")
      case "set":
        guard case .string(let name) = try marked(member.value) ?? .nil,
          let type = Self.types[name.description], type == .integer || type == .string
        else {
          throw DeclarationError.bad(
            path, "a set has integers or strings: set \"integer\" or set \"string\"")
        }
        fields.addSet(member.name, of: type, help: "")
      default:
        let part = try part(member.name, member.value, at: path, in: member.region)
        fields.addValue(
          member.name, part.type, help: "", initial: part.initial, isEditable: part.isEditable)
      }
    }
    return fields
  }

  private func list(
    _ table: LuaTable, at path: String, in region: Range<Int>
  ) throws -> DeclaredListType {
    var isNewestFirst = false
    var sorting: String?
    var parts: [DeclaredRecordType.Part] = []
    for member in try members(of: table, at: path, region) {
      let path = "\(path).\(member.name)"
      switch (member.name, member.value) {
      case ("id", _): throw DeclarationError.bad(path, "records get an id from their list")
      case ("newest_first", .boolean(let flag)): isNewestFirst = flag
      case ("newest_first", _): throw DeclarationError.bad(path, "it must be true or false")
      case ("sorted_by", .string(let name)): sorting = name.description
      case ("sorted_by", _):
        throw DeclarationError.bad(path, "it must be the name of a field: sorted_by = \"name\"")
      default:
        parts.append(try part(member.name, member.value, at: path, in: member.region))
      }
    }
    guard !parts.isEmpty else {
      throw DeclarationError.bad(path, "a list has records with fields: list { name = \"\" }")
    }
    guard let sorting else {
      return DeclaredListType(
        DeclaredRecordType(parts, hasID: true), isNewestFirst: isNewestFirst)
    }
    guard !isNewestFirst else {
      throw DeclarationError.bad(path, "it has either newest_first or sorted_by")
    }
    guard let index = parts.firstIndex(where: { $0.name == sorting }) else {
      throw DeclarationError.bad(
        "\(path).sorted_by",
        "the records have no field '\(sorting.onOneLine)'"
          + Self.remedy(sorting, parts.map(\.name)))
    }
    guard parts[index].type.isComparable else {
      throw DeclarationError.bad(
        "\(path).sorted_by", "\(sorting) has no order: sort by a number, a text or a boolean")
    }
    return DeclaredListType(DeclaredRecordType(parts, hasID: true), sortingPart: index)
  }

  private func part(
    _ name: String, _ value: LuaValue, at path: String, in region: Range<Int>
  ) throws -> DeclaredRecordType.Part {
    if try kind(of: value) == "editable" {
      let (type, initial) = try type(of: try marked(value) ?? .nil, at: path, in: region)
      return .init(name, type, initial: initial, isEditable: true)
    }
    let (type, initial) = try type(of: value, at: path, in: region)
    return .init(name, type, initial: initial)
  }

  /// The type that a default or a word of the vocabulary stands for, with the initial value.
  private func type(
    of value: LuaValue, at path: String, in region: Range<Int>
  ) throws -> (type: DeclaredType, initial: StateValue) {
    guard path.utf8.count < Self.maximumPath else {
      throw DeclarationError.bad("\(path.prefix(60))...", "records are too deep in each other")
    }
    switch value {
    case .boolean(let value): return (.boolean, .boolean(value))
    case .integer(let value): return (.integer, .integer(Int(value)))
    case .number(let value):
      guard value.isFinite else { throw DeclarationError.bad(path, "a number is finite") }
      return (.number, .number(value))
    case .string(let bytes):
      guard let text = bytes.text else {
        throw DeclarationError.bad(path, "its text isn't valid UTF-8")
      }
      return (.string, .text(text))
    case .table: break
    case .nil:
      throw DeclarationError.bad(path, "its type is missing; give it a default such as 0 or \"\"")
    default:
      throw DeclarationError.bad(
        path, "a \(value) can't be saved; give it a default such as 0 or \"\"")
    }
    guard let kind = try kind(of: value) else {
      throw DeclarationError.bad(
        path, "a table says nothing of its type; write list { ... } or record { ... }")
    }
    let content = try marked(value) ?? .nil
    let type: DeclaredType
    switch kind {
    case "secret": type = .secret
    case "optional":
      if case .string(let name) = content {
        type = .optional(try self.type(named: name.description, at: path, isInState: true))
      } else {
        type = .optional(try self.type(of: content, at: path, in: region).type)
      }
    case "enum": type = .choice(try names(content, at: path))
    case "record":
      let table = try plainTable(content, at: path, "a table of fields: record { city = \"\" }")
      let parts = try members(of: table, at: path, region).map { member in
        let path = "\(path).\(member.name)"
        guard try self.kind(of: member.value) != "editable" else {
          throw DeclarationError.bad(
            path, "make the whole record editable: editable(record { ... })")
        }
        return try part(member.name, member.value, at: path, in: member.region)
      }
      guard !parts.isEmpty else { throw DeclarationError.bad(path, "a record has fields") }
      type = .record(DeclaredRecordType(parts))
    case "list", "set":
      throw DeclarationError.bad(
        path, "a \(kind) is a field of the state itself; give it a place there")
    case "editable": throw DeclarationError.bad(path, "editable stands outside: editable(...)")
    default: throw DeclarationError.bad(path, "\(kind) isn't a type of a value")
    }
    return (type, type.initial)
  }

  private func names(_ value: LuaValue, at path: String) throws -> [String] {
    let table = try plainTable(value, at: path, "texts: enum { \"small\", \"large\" }")
    var names: [String] = []
    for position in 0..<(try table.rawLength()) {
      guard case .string(let name) = try table.rawGet(position + 1), let name = name.text,
        !names.contains(name)
      else { throw DeclarationError.bad(path, "an enum has different texts") }
      names.append(name)
    }
    guard !names.isEmpty, try table.entries().count == names.count else {
      throw DeclarationError.bad(path, "an enum has texts: enum { \"small\", \"large\" }")
    }
    return names
  }

  /// The length in bytes of the longest path of a field.
  private static let maximumPath = 500

  private static let types: [String: DeclaredType] = [
    "any": .any, "boolean": .boolean, "integer": .integer, "number": .number, "string": .string,
    "secret": .secret, "table": .any,
  ]

  /// The type with a name; types of the state have known parts.
  private func type(
    named name: String, at path: String, isInState: Bool = false
  ) throws(DeclarationError) -> DeclaredType {
    if let type = Self.types[name] {
      guard !isInState || type != .any else {
        throw .bad(
          path, "\(name.luaLiteral) is a type of parameters; write record { ... } with its fields")
      }
      return type
    }
    let choices = name.split(separator: "|").map { $0.trimmingWhitespace }
    if choices.allSatisfy({ $0.count > 2 && $0.hasPrefix("\"") && $0.hasSuffix("\"") }) {
      return .choice(choices.map { String($0.dropFirst().dropLast()) })
    }
    let known = Self.types.filter { !isInState || $0.value != .any }.keys.sorted()
    throw .bad(
      path,
      "\(name.luaLiteral) is no type" + Self.remedy(name, known))
  }

  // MARK: - Values

  /// A member of a table, with the tokens from its key on.
  private struct Member {
    let name: String
    let value: LuaValue
    let region: Range<Int>
  }

  /// The members of a table, in the order of the source; those that it computes come last.
  private func members(
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

  private func unknown(_ name: String, at path: String, known: [String]) -> DeclarationError {
    .bad("\(path).\(name.onOneLine)", "there is no such part" + Self.remedy(name, known))
  }

  private static func remedy(_ name: String, _ known: [String]) -> String {
    name.suggestion(of: known) ?? "; there are \(known.joined(separator: ", "))"
  }

  /// The word of the vocabulary that made a value; nil for another value.
  private func kind(of value: LuaValue) throws -> String? {
    guard case .table(let table) = value, try table.metatable() == mark,
      case .string(let kind) = try table.rawGet("kind")
    else { return nil }
    return kind.description
  }

  /// The content of a value that a word of the vocabulary made.
  private func marked(_ value: LuaValue) throws -> LuaValue? {
    guard case .table(let table) = value else { return nil }
    return try table.rawGet("content")
  }

  private func content(of value: LuaValue, _ word: String, at path: String) throws -> LuaTable {
    guard try kind(of: value) == word, let content = try marked(value) else {
      throw DeclarationError.bad(path, "write \(word) { ... }")
    }
    return try plainTable(content, at: path, "a table: \(word) { ... }")
  }

  private func plainTable(
    _ value: LuaValue, at path: String, _ expected: String
  ) throws -> LuaTable {
    guard case .table(let table) = value, try kind(of: value) == nil else {
      throw DeclarationError.bad(path, "it must be \(expected)")
    }
    return table
  }

  private func function(_ value: LuaValue, at path: String) throws(DeclarationError) -> LuaFunction
  {
    guard case .function(let function) = value else { throw .bad(path, "it must be a function") }
    return function
  }

  private func definition(
    of function: LuaFunction, at path: String
  ) throws -> LuaFunctionDefinition {
    guard case .lua(let definition) = try function.origin() else {
      throw DeclarationError.bad(path, "it must be a function written in Lua")
    }
    return definition
  }

  private func text(_ value: LuaValue?, at path: String) throws(DeclarationError) -> String? {
    guard let value else { return nil }
    guard case .string(let bytes) = value, let text = bytes.text else {
      throw .bad(path, "it must be a string")
    }
    return text
  }
}

extension Substring {
  fileprivate var trimmingWhitespace: Substring {
    let end = reversed().prefix { $0.isWhitespace }.count
    return drop { $0.isWhitespace }.dropLast(end)
  }
}

extension DeclaredType {
  fileprivate var isOptional: Bool { if case .optional = self { true } else { false } }

  /// Whether it is the type of a parameter in brackets: "[name: string]".
  fileprivate var isBracketed: Bool {
    if case .optional(let wrapped) = self { wrapped != .any } else { false }
  }

  /// Whether its values have an order.
  fileprivate var isComparable: Bool {
    switch self {
    case .boolean, .integer, .number, .string, .choice: true
    case .optional(let wrapped): wrapped.isComparable
    case .any, .secret, .record: false
    }
  }
}
