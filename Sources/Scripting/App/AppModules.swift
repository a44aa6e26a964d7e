public import Lua
import StateStore

/// A module of an app, which is made for each of its stores.
public struct ScriptModule {
  let make: (ScriptContext) -> LuaModule
  let objectTypes: [any LuaExposed.Type]

  /// The module of a feature.
  public init<F: ScriptableFeature>(_ feature: F.Type) {
    objectTypes = F.objectTypes
    make = { context in
      let module = FeatureModule<F>(in: context)
      F.describe(module)
      return module
    }
  }

  /// A module that has no state of its own.
  public init(_ make: @escaping (_ services: any ScriptServices) -> LuaModule) {
    objectTypes = []
    self.make = { make($0.services) }
  }
}

/// What a module is made for.
struct ScriptContext {
  let store: Store
  let services: any ScriptServices
}

/// The modules of one app: of the session's, or of one made by `store.new()`.
struct AppModules: LuaPushable {
  /// In the order that help lists them.
  let all: [LuaModule]

  private let scope: LuaScope

  /// - Parameters:
  ///   - modules: what the app has, besides its store.
  ///   - context: what they are made for.
  ///   - save: saves the app; nil where it is in memory only.
  ///   - state: the state that the modules are for.
  ///   - scope: what the modules' objects belong to, with the functions that observe the app.
  init(
    _ modules: [ScriptModule], in context: ScriptContext, save: (() throws -> Void)? = nil,
    _ state: LuaState, _ scope: LuaScope
  ) {
    self.scope = scope
    all =
      modules.map { $0.make(context) } + [
        .store(context, modules, save: save, in: state, scope)
      ]
  }

  static var luaTypeName: String { "app" }

  /// Pushes a table with the modules under their names.
  func push(to stack: LuaStack) throws(LuaError) {
    try scope.owning(LuaRecord(all.map { ($0.name, $0) })).push(to: stack)
  }
}
