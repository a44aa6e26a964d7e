public import StateStore
public import Lua

/// An app as Lua sees it: a store with the modules that read it and send its actions.
///
/// The modules are global variables of the state, and fields of `app`. Scripts make further apps with `store.new()`.
public final class ScriptedApp {
  /// The store that the modules work on.
  public let store: Store

  /// The modules, in the order that help lists them.
  public let modules: [LuaModule]

  /// Makes an app and installs its modules in a state.
  ///
  /// The state then also shows the app's errors to scripts by their codes and messages.
  ///
  /// - Parameters:
  ///   - state: where the modules become global variables.
  ///   - store: the app's states.
  ///   - modules: the modules, in the order that help lists them; `store` and `task` come after them.
  ///   - services: what the modules need of the world.
  ///   - save: saves the app, for `store.save()`; nil where it is in memory only.
  /// - Throws: ``LuaError`` if the state is closed or has no memory left.
  public init(
    in state: LuaState, store: Store, modules: [ScriptModule], services: any ScriptServices,
    save: (() throws -> Void)? = nil
  ) throws(LuaError) {
    self.store = store
    let all = AppModules(
      modules, in: ScriptContext(store: store, services: services), save: save, state,
      try LuaScope(in: state, isPermanent: true))
    let task = LuaModule.task(for: state, clock: services.clock) { try services.checkWaiting() }
    self.modules = all.all + [task]

    state.describeErrors { error in
      (error as? any CodedError).map {
        LuaErrorDescription(
          code: $0.code, message: $0.message,
          fields: ($0 as? any ScriptableError)?.luaFields ?? [:])
      }
    }
    let app = try state.makeTable(all)
    try state.setGlobal("app", to: app)
    for module in all.all {
      try state.setGlobal(module.name, to: app.get(module.name, as: LuaTable.self))
    }
    try state.setGlobal(task.name, to: task)
    try state.installInspect()
    try Help(modules: self.modules, objectTypes: modules.flatMap(\.objectTypes)).install(in: state)
  }
}
