import Lua
import PrimereplPlatform

/// The definitions of an app's modules, objects and global variables for the Lua language server (LuaLS).
///
/// They are a Lua file that is never run, with annotations in its comments: https://luals.github.io/wiki/annotations
package struct LanguageServerDefinitions {
  /// The name of the app's command.
  private let program: String
  private let reference: Reference
  private let classes: [LuaObjectClass]
  private let types: LanguageServerTypes

  package init(program: String, _ reference: Reference) {
    (self.program, self.reference) = (program, reference)
    classes = reference.classes
    types = LanguageServerTypes(of: reference.modules, classes)
  }

  package var text: String {
    let parts =
      ["---@meta\n-- What scripts see of \(program), written by `\(program) docs --format luals`."]
      + reference.modules.map(definition) + classes.map(definition)
      + types.tables.map(definition) + [error, otherTypes].filter { !$0.isEmpty } + [globals]
    return parts.joined(separator: "\n\n").printableLines + "\n"
  }

  private func definition(of module: LuaModule) -> String {
    var lines =
      LanguageServerText.comment(module.help) + ["---@class \(Self.className(of: module))"]
    lines += types.fields(module.documentation, elements: module.elementType)
    if let call = module.callDocumentation {
      lines.append("---@overload \(types.text(of: call, in: module.name))")
    }
    lines.append("\(module.name) = {}")
    let functions = module.documentation.filter(\.isFunction).map {
      types.definition(of: $0, in: module.name, as: module.name, separator: ".")
    }
    return ([lines.joined(separator: "\n")] + functions).joined(separator: "\n\n")
  }

  private func definition(of objectClass: LuaObjectClass) -> String {
    let members = objectClass.members
    let lines =
      ["---@class \(objectClass.name)"] + types.fields(members, elements: objectClass.elementType)
    let methods = members.filter(\.isFunction).map {
      types.definition(of: $0, in: objectClass.name, as: "object", separator: ":")
    }
    return LanguageServerText.classDefinition(lines, methods: methods)
  }

  private func definition(of table: LanguageServerTypes.TableClass) -> String {
    guard case .table(let name, let fields) = table.type else { return "" }
    let lines = fields.map { field in
      // An option that may be left out has another form than a field that may be nil.
      let isOption = name == nil && field.isOptional
      return types.field(
        LanguageServerText.fieldName(field.name) + (isOption ? "?" : ""),
        isOption ? field.required : field.valueType, field.help,
        in: "\(table.name).\(field.name)")
    }
    return (["---@class \(table.name)"] + lines).joined(separator: "\n")
  }

  private var error: String {
    // Errors of the app can have further fields.
    (["---@class error"] + types.fields(LuaError.luaMembers) + ["---@field [string] any"])
      .joined(separator: "\n")
  }

  private var globals: String {
    let modules = reference.modules.prefix(reference.storeModuleCount).map {
      "---@field \(LanguageServerText.fieldName($0.name)) \(Self.className(of: $0))"
    }
    return (["---@class app"] + modules).joined(separator: "\n") + "\n\n"
      + Reference.globals.definitions
  }

  // MARK: - Types

  /// A name that no class of objects has: there is a module `task`, and a class `task`.
  private static func className(of module: LuaModule) -> String { "module.\(module.name)" }

  /// The types that the language server knows.
  private static let knownTypes: Set = [
    "any", "boolean", "date", "function", "integer", "nil", "number", "string", "table", "thread",
    "time", "userdata",
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

  private static func names(in type: LuaValueType) -> [String] {
    if case .named(let name) = type {
      return name.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) } ? [name] : []
    }
    return type.parts.flatMap(names)
  }
}
