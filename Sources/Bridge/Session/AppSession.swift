public import Domain
public import StateStore
public import Lua

/// An app as Lua sees it: a store with the modules that read it and send its actions.
///
/// The modules are global variables of the state, and fields of `app`. Scripts make further apps with `store.new()`.
public final class AppSession {
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
  ///   - store: the app's state.
  ///   - services: what the app's logic needs of the world.
  ///   - save: saves the app, for `store.save()`; nil where it is in memory only.
  /// - Throws: ``LuaError`` if the state is closed or has no memory left.
  public init(
    in state: LuaState, store: Store = Store(), services: Services,
    save: (() throws -> Void)? = nil
  ) throws(LuaError) {
    self.store = store
    let modules = AppModules(
      store: store, services: services, save: save, in: state,
      try LuaScope(in: state, isPermanent: true))
    let task = LuaModule.task(for: state, clock: services.clock) { try Threads.check() }
    self.modules = modules.all + [task]

    state.describeErrors { error in
      (error as? any CodedError).map {
        LuaErrorDescription(code: $0.code, message: $0.message, fields: $0.luaFields)
      }
    }
    let app = try state.makeTable(modules)
    try state.setGlobal("app", to: app)
    for module in modules.all {
      try state.setGlobal(module.name, to: app.get(module.name, as: LuaTable.self))
    }
    try state.setGlobal(task.name, to: task)
    try state.installInspect()
    try Help(modules: self.modules).install(in: state)
  }
}

extension CodedError {
  /// What scripts can read of the error besides its code and message.
  fileprivate var luaFields: [String: any LuaPushable] {
    switch self {
    case let error as WolframError:
      ["status": error.status, "suggestions": error.suggestions]
    case let error as SourceError:
      ["status": error.status]
    default:
      [:]
    }
  }
}
