import Lua
public import StateStore

/// A module of an app, made for each of the app's stores.
public struct ScriptModule: Sendable {
  let name: String
  /// Finds the codes of the errors that its feature raises.
  let errorCodes: @Sendable () -> [String]
  /// Finds the lists of live records of its feature.
  let records: @Sendable () -> [ModuleCalls.Records]
  let make: @Sendable (ScriptContext) throws(ScriptError) -> DescribedModule

  /// The module of a feature.
  public init<F: ScriptableFeature>(_ feature: F.Type) {
    name = F.name
    errorCodes = { F.ErrorCode.allCases.map(\.code) }
    records = { F.fields.compactMap(\.moduleRecords) }
    make = { context throws(ScriptError) in
      let module = try FeatureModule<F>(in: context)
      module.refine { F.describe(module) }
      return try DescribedModule(module)
    }
  }

  /// A module without a state.
  ///
  /// - Parameters:
  ///   - name: The module's name.
  ///   - services: The type of the services that its functions ask; see ``Feature/Services``.
  ///   - help: Its purpose, in one line.
  ///   - describe: Adds its members.
  public init<Services: Sendable>(
    _ name: String, services: Services.Type, help: String,
    describe: @escaping @Sendable (ServiceModule<Services>) -> Void
  ) {
    self.name = name
    errorCodes = { [] }
    records = { [] }
    make = { context throws(ScriptError) in
      let module = ServiceModule(
        name, help: help, try context.environment.context(of: Services.self, for: name))
      describe(module)
      return try DescribedModule(module)
    }
  }
}

extension [ScriptModule] {
  /// The codes of the errors that each feature raises, by the features' names.
  var errorCodes: [String: [String]] {
    Dictionary(map { ($0.name, $0.errorCodes()) }) { first, _ in first }
  }
}

extension ScriptModule {
  /// A module without a state, whose functions ask no services.
  public init(
    _ name: String, help: String,
    describe: @escaping @Sendable (ServiceModule<NoServices>) -> Void
  ) {
    self.init(name, services: NoServices.self, help: help, describe: describe)
  }
}

/// A module with its members.
struct DescribedModule {
  let module: LuaModule
  /// The functions that a scenario can replace by stubs, such as `todo.fetch`.
  let stubbable: [String]

  /// Takes the members of a module, which its own functions can use without keeping themselves alive.
  ///
  /// - Throws: The problem of the description.
  init<Services>(_ module: ServiceModule<Services>) throws(ScriptError) {
    if let problem = module.problem { throw problem }
    if let name = module.redeclared.first { throw .duplicateMember("\(module.name).\(name)") }
    stubbable = module.stubbable.map { "\(module.name).\($0)" }
    self.module = module.movingMembers()
  }
}

/// Makes the modules of apps: of the session's app, and of those that `store.new()` makes.
final class AppFactory {
  private let modules: [ScriptModule]
  private weak let state: LuaState?
  /// Makes a table from `FreshModules`.
  private let makeTable: LuaFunction
  /// The indexes of the modules by name, known from the session's modules.
  private var indexes: [String: Int] = [:]
  /// The texts of the app's actions, known from the session's modules.
  private(set) var texts = ActionTexts()
  /// How `store.export` writes scenarios; nil if it doesn't.
  var exportScenario: ScriptedApp.ScenarioExport?

  init(
    _ modules: [ScriptModule], in state: LuaState
  ) throws(LuaError) {
    self.modules = modules
    self.state = state
    makeTable = try Self.tableChunk.function(in: state).call(as: LuaFunction.self)
  }

  /// Makes a table whose fields are made when first read: a fresh app mostly uses one or two of many modules.
  private static let tableChunk = CompiledChunk(
    Array(
      """
      -- Scripts can replace the globals.
      local setmetatable, rawset, ipairs, next = setmetatable, rawset, ipairs, next
      return function(modules)
        return setmetatable({}, {
          __name = "app",
          __index = function(app, name)
            local module = modules:make(name)
            if module then rawset(app, name, module) end
            return module
          end,
          __pairs = function(app)
            for _, name in ipairs(modules:names()) do local _ = app[name] end
            return next, app
          end,
        })
      end
      """.utf8), name: .text("app"))

  /// The modules of the session's app, in the order that help lists them, and the functions that a scenario can replace
  /// by stubs.
  ///
  /// - Parameters:
  ///   - context: The store and the services of the app.
  ///   - save: Saves the app; nil if it is only in memory.
  ///   - scope: Owns the modules' objects, and the functions that observe the app.
  /// - Returns: The modules and the functions.
  /// - Throws: ``ScriptError`` if a module is described with a mistake, or a feature has none.
  func sessionModules(
    in context: ScriptContext, save: (() throws -> Void)?, _ scope: LuaScope
  ) throws(ScriptError) -> (modules: [LuaModule], stubbable: [String]) {
    let names = modules.map(\.name)
    if let feature = context.store.schema.featureNames.first(where: { !names.contains($0) }) {
      throw .noModule(feature)
    }
    var all: [LuaModule] = []
    var stubbable: [String] = []
    for module in modules {
      let described = try module.make(context)
      all.append(described.module)
      stubbable += described.stubbable
    }
    texts = texts(of: all)
    all.append(.store(context, self, save: save, scope))
    for (index, module) in all.enumerated() { indexes[module.name] = index }
    return (all, stubbable)
  }

  /// The texts of the actions of modules.
  ///
  /// They keep no module: its store has observers that keep the texts.
  private func texts(of described: [LuaModule]) -> ActionTexts {
    let members = Dictionary(described.map { ($0.name, $0.documentation) }) { first, _ in first }
    return ActionTexts { [modules] feature in
      guard let module = modules.first(where: { $0.name == feature }) else { return nil }
      return ModuleCalls(feature, members[feature] ?? [], module.records())
    }
  }

  /// A fresh app in memory.
  func freshApp(like context: ScriptContext) throws -> some LuaPushable {
    let store = Store(context.store.schema)
    store.onObserverFailure = context.store.onObserverFailure
    let scope = try LuaScope(in: openState())
    let fresh = FreshModules(
      of: self, in: ScriptContext(store: store, environment: context.environment), scope)
    return FreshApp(modules: scope.owning(fresh), makeTable: makeTable)
  }

  fileprivate var names: [String] { indexes.sorted { $0.value < $1.value }.map(\.key) }

  fileprivate func module(
    named name: String, in context: ScriptContext, _ scope: LuaScope
  ) throws -> LuaModule? {
    guard let index = indexes[name] else { return nil }
    guard index < modules.count else {
      return .store(context, self, save: nil, scope)
    }
    return try modules[index].make(context).module
  }

  /// The history of a store as a scenario.
  func scenario(
    of store: Store, _ environment: ScriptEnvironment, named path: String
  ) async throws -> String {
    guard let exportScenario else { throw ScriptError.noRecording }
    return try await exportScenario(store, environment, path)
  }

  /// The state, which a finalizer may outlive.
  func openState() throws(LuaError) -> LuaState {
    guard let state else { throw LuaError(.stateClosed, "the Lua state is closed") }
    return state
  }
}

/// The modules of an app made by `store.new()`; only its table holds this.
private final class FreshModules: LuaExposed {
  private let factory: AppFactory
  private let context: ScriptContext
  private let scope: LuaScope

  init(of factory: AppFactory, in context: ScriptContext, _ scope: LuaScope) {
    (self.factory, self.context, self.scope) = (factory, context, scope)
  }

  static var luaTypeName: String { "app" }

  static func describe(_ members: LuaClass<FreshModules>) {
    members.method("make", "name", help: "Makes a module.", example: "modules:make(\"store\")") {
      (modules, key: LuaValue) throws -> LuaModule? in
      guard case .string(let name) = key, let name = name.text else { return nil }
      return try modules.factory.module(named: name, in: modules.context, modules.scope)
    }
    members.method("names", help: "The modules' names.", example: "modules:names()") { modules in
      modules.factory.names
    }
  }
}

private struct FreshApp<Modules: LuaPushable>: LuaPushable {
  let modules: Modules
  let makeTable: LuaFunction

  static var luaTypeName: String { "app" }

  func push(to stack: LuaStack) throws(LuaError) {
    try makeTable.call(modules, as: LuaTable.self).push(to: stack)
  }
}
