internal import Lua
internal import PrimereplBridge
internal import PrimereplDomain
internal import Scripting
internal import StateStore

extension App {
  /// The features, composed.
  static let schema: StoreSchema = {
    do throws(SchemaError) {
      return try StoreSchema(features: features, derived: derived)
    } catch {
      preconditionFailure(error.message)
    }
  }()
}

extension ScriptedApp {
  /// Makes the app in a state, with services that nothing asks.
  convenience init(
    in state: LuaState, store: Store = Store(App.schema), save: (() throws -> Void)? = nil
  ) throws {
    try self.init(
      in: state, store: store, modules: App.features.map { ScriptModule($0) } + App.modules,
      environment: ScriptEnvironment(
        app: Services(wolfram: WolframClient(configuration: .init()))),
      save: save)
  }
}
