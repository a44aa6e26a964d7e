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

  /// What `help` prints.
  package let help: Help
  private let context: ScriptContext
  private let factory: AppFactory

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
    context = ScriptContext(store: store, services: services)
    let library = try LibraryFunctions(in: state)
    factory = AppFactory(modules, in: state, library)
    let scope = try LuaScope(in: state, isPermanent: true)
    let all = factory.sessionModules(in: context, save: save, scope)
    let tools = Self.tools(for: state, services, library)
    self.modules = all + tools

    state.describeErrors { error in
      (error as? any CodedError).map {
        LuaErrorDescription(
          code: LuaError.Code(rawValue: $0.code), message: $0.message,
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
    try state.setGlobal("inspect", to: library.run(inspectChunk, LuaNull.null))
    help = try Help(
      Reference(
        modules: self.modules, storeModuleCount: all.count,
        objectTypes: { [factory, context] in factory.objectTypes(context) },
        errorCodes: errorCodes), in: state)
  }

  /// Checks that every feature has a module, and that the modules are described without mistakes.
  ///
  /// Call it when a program starts: all modules are described for it, which otherwise happens when they are first used.
  ///
  /// - Throws: ``ScriptError``, which names the mistake.
  public func check() throws(ScriptError) {
    try factory.check(context)
  }

  /// The modules that every program has, whatever its features.
  private static func tools(
    for state: LuaState, _ services: any ScriptServices, _ library: LibraryFunctions
  ) -> [LuaModule] {
    let willWait = { try services.checkWaiting() }
    return [
      .task(for: state, clock: services.clock, willWait: willWait),
      LuaModule("clock") { .clock(services.clock, willWait: willWait) },
      LuaModule("json") { [weak state] in .json(for: state, library) },
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
      guard LuaTokens.isName(module.name.utf8) else { throw ScriptError.noName(module.name) }
      guard try state.global(module.name, as: LuaValue.self) == .nil else {
        throw ScriptError.takenName(module.name)
      }
    }
  }
}

// MARK: - Recording

extension ScriptedApp {
  /// Records a part of the history as a scenario, as `store.export` does with all of it.
  ///
  /// - Parameters:
  ///   - name: The scenario's name.
  ///   - actions: The numbers of the actions, in effect or undone; nil for all in effect. The scenario begins in the
  ///     state before them, but without requests that were pending then.
  ///   - expectations: The expectations. Those pinned at other actions, or at actions that were replaced since, are
  ///     left out.
  /// - Returns: The scenario.
  /// - Throws: Why an action can't be repeated by a call, or the history doesn't have the actions.
  package func scenario(
    named name: String, actions: Range<Int>? = nil, expectations: [PinnedExpectation] = []
  ) async throws -> ScenarioRecording {
    try await ScenarioRecorder.record(
      named: name, actions: actions, expectations: expectations, of: context,
      installing: factory.install(in:_:_:))
  }

  /// Pins the value that an expression has now, for a recorded scenario.
  ///
  /// - Parameters:
  ///   - expression: One expression of Lua.
  ///   - value: Its value, in the app's Lua state.
  /// - Returns: The expectation, at the store's position.
  /// - Throws: Why a scenario can't contain the expression or the value: for example, it is a function.
  package func expectation(
    of expression: String, being value: LuaValue
  ) throws -> PinnedExpectation {
    try PinnedExpectation(expression, being: value, in: store, factory.openState())
  }

  /// Writes a text to a file that the user named, as far as the app may write files.
  ///
  /// - Throws: Why it can't be written; then the file is unchanged.
  package func export(_ text: String, to path: String) throws {
    try context.services.export(text, to: path)
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

  static func noModule(_ feature: String) -> Self {
    Self(
      "no_module",
      "Scripts don't see the feature \(feature): make it a ScriptableFeature, and add its ScriptModule."
    )
  }

  /// A stub is declared for a function that doesn't exist.
  static func unknownFunction(_ function: String, known: [String]) -> Self {
    let name = function.split(separator: ".").last.map(String.init) ?? function
    return Self(
      "unknown_function",
      "No function is called \(function), which is declared as stubbable"
        + (name.suggestion(of: known) ?? "."))
  }

  /// A service is asked for a function that isn't declared as stubbable.
  static func notStubbable(_ function: String, in feature: String, _ known: [String]) -> Self {
    Self(
      "not_stubbable",
      "\(feature) asks a service for \"\(function)\", which isn't among its stubbable functions"
        + (function.suggestion(of: known) ?? ": name it there."))
  }

  /// Assigning a part of a record can't send an action.
  static func notAssignable(_ part: String, of record: String, in feature: String) -> Self {
    Self(
      "not_assignable",
      "\(feature): .assign has the part \(part) of \(record), which isn't a field that can be assigned: declare it with "
        + ".field in its fields.")
  }

  /// The module's name can't be a variable's name.
  package static func noName(_ name: String) -> Self {
    Self(
      "no_name",
      "\"\(name)\" can't be a module's name, as it is none of a variable in Lua: give it another.")
  }
}
