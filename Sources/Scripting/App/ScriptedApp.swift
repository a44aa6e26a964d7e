public import Lua
public import StateStore

/// An app as Lua sees it: a store, and modules that read it and send its actions.
///
/// The modules are global variables of the state, and fields of `app`. Scripts make more apps with `store.new()`.
public final class ScriptedApp {
  /// The store that the modules use.
  public let store: Store

  /// The modules, in the order that help lists them.
  public private(set) var modules: [LuaModule]

  /// The functions whose services a scenario can replace by stubs, such as `todo.fetch`, and those of `http`.
  ///
  /// Modules that are described with a mistake have none.
  public var stubbable: [String] { names(\.stubbable) + HTTPFunction.allCases.map(\.name) }

  /// The functions of the features' modules that may reach outside the app, whatever stubs there are.
  package var unconfined: [String] { names(\.unconfined) }

  /// Members of the features' modules, with their modules; none of a module that is described with a mistake.
  private func names(_ members: KeyPath<DescribedModule, [String]>) -> [String] {
    sessionModules.flatMap { session -> [String] in
      do throws(ScriptError) {
        return try session.description.get()[keyPath: members].map {
          "\(session.module.name).\($0)"
        }
      } catch {
        return []
      }
    }
  }

  package var errorCodes: [String: [String]] { scriptModules.errorCodes }

  /// Starts a function of a module, `app[module][name]`, of the session's app.
  package func start(
    _ name: String, of module: String, _ arguments: [any LuaPushable], in state: LuaState
  ) throws(LuaError) -> LuaTask {
    try state.start(Self.callChunk.function(in: state), [module, name] + arguments)
  }

  /// Calls a function of a module, as `start` does, and waits for nothing.
  package func call(
    _ name: String, of module: String, _ arguments: [any LuaPushable], in state: LuaState
  ) throws(LuaError) {
    try Self.callChunk.function(in: state).call(with: [module, name] + arguments)
  }

  private static let callChunk = CompiledChunk(
    Array("local module, name = ...; return app[module][name](select(3, ...))".utf8),
    name: .text("call"), .hidden)

  package func pageLayout(of feature: String) -> PageLayout {
    scriptModules.first { $0.name == feature }?.page ?? PageLayout()
  }

  package let help: Help

  /// Writes values for `show`; by default as `inspect` does.
  package var showing: ((_ values: [LuaValue]) throws -> String)?

  /// The modules of features, from which the app was made.
  package private(set) var scriptModules: [ScriptModule]

  private let context: ScriptContext
  private let factory: AppFactory
  private var sessionModules: [SessionModule]
  /// The table of the global variable `app`.
  private let table: LuaTable

  /// Makes an app and installs its modules in a state.
  ///
  /// The state then also shows the app's errors to scripts with their codes and messages.
  ///
  /// - Parameters:
  ///   - state: The state in which the modules become global variables.
  ///   - store: The app's store.
  ///   - modules: The modules, in the order that help lists them; `store` and the tools, such as `task`, come after
  ///     them.
  ///   - environment: The app's services, and those of the kit.
  ///   - save: Saves the app, for `store.save()`; nil if it is only in memory.
  ///   - describesModules: Whether all modules are described now. Otherwise each is when it is first used, and every use
  ///     of one that is described with a mistake throws that.
  /// - Throws: ``ScriptError`` if a feature has no module, or a module is described with a mistake: for example, its name
  ///   is taken, or it needs other services; `LuaError` if the state is closed or out of memory.
  public init(
    in state: LuaState, store: Store, modules: [ScriptModule],
    environment: ScriptEnvironment = ScriptEnvironment(),
    save: (() throws -> Void)? = nil, describesModules: Bool = true
  ) throws {
    self.store = store
    scriptModules = modules
    let runtime = try ScriptRuntime(
      in: state, modules.first { !$0.files.isEmpty }?.files ?? [], environment)
    context = ScriptContext(store: store, environment: environment, runtime: runtime)
    factory = try AppFactory(modules, for: context, in: state)
    sessionModules = try factory.sessionModules(in: context)
    let scope = try LuaScope(in: state, isPermanent: true)
    let all = sessionModules.map(\.module) + [.store(context, factory, save: save, scope)]
    let tools = try Self.tools(for: state, environment, runtime.marks)
    self.modules = all + tools
    if describesModules {
      for module in self.modules {
        if let error = module.descriptionError { throw error }
      }
    }

    state.describeErrors { error in
      // A function may have used a secret, and scripts may keep the message anywhere.
      switch Secret.usedHidden(in: error) {
      case let error as any CodedError:
        LuaErrorDescription(
          code: LuaError.Code(rawValue: error.code), message: error.message,
          fields: (error as? any ScriptableError)?.luaFields ?? [:])
      // The library knows these.
      case is LuaError, is LuaTypeMismatch, is CancellationError: nil
      default: LuaErrorDescription(code: .undescribed, message: error.userMessage)
      }
    }
    try Self.checkNames(of: modules)
    let app = try state.makeTable(scope.owning(LuaRecord(all.map { ($0.name, $0) })))
    table = app
    let taken = try Self.installingChunk.function(in: state)
      .call(app, LuaRecord(tools.map { ($0.name, $0) }), as: String?.self)
    if let taken { throw ScriptError.takenName(taken) }
    help = try Help(
      Reference(
        modules: self.modules, storeModuleCount: all.count,
        errorCodes: { modules.errorCodes }), in: state)
    try addTexts(to: state)
  }

  /// Adds the functions `inspect`, `show` and `template`, which are compiled at the first call: most scripts call none.
  private func addTexts(to state: LuaState) throws {
    try Self.textsChunk.function(in: state).call(
      PackageResources.texts_lua, LuaNull.null,
      state.function("show") { [weak self] (values: LuaVariadic) -> String? in
        try self?.showing?(values.values)
      })
  }

  private static let textsChunk = CompiledChunk(
    Array(
      """
      local source, null, write = ...
      -- Scripts can replace the globals before the first call.
      local error, load = error, load
      local globals = {
        byte = string.byte, find = string.find, format = string.format, gmatch = string.gmatch,
        gsub = string.gsub, match = string.match, sub = string.sub, utf8_len = utf8.len,
        concat = table.concat, sort = table.sort,
        huge = math.huge, mininteger = math.mininteger, math_type = math.type,
      }
      for name, value in next, _G do
        if type(value) == "function" then globals[name] = value end
      end

      local compiled
      local function texts()
        if not compiled then
          local chunk, problem = load(source, "=texts", "t", globals)
          if not chunk then error(problem, 0) end
          compiled = chunk(null, write)
        end
        return compiled
      end

      function inspect(value) return texts().inspect(value) end
      function show(...) return texts().show(...) end
      function template(text, values)
        -- No tail call: errors name the function.
        local filled = texts().template(text, values)
        return filled
      end
      """.utf8), name: .text("texts"), .hidden)

  /// The modules that every program has, whatever its features.
  private static func tools(
    for state: LuaState, _ environment: ScriptEnvironment, _ marks: JSONMarks
  ) throws(LuaError) -> [LuaModule] {
    [
      .task(for: state, clock: environment.clock),
      .clock(environment),
      .date, .json(marks), .csv(marks),
      .http(for: state, environment, marks),
    ]
  }

  /// A value as `json.encode` writes it.
  ///
  /// - Throws: ``JSONError`` for a value that JSON has no place for; errors that metamethods raise.
  package func jsonValue(of value: LuaValue) throws -> StateValue {
    try JSONWriter.value(of: value, context.runtime.marks)
  }

  private static func checkNames(of modules: [ScriptModule]) throws(ScriptError) {
    var names: Set<String> = []
    for module in modules {
      if let owner = ReservedNames.owner(of: module.name) {
        throw .takenName(module.name, hides: owner)
      }
      guard names.insert(module.name).inserted else { throw .takenName(module.name) }
      guard LuaTokens.isName(module.name.utf8) else { throw .noName(module.name) }
    }
  }

  /// Makes the modules global variables; returns the name of one that there is already.
  private static let installingChunk = CompiledChunk(
    Array(
      """
      local modules, tools = ...
      for name in next, modules do
        if _ENV[name] ~= nil then return name end
      end
      for name, module in next, modules do _ENV[name] = module end
      for name, module in next, tools do _ENV[name] = module end
      app = modules
      """.utf8), name: .text("modules"), .optional)
}

// MARK: - Reloading

extension ScriptedApp {
  /// Modules that are ready to replace those of declared features.
  package struct ReloadedModules {
    fileprivate let scripts: [ScriptModule]
    fileprivate let modules: [SessionModule]
  }

  /// Prepares the modules of an app whose files were loaded again.
  ///
  /// - Throws: ``ScriptError`` if a name is taken.
  package func reloadedModules(_ scripts: [ScriptModule]) throws -> ReloadedModules {
    let modules = scripts.map { script in
      let isDeclared = !script.files.isEmpty
      let known = isDeclared ? nil : sessionModules.first { $0.module.name == script.name }
      return known ?? SessionModule(script, in: context)
    }
    try Self.checkNames(of: scripts)
    return ReloadedModules(scripts: scripts, modules: modules)
  }

  /// Makes modules global variables in place of those of declared features; the store must have their features.
  package func adopt(_ reloaded: ReloadedModules) throws {
    let state = try openState()
    let earlier = Set(scriptModules.filter { !$0.files.isEmpty }.map(\.name))
    let names = reloaded.modules.map(\.module.name)
    let others = modules.filter { !scriptModules.map(\.name).contains($0.name) }
    (scriptModules, sessionModules) = (reloaded.scripts, reloaded.modules)
    modules = reloaded.modules.map(\.module) + others
    context.runtime.setFiles(reloaded.scripts.first { !$0.files.isEmpty }?.files ?? [])
    factory.setModules(reloaded.scripts, context)
    help.reference = Reference(
      modules: modules, storeModuleCount: reloaded.modules.count + 1,
      errorCodes: { reloaded.scripts.errorCodes })
    for name in earlier where !names.contains(name) {
      try table.rawSet(name, to: LuaValue.nil)
      try state.setGlobal(name, to: LuaValue.nil)
    }
    for (script, session) in zip(reloaded.scripts, reloaded.modules) where !script.files.isEmpty {
      let module = try state.makeTable(session.module)
      try table.rawSet(script.name, to: module)
      try state.setGlobal(script.name, to: module)
    }
  }
}

// MARK: - Recording

extension ScriptedApp {
  /// The end of the names of scenario files.
  package static let scenarioFileNameEnd = ".scenario.lua"

  /// Writes the history of a store as a scenario for a file.
  package typealias ScenarioExport = (
    _ store: Store, _ environment: ScriptEnvironment, _ path: String
  ) async throws -> String

  /// How `store.export` writes scenarios; nil if it doesn't.
  package var exportScenario: ScenarioExport? {
    get { factory.exportScenario }
    set { factory.exportScenario = newValue }
  }

  package var environment: ScriptEnvironment { context.environment }
  package var texts: ActionTexts { factory.texts }

  package func openState() throws(LuaError) -> LuaState { try context.runtime.openState() }

  /// Writes a text to a file that the user named, as far as the app may write files.
  ///
  /// - Throws: Why it can't be written; then the file is unchanged.
  package func export(_ text: String, to path: String) throws {
    try context.environment.documents.write(text, to: path)
  }
}
