import Lua
public import StateStore

/// A module of an app, made for each of the app's stores.
public struct ScriptModule: Sendable {
  package let name: String
  let help: String
  let errorCodes: @Sendable () -> [String]
  let records: @Sendable () -> [ModuleCalls.Records]
  /// The files of the app, if one of them declares the feature; otherwise none.
  private(set) var files: [DeclaredFile] = []
  private(set) var page = PageLayout()
  let make: @Sendable (ScriptContext) throws(ScriptError) -> DescribedModule
}

extension ScriptModule {
  /// The module of a feature.
  public init<F: ScriptableFeature>(_ feature: F.Type) {
    self.init(
      name: F.name, help: F.help,
      errorCodes: { F.ErrorCode.allCases.map(\.code) },
      records: { F.fields.flatMap(\.fields).compactMap { ModuleCalls.Records($0) } },
      make: { context throws(ScriptError) in
        let module = try FeatureModule<F>(in: context)
        module.refine { F.describe(module) }
        return try DescribedModule(module)
      })
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
    self.init(
      name: name, help: help, errorCodes: { [] }, records: { [] },
      make: { context throws(ScriptError) in
        let module = ServiceModule(
          name, help: help, try context.environment.context(of: Services.self, for: name))
        describe(module)
        return try DescribedModule(module)
      })
  }

  /// A module without a state, whose functions ask no services.
  public init(
    _ name: String, help: String,
    describe: @escaping @Sendable (ServiceModule<NoServices>) -> Void
  ) {
    self.init(name, services: NoServices.self, help: help, describe: describe)
  }
}

extension [ScriptModule] {
  var errorCodes: [String: [String]] {
    Dictionary(map { ($0.name, $0.errorCodes()) }) { first, _ in first }
  }
}

/// A module with its members.
struct DescribedModule {
  let module: LuaModule
  /// The functions that a scenario can replace by stubs, such as `fetch`.
  let stubbable: [String]
  /// The functions that may reach outside the app, whatever stubs there are.
  let unconfined: [String]
  /// The module that scripts get, for its own functions; nil for a module that needs none.
  let reference: ModuleReference?

  init(
    _ module: LuaModule, stubbable: [String], unconfined: [String], _ reference: ModuleReference
  ) {
    (self.module, self.stubbable, self.unconfined) = (module, stubbable, unconfined)
    self.reference = reference
    reference.module = module
  }

  /// Takes the members of a module, which its own functions can use without keeping themselves alive.
  init<Services>(_ module: ServiceModule<Services>) throws(ScriptError) {
    if let problem = module.problem { throw problem }
    if let name = module.redeclared.first { throw .duplicateMember("\(module.name).\(name)") }
    stubbable = module.stubbable
    let confined = module.senders.union(module.stubbable)
    unconfined =
      module.functionsUseServices
      ? module.documentation.filter(\.isFunction).map(\.name).filter { !confined.contains($0) } : []
    reference = nil
    self.module = LuaModule(module.name, help: module.help)
    self.module.adoptMembers(of: module)
  }
}

/// A module of the session's app, which is described when it is first used.
struct SessionModule {
  let module: LuaModule
  let description: Description

  /// The description of a module, made once.
  final class Description {
    private let script: ScriptModule
    private let context: ScriptContext
    private lazy var described = Result { () throws(ScriptError) in try script.make(context) }

    init(of script: ScriptModule, in context: ScriptContext) {
      (self.script, self.context) = (script, context)
    }

    func get() throws(ScriptError) -> DescribedModule { try described.get() }
  }

  init(_ script: ScriptModule, in context: ScriptContext) {
    let description = Description(of: script, in: context)
    self.description = description
    module = LuaModule(script.name, help: script.help) { module in
      let described = try description.get()
      module.adoptMembers(of: described.module)
      described.reference?.module = module
    }
  }
}

/// Makes the modules of apps: of the session's app, and of those that `store.new()` makes.
final class AppFactory {
  /// In the order in which help lists them.
  private var modules: [ScriptModule]
  let runtime: ScriptRuntime
  /// Makes a table from `FreshModules`.
  private let makeTable: LuaFunction
  let texts: ActionTexts
  var exportScenario: ScriptedApp.ScenarioExport?

  init(
    _ modules: [ScriptModule], for context: ScriptContext, in state: LuaState
  ) throws(LuaError) {
    self.modules = modules
    runtime = context.runtime
    texts = ActionTexts(Self.calls(of: modules, context))
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
            local module, holder = modules:make(name)
            if holder then holder[1] = module end
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

  /// The modules of the session's app, in the order that help lists them; the module `store` comes after them.
  ///
  /// - Throws: ``ScriptError`` if a feature has none.
  func sessionModules(in context: ScriptContext) throws(ScriptError) -> [SessionModule] {
    let names = modules.map(\.name)
    for feature in context.store.schema.featureNames where !names.contains(feature) {
      throw .noModule(feature)
    }
    return modules.map { SessionModule($0, in: context) }
  }

  /// Makes the modules of new apps, and the texts of actions, from other modules: those of files that were reloaded.
  func setModules(_ modules: [ScriptModule], _ context: ScriptContext) {
    self.modules = modules
    texts.setCalls(Self.calls(of: modules, context))
  }

  /// Finds the calls by which a feature's module sends its actions, for the texts of actions.
  ///
  /// It describes the module once more, for a store of its own: the app's has observers that keep the texts. The calls of a
  /// declared feature don't need its module, which can't be described when the state is closed.
  private static func calls(
    of modules: [ScriptModule], _ session: ScriptContext
  ) -> (_ feature: String) -> ModuleCalls? {
    let (schema, environment, runtime) = (
      session.store.schema, session.environment, session.runtime
    )
    return { feature in
      guard let module = modules.first(where: { $0.name == feature }), module.files.isEmpty else {
        return nil
      }
      let context = ScriptContext(
        store: Store(schema), environment: environment, runtime: runtime)
      var members: [LuaMember] = []
      do throws(ScriptError) {
        members = try module.make(context).module.documentation
      } catch {
        // Each use of the module says what is wrong with it.
      }
      return ModuleCalls(feature, members, module.records())
    }
  }

  func freshApp(like context: ScriptContext) throws -> some LuaPushable {
    let store = Store(context.store.schema)
    store.onObserverFailure = context.store.onObserverFailure
    let scope = try LuaScope(in: runtime.openState())
    let fresh = FreshModules(
      of: self,
      in: ScriptContext(
        store: store, environment: context.environment, runtime: context.runtime), scope)
    return FreshApp(modules: scope.owning(fresh), makeTable: makeTable)
  }

  /// The name of the module that every app has.
  private static let store = "store"

  fileprivate var names: [String] { modules.map(\.name) + [Self.store] }

  /// A module of a fresh app, which is made for its first use; nil if there is none of the name.
  ///
  /// With it comes the table in which its own functions find it, if it has such functions.
  fileprivate func module(
    named name: String, in context: ScriptContext, _ scope: LuaScope
  ) throws -> (LuaModule?, holder: LuaTable?) {
    if let module = modules.first(where: { $0.name == name }) {
      let described = try module.make(context)
      return (described.module, described.reference?.holder)
    }
    guard name == Self.store else { return (nil, nil) }
    let store = LuaModule.store(context, self, save: nil, scope)
    // Described now, its functions belong to the app's scope.
    if let error = store.descriptionError { throw error }
    return (store, nil)
  }

  func scenario(
    of store: Store, _ environment: ScriptEnvironment, named path: String
  ) async throws -> String {
    guard let exportScenario else { throw ScriptError.noRecording }
    return try await exportScenario(store, environment, path)
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
      (modules, key: LuaValue) throws -> (LuaModule?, LuaTable?) in
      guard case .string(let name) = key, let name = name.text else { return (nil, nil) }
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
