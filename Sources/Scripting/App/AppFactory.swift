public import Lua
import StateStore

/// A module of an app, made for each of the app's stores and described when it is first used.
public struct ScriptModule {
  let name: String
  let make: (ScriptContext) -> LuaModule
  /// Describes the module, and finds what is wrong with that.
  let check: (ScriptContext) throws(ScriptError) -> Void
  /// The classes of the objects that scripts get from the module.
  let objectTypes: (ScriptContext) -> [any LuaExposed.Type]
  /// The functions that a stub can answer for, such as `todo.fetch`.
  let stubbable: [String]
  /// The feature's name and the codes of its errors; nil for a module without a feature.
  let errors: (feature: String, codes: [String])?

  /// The module of a feature.
  public init<F: ScriptableFeature>(_ feature: F.Type) {
    name = F.name
    func described(_ context: ScriptContext) -> FeatureModule<F> {
      let module = FeatureModule<F>(in: context)
      F.describe(module)
      return module
    }
    check = { context throws(ScriptError) in
      let module = described(context)
      if let problem = module.problem { throw problem }
      try Self.check(F.stubbable, in: module)
    }
    objectTypes = { context in
      let named = F.objectTypes
      return named
        + described(context).recordTypes.filter { type in !named.contains { $0 == type } }
    }
    stubbable = F.stubbable.map { "\(F.name).\($0)" }
    errors = (F.name, F.errorCodes)
    make = { context in
      LuaModule(F.name) {
        described(context).movingMembers()
      }
    }
  }

  /// Checks that a module has the functions that are declared as stubbable.
  fileprivate static func check(
    _ stubbable: [String], in module: LuaModule
  ) throws(ScriptError) {
    guard !stubbable.isEmpty else { return }
    let functions = module.documentation.map(\.name)
    if let function = stubbable.first(where: { !functions.contains($0) }) {
      throw .unknownFunction("\(module.name).\(function)", known: functions)
    }
  }

  /// A module without a state.
  ///
  /// - Parameters:
  ///   - name: The module's name.
  ///   - make: Makes the module, when a script or help first needs it.
  public init(
    _ name: String, _ make: @escaping (_ services: any ScriptServices) -> LuaModule
  ) {
    self.name = name
    check = { _ in }
    objectTypes = { _ in [] }
    stubbable = []
    errors = nil
    self.make = { context in LuaModule(name) { make(context.services) } }
  }
}

/// Makes the modules of apps: of the session's app, and of those that `store.new()` makes.
final class AppFactory {
  private let modules: [ScriptModule]
  private weak let state: LuaState?
  private let library: LibraryFunctions
  /// Makes a table from `FreshModules`; nil before `store.new()` is first called.
  private var makeTable: LuaFunction?
  /// The classes of the objects that scripts get; nil before they are first asked for.
  private var knownObjectTypes: [any LuaExposed.Type]?
  /// The indexes of the modules by name, known from the session's modules.
  private var indexes: [String: Int] = [:]

  init(_ modules: [ScriptModule], in state: LuaState, _ library: LibraryFunctions) {
    self.modules = modules
    self.state = state
    self.library = library
  }

  /// Makes a table whose fields are made when first read: a fresh app mostly uses one or two of many modules.
  private static let tableChunk = CompiledChunk(
    Array(
      """
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

  /// The modules of the session's app, in the order that help lists them.
  ///
  /// - Parameters:
  ///   - context: What the modules are made for.
  ///   - save: Saves the app; nil if it is only in memory.
  ///   - scope: Owns the modules' objects, and the functions that observe the app.
  /// - Returns: The modules.
  func sessionModules(
    in context: ScriptContext, save: (() throws -> Void)?, _ scope: LuaScope
  ) -> [LuaModule] {
    let all =
      modules.map { $0.make(context) }
      + [
        LuaModule("store") { [self, weak state] in
          .store(context, self, save: save, in: state, scope)
        }
      ]
    for (index, module) in all.enumerated() { indexes[module.name] = index }
    return all
  }

  /// A fresh app in memory.
  func freshApp(like context: ScriptContext) throws -> some LuaPushable {
    let store = Store(context.store.schema)
    store.onObserverFailure = context.store.onObserverFailure
    var services = context.services
    services.identifiers = SequentialIdentifiers()
    let scope = try LuaScope(in: openState())
    let fresh = FreshModules(
      of: self, in: ScriptContext(store: store, services: services), scope)
    let makeTable = try makeTable ?? library.run(Self.tableChunk)
    self.makeTable = makeTable
    return FreshApp(modules: scope.owning(fresh), makeTable: makeTable)
  }

  /// Installs the app's modules in another state, for another store.
  func install(
    in state: LuaState, _ store: Store, _ services: any ScriptServices
  ) throws -> (modules: [LuaModule], stubbable: [String]) {
    let app = try ScriptedApp(in: state, store: store, modules: modules, services: services)
    return (app.modules, app.stubbable)
  }

  fileprivate var names: [String] { indexes.sorted { $0.value < $1.value }.map(\.key) }

  fileprivate func module(
    named name: String, in context: ScriptContext, _ scope: LuaScope
  ) throws -> LuaModule? {
    guard let index = indexes[name] else { return nil }
    guard index < modules.count else {
      return .store(context, self, save: nil, in: state, scope)
    }
    return modules[index].make(context)
  }

  /// The classes of the objects that scripts get from the modules, which are described for it the first time.
  func objectTypes(_ context: ScriptContext) -> [any LuaExposed.Type] {
    if let knownObjectTypes { return knownObjectTypes }
    let types = modules.flatMap { $0.objectTypes(context) }
    knownObjectTypes = types
    return types
  }

  /// Checks that every feature has a module, and that the modules are described without mistakes.
  ///
  /// - Complexity: O(members), as all modules are described.
  func check(_ context: ScriptContext) throws(ScriptError) {
    let names = modules.map(\.name)
    if let feature = context.store.schema.featureNames.first(where: { !names.contains($0) }) {
      throw .noModule(feature)
    }
    for module in modules { try module.check(context) }
    let ofServices = Dictionary(grouping: type(of: context.services).stubbable) {
      String($0.prefix { $0 != "." })
    }
    for (name, functions) in ofServices {
      guard let module = modules.first(where: { $0.name == name }) else {
        throw .unknownFunction(functions[0], known: [])
      }
      try ScriptModule.check(
        functions.map { String($0.dropFirst(name.count + 1)) }, in: module.make(context))
    }
  }

  /// The state, which a finalizer may outlive.
  func openState() throws -> LuaState {
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
