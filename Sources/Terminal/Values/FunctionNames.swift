import Lua
import PrimereplLineEditing

/// The names of the functions of modules and of Lua's libraries.
@MainActor
final class FunctionNames {
  /// The functions of Lua's libraries, named before scripts could change the global variables.
  private let library: [LuaFunction: String]
  private let state: LuaState
  private var modules: [LuaModule]
  private var known: Result<[LuaFunction: String], LuaError>?

  /// Reads the names of a state's functions, which scripts shouldn't have changed yet.
  init(state: LuaState, modules: [LuaModule]) throws(LuaError) {
    let globals = try state.globals()
    var library: [LuaFunction: String] = [:]
    for name in LuaLibrarySignatures.names {
      let parts = name.split(separator: ".").map(String.init)
      var value = try globals.rawGet(parts[0])
      if parts.count == 2, case .table(let table) = value { value = try table.rawGet(parts[1]) }
      if case .function(let function) = value { library[function] = name }
    }
    (self.library, self.state, self.modules) = (library, state, modules)
  }

  func setModules(_ modules: [LuaModule]) {
    self.modules = modules
    known = nil
  }

  private var signatures: Result<[LuaFunction: String], LuaError> {
    if let known { return known }
    let found = Result { () throws(LuaError) in try Self.signatures(of: modules, in: state) }
    known = found
    return found
  }

  /// A function as it is shown: its signature, its name, or the place of its definition.
  func text(of function: LuaFunction) throws(LuaError) -> StyledText {
    StyledText("function " + ValueText.bare(try description(of: function)), .function)
  }

  private func description(of function: LuaFunction) throws(LuaError) -> String {
    if let name = try signatures.get()[function] ?? library[function] { return name }
    guard case .lua(let definition) = try function.origin() else { return "(built in)" }
    let place = "(\(definition.place))"
    // A chunk.
    guard definition.firstLine > 0 else { return place }
    let parameters = definition.parameters + (definition.isVariadic ? ["..."] : [])
    return "(\(parameters.joined(separator: ", "))) \(place)"
  }

  private static func signatures(
    of modules: [LuaModule], in state: LuaState
  ) throws(LuaError) -> [LuaFunction: String] {
    var signatures: [LuaFunction: String] = [:]
    let globals = try state.globals()
    for module in modules {
      guard case .table(let table) = try globals.rawGet(module.name) else { continue }
      // The functions are in a plain table, so that no property is read.
      guard case .table(let functions)? = try table.metatable()?.rawGet("__index") else { continue }
      for member in module.documentation {
        guard case .function(let function) = try functions.rawGet(member.name) else { continue }
        signatures[function] = "\(module.name).\(member.signature)"
      }
    }
    return signatures
  }
}
