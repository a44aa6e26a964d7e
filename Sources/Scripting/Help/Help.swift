import StateStore
import Lua

/// `help()`: describes modules, functions and objects with the texts they were registered with.
struct Help {
  let modules: [LuaModule]
  /// The classes of the objects that scripts get from the modules.
  let objectTypes: [any LuaExposed.Type]

  /// Adds `help` to a state in which the modules are global variables.
  func install(in state: LuaState) throws(LuaError) {
    let tables = try modules.map { module throws(LuaError) in
      (module: module, table: try state.global(module.name, as: LuaTable.self))
    }
    let tools = LuaModule("help", help: "Functions outside the modules.")
    tools.function(
      "help", "x", help: "Describes all modules, one module, or a function.",
      example: "help(store.undo)"
    ) { [weak state] (subject: LuaValue) in
      let text = try text(on: subject, tables)
      // Finalizers may still call it while the state closes; then it prints nothing.
      try state?.global("print", as: LuaFunction.self).call(text)
    }
    try state.setGlobal("help", to: state.makeTable(tools).get("help", as: LuaFunction.self))
  }

  private func text(
    on subject: LuaValue, _ tables: [(module: LuaModule, table: LuaTable)]
  ) throws(LuaError) -> String {
    switch subject {
    case .nil: return overview
    case .string(let name): return text(onName: name)
    case .table(let table):
      if let found = tables.first(where: { $0.table == table }) { return text(on: found.module) }
    case .function(let function):
      for (module, table) in tables {
        for member in module.documentation where member.isFunction {
          if try table.get(member.name, as: LuaFunction.self) == function {
            return text(on: member, of: module)
          }
        }
      }
    case .object(let object):
      if let type = (objectTypes + [Subscription.self, LuaTask.self]).first(where: {
        object.isOne(of: $0)
      }) {
        return text(onObjectsOf: type)
      }
    default: break
    }
    return "There is no help on that. help() lists the modules."
  }

  private func text(onObjectsOf type: any LuaExposed.Type) -> String {
    lines("An object of the kind \(type.luaTypeName):", type.luaMembers)
  }

  private var overview: String {
    let width = modules.map(\.name.count).max() ?? 0
    let lines = modules.map { "\($0.name.padded(to: width))  \($0.help)" }
    return
      (lines + ["", example])
      .joined(separator: "\n")
  }

  /// How to ask for more, with the first module that has a function as the example.
  private var example: String {
    for module in modules {
      if let member = module.documentation.first(where: \.isFunction) {
        return
          "help(\(module.name)) lists a module; help(\(module.name).\(member.name)) tells of a function."
      }
    }
    return "help(name) lists a module."
  }

  private func text(onName name: LuaString) -> String {
    let parts = name.bytes.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    // By bytes, because the name may be any string.
    guard let module = modules.first(where: { $0.name.utf8.elementsEqual(parts[0]) }) else {
      return "There is no module '\(name.shown)'. help() lists them."
    }
    guard parts.count == 2 else { return text(on: module) }
    guard
      let member = module.documentation.first(where: { $0.name.utf8.elementsEqual(parts[1]) })
    else {
      let name = LuaString(bytes: Array(parts[1]))
      return "\(module.name) has no '\(name.shown)'. help(\(module.name)) lists its members."
    }
    return text(on: member, of: module)
  }

  private func text(on module: LuaModule) -> String {
    lines("\(module.name): \(module.help)", module.documentation)
  }

  private func lines(_ title: String, _ members: [LuaMember]) -> String {
    let width = members.map(\.signature.count).max() ?? 0
    let lines = members.map { "  \($0.signature.padded(to: width))  \($0.help)" }
    return ([title] + lines).joined(separator: "\n")
  }

  private func text(on member: LuaMember, of module: LuaModule) -> String {
    let waits = member.kind == .function(waits: true) ? " Waits; other tasks continue." : ""
    return """
      \(module.name).\(member.signature)
        \(member.help)\(waits)
        Example: \(member.example)
      """
  }
}

extension LuaObject {
  fileprivate func isOne<Exposed: LuaExposed>(of type: Exposed.Type) -> Bool {
    do {
      _ = try value(as: type)
      return true
    } catch {
      return false
    }
  }
}

extension LuaMember {
  fileprivate var isFunction: Bool {
    if case .function = kind { true } else { false }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
