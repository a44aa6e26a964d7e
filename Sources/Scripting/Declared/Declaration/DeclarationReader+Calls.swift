import Lua
import StateStore

// The actions and requests of a declaration.
extension DeclarationReader {
  func actions(
    _ value: LuaValue, in region: Range<Int>
  ) throws -> [FeatureDeclaration.Action] {
    try entries(
      of: "actions", value, in: region, "a table of actions: { clear = function(state) ... end }"
    ) { member, path in
      if case .function(let code) = member.value {
        let definition = try definition(of: code, at: path)
        guard !definition.isVariadic else {
          throw DeclarationError.bad(
            path, "its parameters have names: write them in place of ...")
        }
        let parameters = definition.untypedParameters
        for parameter in parameters {
          try Self.check(parameter.name, at: "\(path).\(parameter.name)")
        }
        return FeatureDeclaration.Action(
          call: DeclaredFeature.Call(member.name, parameters: parameters), code: code,
          result: source.result(ofFunctionOn: definition.firstLine, in: member.region))
      }
      let content = try content(of: member.value, "action", at: path)
      let table = try CallTable(content, at: path, reader: self, known: [])
      guard let code = table.code else {
        throw DeclarationError.bad(path, "it needs a function(state, ...) that changes the state")
      }
      let line = try definition(of: code, at: path).firstLine
      return FeatureDeclaration.Action(
        call: table.call(named: member.name), code: code,
        result: source.result(ofFunctionOn: line, in: member.region))
    }
  }

  func requests(
    _ value: LuaValue, in region: Range<Int>
  ) throws -> [FeatureDeclaration.Request] {
    try entries(
      of: "requests", value, in: region, "a table of requests: { checkout = request { ... } }"
    ) { member, path in
      let content = try content(of: member.value, "request", at: path)
      let table = try CallTable(
        content, at: path, reader: self, known: ["ask", "asked", "done", "exclusive", "latest"])
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
      let call = table.call(named: member.name)
      return FeatureDeclaration.Request(
        type: DeclaredFeature.RequestType(call, try policy(table, at: path)),
        asked: try code("asked"), done: try code("done"))
    }
  }

  func functions(
    _ value: LuaValue, in region: Range<Int>
  ) throws -> [FeatureDeclaration.Function] {
    try entries(
      of: "functions", value, in: region,
      "a table of functions: { add_all = function(\(name), ...) ... end }"
    ) { member, path in
      guard try kind(of: member.value) == "func" else {
        let definition = try definition(of: function(member.value, at: path), at: path)
        return FeatureDeclaration.Function(
          call: DeclaredFeature.Call(member.name, parameters: definition.untypedParameters),
          isVariadic: definition.isVariadic, isTyped: false, isGroup: true)
      }
      let content = try content(of: member.value, "func", at: path)
      let table = try CallTable(content, at: path, reader: self, known: ["group"])
      guard table.code != nil else {
        throw DeclarationError.bad(path, "it needs a function(\(name), ...)")
      }
      return FeatureDeclaration.Function(
        call: table.call(named: member.name), isVariadic: false, isTyped: true,
        isGroup: try table.flag("group", default: true, at: path))
    }
  }

  /// The table of an action, a request, a function or a derived value: parameters as texts, help, and code.
  struct CallTable {
    var parameters: [RecordType.Part] = []
    var help = ""
    var example = ""
    var code: LuaFunction?
    /// A value of the vocabulary in place of code.
    var query: LuaValue?
    var others: [String: LuaValue] = [:]

    init(
      _ table: LuaTable, at path: String, reader: DeclarationReader, known: [String],
      acceptsQuery: Bool = false
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
        case .function(let function) where code == nil && query == nil: code = function
        case .table where acceptsQuery && code == nil && query == nil: query = value
        default: throw DeclarationError.bad(path, "it has texts of parameters, and one function")
        }
      }
      for (index, parameter) in parameters.enumerated()
      where parameters[..<index].contains(where: { $0.name == parameter.name }) {
        throw DeclarationError.bad(path, "two parameters are called \(parameter.name)")
      }
      // A text such as "name", without a type, can be left out, too, wherever it stands.
      for (index, parameter) in parameters.enumerated().dropFirst()
      where !parameter.canBeLeftOut && parameters[index - 1].isBracketed {
        throw DeclarationError.bad(
          path,
          "\(parameter.name) can't be left out, so it comes before [\(parameters[index - 1].name)]")
      }
    }

    func call(named name: String) -> DeclaredFeature.Call {
      DeclaredFeature.Call(name, parameters: parameters, help: help, example: example)
    }

    func flag(_ name: String, default value: Bool = false, at path: String) throws -> Bool {
      switch others[name] {
      case nil: return value
      case .boolean(let flag)?: return flag
      default: throw DeclarationError.bad("\(path).\(name)", "it must be true or false")
      }
    }
  }

  /// The effect of overlapping requests: `exclusive = true`, `latest = true`, or that of each answer.
  private func policy(_ table: CallTable, at path: String) throws -> RequestPolicy {
    switch (try table.flag("exclusive", at: path), try table.flag("latest", at: path)) {
    case (true, true):
      throw DeclarationError.bad(
        path, "it can't be exclusive and latest: an exclusive request has no earlier one pending")
    case (true, false): return .exclusive
    case (false, true): return .latest
    case (false, false): return .concurrent
    }
  }

  /// A parameter: "name: string", "[quantity: integer]" for one that may be left out, or "at: time = now".
  private func parameter(
    _ declaration: String, at path: String
  ) throws(DeclarationError) -> RecordType.Part {
    // Not by a regular expression: making one takes as long as reading all the rest.
    var text = declaration.trimmingWhitespace
    let isOptional = text.hasPrefix("[") && text.hasSuffix("]")
    if isOptional { text = text.dropFirst().dropLast().trimmingWhitespace }
    var defaultText: String?
    if let sign = text.indexOutsideQuotes(of: "=") {
      defaultText = text[text.index(after: sign)...].trimmingWhitespace
      text = text[..<sign].trimmingWhitespace
    }
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
    if let defaultText {
      let value = try argumentDefault(defaultText, of: type, at: "\(path).\(name)")
      return .init(name, type, argumentDefault: value)
    }
    if isOptional, case .optional = type { return .init(name, type) }
    return .init(name, isOptional ? .optional(type) : type)
  }

  /// The default of a parameter: a word such as `now`, or a value as JSON writes it.
  private func argumentDefault(
    _ text: String, of type: ValueType, at path: String
  ) throws(DeclarationError) -> ArgumentDefault {
    guard !type.hasSecrets else { throw .bad(path, "a secret has no default") }
    if let word = ArgumentDefault.words.first(where: { $0.name == text }) {
      guard word.value.has(type) else {
        throw .bad(path, "\(word.name) has another type than \(type.name)")
      }
      return word.value
    }
    do {
      let value = try StateValue(json: text)
      return .value(try type.checked(value, at: "its default"))
    } catch let error as ValueTypeError {
      throw .bad(path, error.message)
    } catch {
      let words = ArgumentDefault.words.map(\.name).joined(separator: ", ")
      throw .bad(
        path,
        "\(text.luaLiteral) is no default; write a number, a text in double quotes, true, false, or one of \(words)"
      )
    }
  }
}

extension LuaFunctionDefinition {
  /// The parameters that scripts give: the first one is the state or the module.
  fileprivate var untypedParameters: [RecordType.Part] {
    parameters.dropFirst().map { RecordType.Part($0, .optional(.any)) }
  }
}

extension RecordType.Part {
  /// Whether it is a parameter in brackets, "[name: string]", or one with a default.
  fileprivate var isBracketed: Bool {
    if case .optional(let wrapped) = type { wrapped != .any } else { argumentDefault != nil }
  }
}

extension String {
  /// The place of the first character of a kind that isn't within double quotes; nil if there is none.
  fileprivate func indexOutsideQuotes(of character: Character) -> Index? {
    var isQuoted = false
    return indices.first { index in
      if self[index] == "\"" { isQuoted.toggle() }
      return !isQuoted && self[index] == character
    }
  }
}
