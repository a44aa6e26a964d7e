import Lua
import PrimereplLineEditing
import Scripting

// Descriptions of functions and variables in a line: for the hint of a call, and the only candidate of a completion.
extension LuaSubjectFinder {
  func signature(of callee: LuaExpression) throws(LuaError) -> CallSignature? {
    if case .method(let base, let name) = callee {
      guard let base = try subject(of: base) else { return nil }
      return try signature(ofMethod: name, in: base, called: callee.text)
    }
    guard let subject = try subject(of: callee) else { return nil }
    return try signature(of: subject, called: callee.text)
  }

  /// The signature of a function that is called with a colon, without the value that it is called on.
  private func signature(
    ofMethod name: String, in subject: LuaSubject, called text: String
  ) throws(LuaError) -> CallSignature? {
    if case .file = subject { return LuaLibrarySignatures["file:\(name)"] }
    guard let part = try part(of: subject, .string(Array(name.utf8))),
      let signature = try signature(of: part, called: text)
    else { return nil }
    // Documentation doesn't count the object as a parameter.
    if case .function = part { return signature }
    return signature.asMethod
  }

  /// The signature of a function, by its name in the text if it has no other; nil for what can't be called.
  private func signature(of subject: LuaSubject, called name: String) throws(LuaError)
    -> CallSignature?
  {
    switch subject {
    case .function(let member, let owner): return CallSignature(of: member, owner: owner)
    case .module(let module):
      return module.callDocumentation.map { CallSignature(of: $0, owner: "") }
    case .value(.function(let function), let path):
      switch try function.origin() {
      case .lua(let definition): return CallSignature(of: definition, name: name)
      case .native: return path.flatMap { LuaLibrarySignatures[$0] }
      }
    default: return nil
    }
  }

  /// The kind of a member of a value, or of a variable if there is no value, and the text that describes it.
  ///
  /// The kind is "function", "module", "local", "keyword", or a type. Both are empty if nothing is known.
  func description(
    of name: String, in owner: LuaSubject?, asMethod: Bool
  ) throws(LuaError) -> (kind: String, detail: StyledText) {
    let found: LuaSubject?
    if let owner {
      if case .file = owner {
        return ("function", LuaLibrarySignatures["file:\(name)"]?.styled() ?? StyledText())
      }
      if let (member, prefix) = documentation(of: name, in: owner) {
        return (member.kindText, member.detail(after: prefix))
      }
      found = try part(of: owner, .string(Array(name.utf8)))
    } else if scopes.variable(named: name) != nil {
      return ("local", StyledText("\(name)  local variable"))
    } else if LuaTokens.keywords.contains(name) {
      return ("keyword", StyledText())
    } else {
      found = try self.subject(of: .name(name))
    }
    guard let subject = found else { return ("", StyledText()) }
    return (subject.kind, try detail(of: subject, name, asMethod: asMethod) ?? StyledText())
  }

  private func detail(
    of subject: LuaSubject, _ name: String, asMethod: Bool
  ) throws(LuaError) -> StyledText? {
    if let signature = try signature(of: subject, called: name) {
      return (asMethod ? signature.asMethod : signature).styled()
    }
    switch subject {
    case .module(let module): return StyledText(module.name) + StyledText("  " + module.help, .dim)
    case .object(let objectClass): return StyledText("\(name): \(objectClass.name)")
    case .value(let value, let path):
      if let path, let known = LuaLibrarySignatures[path], known.parameters.isEmpty {
        return StyledText(path) + StyledText("  " + known.help, .dim)
      }
      switch value {
      case .boolean, .integer, .number: return StyledText("\(name) = \(value)")
      default: return StyledText("\(name): \(value)")
      }
    case .string, .file, .app, .fields, .array, .function: return nil
    }
  }
}

extension LuaMember {
  var kindText: String { isFunction ? "function" : types.joined(separator: ", ") }

  /// The signature after the name of its module or object with a dot or colon, and the help if there is any.
  func detail(after owner: String) -> StyledText {
    StyledText(owner + signature) + StyledText(help.isEmpty ? "" : "  " + help, .dim)
  }
}

extension LuaExpression {
  /// The expression as a function's name.
  fileprivate var text: String {
    switch self {
    case .name(let name): name
    case .index(let base, .string(let key)):
      "\(base.text).\(LuaStringLiteral.escaping(key, quote: UInt8(ascii: "\"")))"
    case .index(let base, .integer(let key)): "\(base.text)[\(key)]"
    case .index(let base, .unknown): "\(base.text)[...]"
    case .method(let base, let name): "\(base.text):\(name)"
    case .call(let callee, _): "\(callee.text)()"
    case .string: "string"
    case .table: "table"
    }
  }
}

extension LuaSubject {
  fileprivate var kind: String {
    switch self {
    case .module: "module"
    case .function, .value(.function, _): "function"
    case .object(let objectClass): objectClass.name
    case .string, .value(.string, _): "string"
    case .value(.boolean, _): "boolean"
    case .value(.integer, _): "integer"
    case .value(.number, _): "number"
    case .file: "file"
    case .app: "app"
    case .fields, .array, .value(.table, _): "table"
    case .value: ""
    }
  }
}
