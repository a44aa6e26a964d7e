import Lua
import Platform

/// The definitions of an app's modules, objects and global variables for the Lua language server (LuaLS).
///
/// They are a Lua file that is never run, with annotations in its comments: https://luals.github.io/wiki/annotations
package struct LanguageServerDefinitions {
  private let program: String
  private let reference: Reference
  private let classes: [ObjectClass]
  private let types: LanguageServerTypes

  /// - Parameters:
  ///   - program: The name of the app's command.
  ///   - reference: The documentation.
  package init(program: String, _ reference: Reference) {
    (self.program, self.reference) = (program, reference)
    classes = reference.classes
    types = LanguageServerTypes(of: reference.modules, classes)
  }

  /// The file.
  package var text: String {
    let parts =
      ["---@meta\n-- What scripts see of \(program), written by `\(program) docs --format luals`."]
      + reference.modules.map(definition) + classes.map(definition)
      + types.tables.map(definition) + [error, otherTypes].filter { !$0.isEmpty } + [globals]
    return parts.joined(separator: "\n\n").printableLines + "\n"
  }

  private func definition(of module: LuaModule) -> String {
    var lines = comment(module.help) + ["---@class \(Self.className(of: module))"]
    lines += fields(module.documentation)
    lines += elements(module.elementType)
    if let call = module.callDocumentation {
      lines.append("---@overload \(type(of: call, in: module.name))")
    }
    lines.append("\(module.name) = {}")
    let functions = module.documentation.filter(\.isFunction).map {
      definition(of: $0, in: module.name, as: module.name, separator: ".")
    }
    return ([lines.joined(separator: "\n")] + functions).joined(separator: "\n\n")
  }

  private func definition(of objectClass: ObjectClass) -> String {
    let lines =
      ["---@class \(objectClass.name)"] + fields(objectClass.members)
      + elements(objectClass.elementType)
    let methods = objectClass.members.filter(\.isFunction)
    guard !methods.isEmpty else { return lines.joined(separator: "\n") }
    let body =
      [(lines + ["local object = {}"]).joined(separator: "\n")]
      + methods.map { definition(of: $0, in: objectClass.name, as: "object", separator: ":") }
    return "do\n\(body.joined(separator: "\n\n"))\nend"
  }

  private func definition(of table: LanguageServerTypes.TableClass) -> String {
    guard case .table(let name, let fields) = table.type else { return "" }
    let lines = fields.map { field in
      // An option that may be left out has another form than a field that may be nil.
      let isOption = name == nil && field.isOptional
      let type = isOption ? field.required : field.valueType
      return self.field(
        field.name, isOption ? "?" : "", types.text(of: type, in: "\(table.name).\(field.name)"),
        field.help)
    }
    return (["---@class \(table.name)"] + lines).joined(separator: "\n")
  }

  private var error: String {
    // Errors of the app can have further fields.
    (["---@class error"] + fields(LuaError.luaMembers) + ["---@field [string] any"])
      .joined(separator: "\n")
  }

  private var globals: String {
    let modules = reference.modules.prefix(reference.storeModuleCount).map {
      "---@field \(LanguageServerText.fieldName($0.name)) \(Self.className(of: $0))"
    }
    let help = Dictionary(
      uniqueKeysWithValues: GlobalVariable.all.map { ($0.name, comment($0.help)) })
    let definitions = [
      "app": ["---@class app"] + modules + ["app = {}"],
      "help": ["---@param x? any", "function help(x) end"],
      "inspect": ["---@param value any", "---@return string", "function inspect(value) end"],
      "arg": ["---@type string[]", "arg = {}"],
    ]
    return GlobalVariable.all.compactMap { variable in
      definitions[variable.name].map { (help[variable.name] ?? []) + $0 }
    }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  // MARK: - Members

  private func fields(_ members: [LuaMember]) -> [String] {
    members.filter { !$0.isFunction }.map { member in
      let type = member.valueTypes.map { types.text(of: $0) }.joined()
      return field(member.name, "", type, member.fullHelp)
    }
  }

  private func field(_ name: String, _ mark: String, _ type: String, _ help: String) -> String {
    let name = LanguageServerText.fieldName(name) + mark
    return ["---@field", name, type, LanguageServerText.fieldHelp(help)]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func elements(_ type: LuaValueType?) -> [String] {
    type.map { ["---@field [integer] \(types.text(of: $0))"] } ?? []
  }

  /// The definition of a function.
  ///
  /// - Parameters:
  ///   - member: The function.
  ///   - owner: The name of its module or class.
  ///   - variable: The variable with the module, or an object of the class.
  ///   - separator: A dot, or the colon of a method.
  /// - Returns: The definition.
  private func definition(
    of member: LuaMember, in owner: String, as variable: String, separator: String
  ) -> String {
    var lines = comment(member.help)
    if !member.example.isEmpty {
      let fence = member.example.codeFence(3)
      lines += ["---", "---\(fence)lua"] + comment(member.example) + ["---\(fence)"]
    }
    if member.kind == .function(waits: true) { lines.append("---@async") }
    let names = LanguageServerText.parameterNames(member.parameters)
    lines += zip(names, member.parameters).map { name, parameter in
      "---@param \(name)\(parameter.isOptional ? "?" : "") "
        + type(of: parameter, of: "\(owner).\(member.name)")
    }
    lines += results(of: member).map { "---@return \($0)" }
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
    member.valueTypes.map { types.text(of: $0) + ($0 == .variadic ? " ..." : "") }
  }

  /// The type of a function's parameter, without the mark of one that may be left out.
  private func type(of parameter: LuaParameter, of function: String) -> String {
    types.text(of: parameter.required, in: "\(function).\(parameter.name)")
  }

  // MARK: - Types

  /// A name that no class of objects has: there is a module `task`, and a class `task`.
  private static func className(of module: LuaModule) -> String { "module.\(module.name)" }

  /// The type of a function.
  private func type(of function: LuaMember, in owner: String) -> String {
    let names = LanguageServerText.parameterNames(function.parameters)
    let parameters = zip(names, function.parameters).map { name, parameter in
      "\(name)\(parameter.isOptional ? "?" : ""): "
        + type(of: parameter, of: "\(owner).\(function.name)")
    }
    let results = results(of: function).map { $0.replacing("any ...", with: "...") }
      .joined(separator: ", ")
    return "fun(\(parameters.joined(separator: ", ")))" + (results.isEmpty ? "" : ": \(results)")
  }

  /// The types that the language server knows.
  private static let knownTypes: Set = [
    "any", "boolean", "function", "integer", "nil", "number", "string", "table", "thread",
    "userdata",
  ]

  /// Classes for the types in signatures that nothing else describes.
  private var otherTypes: String {
    let described =
      Self.knownTypes.union(classes.map(\.name)).union(types.tables.map(\.name))
      .union(["app", "error"])
    let members = reference.modules.flatMap(\.documentation) + classes.flatMap(\.members)
    let names = members.flatMap { $0.valueTypes + $0.parameters.map(\.valueType) }
      .flatMap(Self.names)
    return Set(names).subtracting(described).sorted().map { "---@class \($0)" }
      .joined(separator: "\n\n")
  }

  /// The names of classes in a type.
  private static func names(in type: LuaValueType) -> [String] {
    if case .named(let name) = type {
      return name.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) } ? [name] : []
    }
    return type.parts.flatMap(names)
  }

  private func comment(_ text: String) -> [String] { LanguageServerText.comment(text) }
}
