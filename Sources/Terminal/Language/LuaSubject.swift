import Lua
import Scripting
import StateStore

/// A value as far as it is known without running code.
enum LuaSubject {
  /// The value itself, and the path of names that led to it from the global variables.
  case value(LuaValue, path: String?)
  case module(LuaModule)
  case object(LuaObjectClass)
  /// A documented function, with the text before its name, such as `counter.`.
  case function(LuaMember, owner: String)
  case fields([String])
  case array(of: LuaValueType)
  case string
  /// A file of the standard library.
  case file
  /// An app that `store.new()` made, whose fields are its modules.
  case app

  /// The subject for a value of a type; nil if the type says nothing.
  init?(type: LuaValueType) {
    switch type.required {
    case .object(let objectClass): self = .object(objectClass)
    case .list(let element): self = .array(of: element)
    case .table(_, let fields): self = .fields(fields.map(\.name))
    case .oneOf, .named("string"), .named("date"), .named("time"): self = .string
    case .named("app"): self = .app
    case .union(_, let types):
      guard let first = types.lazy.compactMap(LuaSubject.init(type:)).first else { return nil }
      self = first
    case .named, .optional, .map, .function, .variadic: return nil
    }
  }
}

/// Finds the subjects of a text's expressions, in the state and in documentation.
///
/// It reads tables raw, and never calls anything.
struct LuaSubjectFinder {
  let state: LuaState
  let modules: [LuaModule]
  let scopes: LuaScopes

  /// Expressions, variables that come from others, and tables that inherit from others are followed this far.
  private static let deepest = 64

  func subject(of expression: LuaExpression, depth: Int = 0) throws(LuaError) -> LuaSubject? {
    guard depth < Self.deepest else { return nil }
    switch expression {
    case .name(let name): return try subject(ofVariable: name, depth)
    case .string: return .string
    case .table(let open):
      return .fields(source.fieldNames(ofTableAt: open, before: source.tokens.count))
    case .index(let base, let key):
      guard let base = try subject(of: base, depth: depth + 1) else { return nil }
      return try part(of: base, key)
    case .method(let base, let name):
      guard let base = try subject(of: base, depth: depth + 1) else { return nil }
      return try part(of: base, .string(Array(name.utf8)))
    case .call(let callee, _):
      guard let callee = try subject(of: callee, depth: depth + 1) else { return nil }
      return try result(of: callee)
    }
  }

  private var source: SourceTokens { scopes.source }

  func module(named name: String) -> LuaModule? { modules.first { $0.name == name } }

  // MARK: - Variables

  private func subject(ofVariable name: String, _ depth: Int) throws(LuaError) -> LuaSubject? {
    if let local = scopes.variable(named: name) { return try origin(of: local, depth) }
    let value = try lookUp(.string(Array(name.utf8)), in: state.globals())
    if value != .nil { return try subject(of: value, path: name) }
    return try scopes.globals.last { $0.name == name }.map { global throws(LuaError) in
      try origin(of: global, depth)
    } ?? nil
  }

  private func origin(of variable: LuaScopes.Variable, _ depth: Int) throws(LuaError)
    -> LuaSubject?
  {
    switch variable.origin {
    case .unknown: return nil
    case .expression(let list, let position):
      guard let expression = source.element(ofListFrom: list, at: position) else { return nil }
      return try subject(of: expression, depth: depth + 1)
    case .elements(let iterator):
      guard case (.call(.name(let name), let list), _)? = source.expression(from: iterator),
        name == "ipairs" || name == "pairs",
        let (expression, _) = source.expression(from: list),
        let subject = try subject(of: expression, depth: depth + 1)
      else { return nil }
      return try part(of: subject, .integer(1))
    }
  }

  func subject(of value: LuaValue, path: String?) throws(LuaError) -> LuaSubject? {
    switch value {
    case .string: return .string
    case .table(let table):
      if let name = try table.moduleName(), let module = module(named: name) {
        return .module(module)
      }
      guard let metatable = try table.metatable() else { return .value(value, path: path) }
      let isApp = try metatable.rawGet("__name") == .string("app")
      return isApp ? .app : .value(value, path: path)
    case .userdata(let object):
      if let found = try object.objectClass() { return .object(found) }
      let isFile = try object.metatable()?.rawGet("__name") == .string("FILE*")
      return isFile ? .file : .value(value, path: path)
    case .nil, .boolean, .integer, .number, .function, .coroutine: return .value(value, path: path)
    }
  }

  // MARK: - Parts and results

  func part(of subject: LuaSubject, _ key: LuaExpression.Key) throws(LuaError) -> LuaSubject? {
    if let element = elementType(of: subject) {
      switch key {
      case .integer, .unknown: return self.subject(ofType: element)
      case .string: break
      }
    }
    guard case .value(let value, let path) = subject else {
      guard case .string(let name) = key else { return nil }
      return try member(String(decoding: name, as: UTF8.self), of: subject)
    }
    var part = LuaValue.nil
    switch value {
    case .table(let table): part = try lookUp(key, in: table)
    case .userdata(let object):
      if case .table(let index)? = try object.metatable()?.rawGet("__index") {
        part = try lookUp(key, in: index)
      }
    default: break
    }
    guard part != .nil else { return nil }
    guard case .string(let name) = key, let path else {
      return try self.subject(of: part, path: nil)
    }
    let text = String(decoding: name, as: UTF8.self)
    return try self.subject(of: part, path: path == "_G" ? text : "\(path).\(text)")
  }

  private func result(of subject: LuaSubject) throws(LuaError) -> LuaSubject? {
    switch subject {
    case .function(let member, _):
      return member.valueTypes.first.flatMap { self.subject(ofType: $0) }
    case .module(let module):
      return module.callDocumentation?.valueTypes.first.flatMap { self.subject(ofType: $0) }
    case .value(.function(let function), let path?) where try function.origin() == .native:
      return switch LuaLibrarySignatures[path]?.results.prefix(while: { $0 != "," }) {
      case "string": .string
      case "file": .file
      default: nil
      }
    default: return nil
    }
  }

  /// The subject for a value of a type, also of one that names the class of a list's records: that of a reference to one.
  private func subject(ofType type: LuaValueType) -> LuaSubject? {
    guard case .named(let name) = type.required, name.contains(".") else {
      return LuaSubject(type: type)
    }
    let types = modules.lazy.flatMap(\.documentation).flatMap(\.valueTypes)
    return types.compactMap { type in
      if case .object(let list) = type, case .object(let record)? = list.elementType {
        record.name == name ? .object(record) : nil
      } else {
        nil
      }
    }.first
  }

  private func elementType(of subject: LuaSubject) -> LuaValueType? {
    switch subject {
    case .module(let module): module.elementType
    case .object(let objectClass): objectClass.elementType
    case .array(let element): element
    default: nil
    }
  }

  private func member(_ name: String, of subject: LuaSubject) throws(LuaError) -> LuaSubject? {
    if let (member, owner) = documentation(of: name, in: subject) {
      if member.isFunction { return .function(member, owner: owner) }
      return member.valueTypes.first.flatMap { self.subject(ofType: $0) }
    }
    switch subject {
    case .app: return module(named: name).map { .module($0) }
    case .string:
      guard
        case .table(let library) = try lookUp(.string(Array("string".utf8)), in: state.globals())
      else { return nil }
      return try part(of: .value(.table(library), path: "string"), .string(Array(name.utf8)))
    default: return nil
    }
  }

  /// The documentation of a member, and the text before its name.
  func documentation(of name: String, in subject: LuaSubject) -> (LuaMember, owner: String)? {
    switch subject {
    case .module(let module):
      return module.documentation.first { $0.name == name }.map { ($0, "\(module.name).") }
    case .object(let objectClass):
      return objectClass.members.first { $0.name == name }.map { member in
        (member, objectClass.name + (member.isFunction ? ":" : "."))
      }
    default: return nil
    }
  }

  // MARK: - Reading tables

  /// The value of a key in a table, or in the tables that its metatables name as `__index`: no metamethods run.
  private func lookUp(_ key: LuaExpression.Key, in table: LuaTable) throws(LuaError) -> LuaValue {
    let raw: LuaValue
    switch key {
    case .string(let bytes): raw = .string(LuaString(bytes: bytes))
    case .integer(let integer): raw = .integer(integer)
    case .unknown: return .nil
    }
    for table in try tables(from: table) {
      let value = try table.rawGet(raw)
      if value != .nil { return value }
    }
    return .nil
  }

  /// A table, and those that it inherits from.
  func tables(from table: LuaTable) throws(LuaError) -> [LuaTable] {
    var tables = [table]
    while tables.count < Self.deepest, let last = tables.last,
      case .table(let next)? = try last.metatable()?.rawGet("__index"), !tables.contains(next)
    {
      tables.append(next)
    }
    return tables
  }
}

extension SourceTokens {
  /// The expression at a position of a list; nil if its value depends on an operator.
  fileprivate func element(ofListFrom start: Int, at position: Int) -> LuaExpression? {
    var index = start
    for _ in 0..<position {
      guard let (_, next) = expression(from: index), isSymbol(next, ",") else { return nil }
      index = next + 1
    }
    guard let (expression, next) = expression(from: index) else { return nil }
    return next >= tokens.count || isSymbol(next, ",") || beginsStatement(next) ? expression : nil
  }
}
