import Lua
import StateStore

/// The types of signatures as the Lua language server writes them.
///
/// Tables whose fields are known have classes: records of the state, the kit's own tables, and options of functions.
struct LanguageServerTypes {
  struct TableClass {
    let name: String
    let type: LuaValueType
  }

  /// The classes of tables, those of their fields' tables first.
  private(set) var tables: [TableClass] = []

  private var takenNames: Set<String>

  init(of modules: [LuaModule] = [], _ objects: [LuaObjectClass] = []) {
    takenNames = Set(objects.map(\.name))
    for module in modules {
      let members = module.documentation + (module.callDocumentation.map { [$0] } ?? [])
      add(members, module.elementType, of: module.name)
    }
    for object in objects { add(object.members, object.elementType, of: object.name) }
  }

  private mutating func add(_ members: [LuaMember], _ element: LuaValueType?, of owner: String) {
    for member in members {
      for type in member.valueTypes { add(type, of: owner) }
      for parameter in member.parameters {
        add(parameter.valueType, of: "\(owner).\(member.name).\(parameter.name)")
      }
    }
    if let element { add(element, of: owner) }
  }

  /// Adds the classes of the tables in a type of an owner: a module, a class, or the path of a parameter.
  private mutating func add(_ type: LuaValueType, of owner: String) {
    guard case .table(let name, let fields) = type else {
      for part in type.parts { add(part, of: owner) }
      return
    }
    guard let name else {
      for option in fields { add(option.valueType, of: "\(owner).\(option.name)") }
      tables.append(TableClass(name: owner.asClassName, type: type))
      return
    }
    guard className(of: type) == nil else { return }
    for field in fields { add(field.valueType, of: owner) }
    var className = Self.qualified(name, of: owner).asClassName
    while !takenNames.insert(className).inserted { className += "_table" }
    tables.append(TableClass(name: className, type: type))
  }

  private func className(of type: LuaValueType) -> String? {
    tables.first { $0.type == type }?.name
  }

  /// The name of a class such as `counter.alert`; `wolfram.answer` for a `wolfram_answer`.
  private static func qualified(_ name: String, of owner: String) -> String {
    if name.contains(".") { return name }
    return
      "\(owner).\(name.hasPrefix("\(owner)_") ? String(name.dropFirst(owner.count + 1)) : name)"
  }

  /// A type as the server reads it; the owner is the path of a table of options, such as `store.export.options`.
  func text(of type: LuaValueType, in owner: String = "") -> String {
    func text(_ type: LuaValueType) -> String { self.text(of: type, in: owner) }
    switch type {
    // Their values are texts.
    case .named("date"), .named("time"): return "string"
    case .named(let name) where DecimalPlaces(typeName: name) != nil: return "number"
    case .named(let name): return name.onOneLine
    case .oneOf(let texts): return texts.map(LanguageServerText.literal).joined(separator: "|")
    case .optional(let wrapped): return text(wrapped) + (wrapped.isChoice ? "|nil" : "?")
    case .list(let element):
      return element.required.isChoice ? "(\(text(element)))[]" : "\(text(element))[]"
    case .map(let key, let value): return "table<\(text(key)), \(text(value))>"
    case .union(_, let types): return types.map(text).joined(separator: "|")
    case .object(let objectClass): return objectClass.name
    case .table(nil, _): return owner.asClassName
    case .table: return className(of: type) ?? LuaTable.luaTypeName
    case .function(let parameters):
      let list = zip(LanguageServerText.parameterNames(parameters), parameters).map {
        "\($0): \(text($1.valueType))"
      }
      return "async fun(\(list.joined(separator: ", "))): ..."
    case .variadic: return LuaValue.luaTypeName
    }
  }
}

// MARK: - Members

extension LanguageServerTypes {
  /// The fields for members that are no functions, and for elements.
  func fields(_ members: [LuaMember], elements: LuaValueType? = nil) -> [String] {
    members.filter { !$0.isFunction }.flatMap { member in
      member.valueTypes.map {
        field(LanguageServerText.fieldName(member.name), $0, member.fullHelp)
      }
    } + (elements.map { [field("[integer]", $0, "")] } ?? [])
  }

  /// A field with the form of its name that annotations have.
  func field(
    _ name: String, _ type: LuaValueType, _ help: String, in owner: String = ""
  ) -> String {
    ["---@field", name, text(of: type, in: owner), LanguageServerText.fieldHelp(help)]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  func variable(_ member: LuaMember) -> String {
    let types = member.valueTypes.map { "---@type \(text(of: $0))" }
    return (LanguageServerText.comment(member.help) + types + ["\(member.name) = {}"])
      .joined(separator: "\n")
  }

  /// The definition of a function.
  ///
  /// - Parameters:
  ///   - member: The function.
  ///   - owner: The name of its module or class.
  ///   - variable: The variable with the module, or an object of the class.
  ///   - separator: A dot, or the colon of a method.
  ///   - overloads: The other forms in which it can be called.
  /// - Returns: The definition.
  func definition(
    of member: LuaMember, in owner: String, as variable: String, separator: String,
    overloads: [LuaMember] = []
  ) -> String {
    var lines = LanguageServerText.comment(member.help)
    if !member.example.isEmpty {
      let fence = member.example.codeFence(3)
      lines +=
        ["---", "---\(fence)lua"] + LanguageServerText.comment(member.example) + ["---\(fence)"]
    }
    if member.kind == .function(waits: true) { lines.append("---@async") }
    let names = LanguageServerText.parameterNames(member.parameters)
    lines += zip(names, member.parameters).map { name, parameter in
      "---@param \(name)\(parameter.isOptional ? "?" : "") "
        + type(of: parameter, of: "\(owner).\(member.name)")
    }
    lines += results(of: member).map { "---@return \($0)" }
    lines += overloads.map { "---@overload \(text(of: $0, in: owner))" }
    let parameters = names.joined(separator: ", ")
    if LuaTokens.isName(member.name.utf8) {
      lines.append("function \(variable)\(separator)\(member.name)(\(parameters)) end")
    } else {
      let all = separator == ":" ? ["self", parameters].filter { !$0.isEmpty } : [parameters]
      lines.append(
        "\(variable)[\(member.name.luaLiteral)] = function(\(all.joined(separator: ", "))) end")
    }
    return lines.joined(separator: "\n")
  }

  /// The types of a function's results; any number of them is "any ...".
  private func results(of member: LuaMember) -> [String] {
    member.valueTypes.map { text(of: $0) + ($0 == .variadic ? " ..." : "") }
  }

  /// The type of a function's parameter, without the mark of one that may be left out.
  private func type(of parameter: LuaParameter, of function: String) -> String {
    text(of: parameter.required, in: "\(function).\(parameter.name)")
  }

  func text(of function: LuaMember, in owner: String) -> String {
    let names = LanguageServerText.parameterNames(function.parameters)
    let parameters = zip(names, function.parameters).map { name, parameter in
      "\(name)\(parameter.isOptional ? "?" : ""): "
        + type(of: parameter, of: "\(owner).\(function.name)")
    }
    let results = results(of: function).map { $0.replacing("any ...", with: "...") }
      .joined(separator: ", ")
    return "fun(\(parameters.joined(separator: ", ")))" + (results.isEmpty ? "" : ": \(results)")
  }
}

extension LuaValueType {
  /// Whether the server writes it with bars.
  fileprivate var isChoice: Bool {
    switch self {
    case .oneOf, .union: true
    default: false
    }
  }
}

extension String {
  /// The name without what the name of a class can't have.
  fileprivate var asClassName: String {
    String(map { $0.isASCII && ($0.isLetter || $0.isNumber) || "._".contains($0) ? $0 : "_" })
  }
}
