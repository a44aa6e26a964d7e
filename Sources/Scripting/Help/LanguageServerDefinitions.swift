import Lua

/// The definitions of an app's modules, objects and global variables for the Lua language server (LuaLS).
///
/// They are a Lua file that is never run, with annotations in its comments: https://luals.github.io/wiki/annotations
package struct LanguageServerDefinitions {
  private let program: String
  private let reference: Reference
  private let classes: [ObjectClass]

  /// - Parameters:
  ///   - program: The name of the app's command.
  ///   - reference: The documentation.
  package init(program: String, _ reference: Reference) {
    (self.program, self.reference) = (program, reference)
    classes = reference.classes
  }

  /// The file.
  package var text: String {
    let parts =
      ["---@meta\n-- What scripts see of \(program), written by `\(program) docs --format luals`."]
      + reference.modules.map(definition) + classes.map(definition)
      + [error, otherTypes].filter { !$0.isEmpty } + [globals]
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func definition(of module: LuaModule) -> String {
    var lines = comment(module.help) + ["---@class \(Self.className(of: module))"]
    lines += fields(module.documentation) + elements(module.elementType?.luaTypeName)
    if let call = module.callDocumentation { lines.append("---@overload \(Self.type(of: call))") }
    lines.append("\(module.name) = {}")
    let functions = module.documentation.filter(\.isFunction).map {
      definition(of: $0, in: module.name, separator: ".")
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
      + methods.map { definition(of: $0, in: "object", separator: ":") }
    return "do\n\(body.joined(separator: "\n\n"))\nend"
  }

  private var error: String {
    (["---@class error"] + fields(LuaError.luaMembers)).joined(separator: "\n")
  }

  private var globals: String {
    let modules = reference.modules.prefix(reference.storeModuleCount).map {
      "---@field \($0.name) \(Self.className(of: $0))"
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
      let name = LuaTokens.isName(member.name.utf8) ? member.name : "[\(member.name.luaLiteral)]"
      let type = Self.type(member.types.first ?? "any")
      return "---@field \(name) \(type) \(member.fullHelp.onOneLine)"
    }
  }

  private func elements(_ type: String?) -> [String] {
    type.map { ["---@field [integer] \(Self.type($0))"] } ?? []
  }

  private func definition(
    of member: LuaMember, in owner: String, separator: String
  ) -> String {
    var lines = comment(member.help) + ["---", "---```lua"] + comment(member.example) + ["---```"]
    if member.kind == .function(waits: true) { lines.append("---@async") }
    lines += member.parameters.map { parameter in
      let isOptional = parameter.isOptional
      let name = Self.name(of: parameter) + (isOptional ? "?" : "")
      let help = parameter.options.filter { !$0.help.isEmpty }.map { "\($0.name): \($0.help)" }
      return (["---@param \(name) \(Self.type(of: parameter))"] + help).joined(separator: " ")
        .onOneLine
    }
    lines += member.types.map { "---@return \(Self.type($0))" + ($0 == "any..." ? " ..." : "") }
    let parameters = member.parameters.map(Self.name).joined(separator: ", ")
    if LuaTokens.isName(member.name.utf8) {
      lines.append("function \(owner)\(separator)\(member.name)(\(parameters)) end")
    } else {
      let all = separator == ":" ? ["self", parameters].filter { !$0.isEmpty } : [parameters]
      lines.append(
        "\(owner)[\(member.name.luaLiteral)] = function(\(all.joined(separator: ", "))) end")
    }
    return lines.joined(separator: "\n")
  }

  private static func name(of parameter: LuaParameter) -> String {
    if parameter.type == "any..." { return "..." }
    if LuaTokens.isName(parameter.name.utf8) { return parameter.name }
    let letters = parameter.name.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? String(scalar) : "_"
    }
    return letters.joined() + "_"
  }

  // MARK: - Types

  /// A name that no class of objects has: there is a module `task`, and a class `task`.
  private static func className(of module: LuaModule) -> String { "module.\(module.name)" }

  /// The type of a parameter without the mark of one that may be left out; options are tables with their fields.
  private static func type(of parameter: LuaParameter) -> String {
    guard parameter.options.isEmpty else {
      let fields = parameter.options.map { option in
        "\(option.name)\(option.isOptional ? "?" : ""): \(type(of: option))"
      }
      return "{\(fields.joined(separator: ", "))}"
    }
    return type(parameter.isOptional ? String(parameter.type.dropLast()) : parameter.type)
  }

  /// A type of a signature as the language server writes it.
  private static func type(_ name: String) -> String {
    if name == "any..." { return "any" }
    let alternatives = name.replacing(" or ", with: "|")
    // A table's fields: {name=string, age=integer}.
    guard alternatives.contains("{") else { return alternatives.onOneLine }
    return alternatives.replacing("=", with: ": ").onOneLine
  }

  /// The type of a function.
  private static func type(of function: LuaMember) -> String {
    let parameters = function.parameters.map { parameter in
      "\(Self.name(of: parameter))\(parameter.isOptional ? "?" : ""): \(Self.type(of: parameter))"
    }
    let results = function.types.map(type).joined(separator: ", ")
    return "fun(\(parameters.joined(separator: ", ")))" + (results.isEmpty ? "" : ": \(results)")
  }

  /// The types that the language server knows.
  private static let knownTypes: Set<Substring> = [
    "any", "boolean", "function", "integer", "nil", "number", "string", "table", "thread",
    "userdata",
  ]

  /// Classes for the types in signatures that nothing else describes.
  private var otherTypes: String {
    let described = Set(classes.map { $0.name[...] } + ["app", "error"])
    let members = reference.modules.flatMap(\.documentation) + classes.flatMap(\.members)
    let names = members.flatMap { $0.types + $0.parameters.map(\.type) }
      // Inside braces are names of fields, too.
      .filter { !$0.contains("{") }
      .flatMap { type in
        type.replacing(" or ", with: "|").replacing(/"[^"]*"/, with: "").split {
          !($0.isLetter || $0.isNumber || "._".contains($0))
        }
        .map { $0.hasSuffix("...") ? $0.dropLast(3) : $0 }
      }
    let others = Set(names).subtracting(Self.knownTypes).subtracting(described).sorted()
    return others.map { "---@class \($0)" }.joined(separator: "\n\n")
  }

  // MARK: - Text

  /// A text as comments, which it can't leave by a line end.
  private func comment(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { "---\($0)" }
  }
}
