internal import Domain
internal import StateStore
internal import Lua

/// The modules of one app: of the session's, or of one made by `store.new()`.
struct AppModules: LuaPushable {
  /// In the order that help lists them.
  let all: [LuaModule]

  private let scope: LuaScope

  /// This list is the place where a module is added.
  ///
  /// - Parameters:
  ///   - store: the app's state.
  ///   - services: what its logic needs of the world.
  ///   - save: saves the app; nil where it is in memory only.
  ///   - state: the state that the modules are for.
  ///   - scope: what the modules' objects belong to, with the functions that observe the app.
  init(
    store: Store, services: Services, save: (() throws -> Void)? = nil, in state: LuaState,
    _ scope: LuaScope
  ) {
    self.scope = scope
    all = [
      .counter(store: store, services: services),
      .favorites(store: store),
      .prime(services.primes),
      .todo(store: store, services: services),
      .landmarks(store: store, services: services),
      .persons(store: store, services: services),
      .signUp(store: store),
      .wolfram(services.wolfram),
      .store(store, services: services, save: save, in: state, scope),
    ]
  }

  static var luaTypeName: String { "app" }

  /// Pushes a table with the modules under their names.
  func push(to stack: LuaStack) throws(LuaError) {
    try scope.owning(LuaRecord(all.map { ($0.name, $0) })).push(to: stack)
  }
}
