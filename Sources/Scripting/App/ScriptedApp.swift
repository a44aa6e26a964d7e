public import StateStore
public import Lua

/// An app as Lua sees it: a store, and modules that read it and send its actions.
///
/// The modules are global variables of the state, and fields of `app`. Scripts make more apps with `store.new()`.
public final class ScriptedApp {
  /// The store that the modules use.
  public let store: Store

  /// The modules, in the order that help lists them.
  public let modules: [LuaModule]

  /// The functions whose services a scenario can replace by stubs, such as `todo.fetch`.
  public let stubbable: [String]

  /// The codes of the errors that each feature says it raises, by the features' names.
  package let errorCodes: [String: [String]]

  /// Makes an app and installs its modules in a state.
  ///
  /// The state then also shows the app's errors to scripts with their codes and messages.
  ///
  /// - Parameters:
  ///   - state: The state in which the modules become global variables.
  ///   - store: The app's store.
  ///   - modules: The modules, in the order that help lists them; `store` and the tools, such as `task`, come after
  ///     them.
  ///   - services: The services that the modules use.
  ///   - save: Saves the app, for `store.save()`; nil if it is only in memory.
  /// - Throws: ``ScriptError`` if a module's name is taken or isn't a variable's name; `LuaError` if the state is
  ///   closed or out of memory.
  public init(
    in state: LuaState, store: Store, modules: [ScriptModule], services: any ScriptServices,
    save: (() throws -> Void)? = nil
  ) throws {
    self.store = store
    errorCodes = Dictionary(modules.compactMap(\.errors)) { first, _ in first }
    stubbable = modules.flatMap(\.stubbable) + type(of: services).stubbable
    let factory = try AppFactory(modules, in: state)
    let scope = try LuaScope(in: state, isPermanent: true)
    let all = try factory.sessionModules(
      in: ScriptContext(store: store, services: services), save: save, scope)
    let tools = try Self.tools(for: state, services)
    self.modules = all + tools

    state.describeErrors { error in
      (error as? any CodedError).map {
        LuaErrorDescription(
          code: $0.code, message: $0.message,
          fields: ($0 as? any ScriptableError)?.luaFields ?? [:])
      }
    }
    try Self.checkNames(of: all, in: state)
    let app = try state.makeTable(scope.owning(LuaRecord(all.map { ($0.name, $0) })))
    try state.setGlobal("app", to: app)
    for module in all {
      try state.setGlobal(module.name, to: app.get(module.name, as: LuaTable.self))
    }
    for module in tools { try state.setGlobal(module.name, to: module) }
    try state.installInspect()
    try Help(modules: self.modules, objectTypes: factory.objectTypes).install(in: state)
  }

  /// The modules that every program has, whatever its features.
  private static func tools(for state: LuaState, _ services: any ScriptServices) throws
    -> [LuaModule]
  {
    let willWait = { try services.checkWaiting() }
    return [
      .task(for: state, clock: services.clock, willWait: willWait),
      .clock(services.clock, willWait: willWait),
      try .json(for: state),
    ]
  }

  /// The names of an app's other global variables.
  private static let ownNames: Set<String> = [
    "task", "clock", "json", "app", "help", "inspect", "arg",
  ]

  private static func checkNames(of modules: [LuaModule], in state: LuaState) throws {
    var names = ownNames
    for module in modules {
      guard names.insert(module.name).inserted else { throw ScriptError.takenName(module.name) }
      guard LuaName.isName(module.name) else { throw ScriptError.noName(module.name) }
      guard try state.global(module.name, as: LuaValue.self) == .nil else {
        throw ScriptError.takenName(module.name)
      }
    }
  }
}

/// Why modules can't be installed.
public typealias ScriptError = PlainError<ScriptedApp>

extension ScriptError {
  /// The module would hide another one, or a global variable of Lua.
  package static func takenName(_ name: String) -> Self {
    Self(
      "taken_name",
      "The module \(name) would hide another of that name: rename it.")
  }

  /// The module's name can't be a variable's name.
  package static func noName(_ name: String) -> Self {
    Self(
      "no_name",
      "\"\(name)\" can't be a module's name, as it is none of a variable in Lua: give it another.")
  }
}
