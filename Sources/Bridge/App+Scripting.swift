public import Domain
public import Lua
public import Scripting
public import StateStore

extension App {
  /// What scripts see of the app, in the order that help lists it: a module for each feature, then those without a state.
  public static var scriptModules: [ScriptModule] {
    features.map { feature in
      guard let feature = feature as? any ScriptableFeature.Type else {
        preconditionFailure("\(feature.name) has no Lua module: make it a ScriptableFeature.")
      }
      return ScriptModule(feature)
    } + [
      ScriptModule("prime") { .prime(services($0)) },
      ScriptModule("wolfram") { .wolfram(services($0)) },
    ]
  }

  static func services(_ services: any ScriptServices) -> Services {
    guard let services = services as? Services else {
      preconditionFailure("The modules of the app are made with its services.")
    }
    return services
  }
}

extension ScriptedApp {
  /// Makes the app and installs its modules in a state.
  ///
  /// - Parameters:
  ///   - state: The state in which the modules become global variables.
  ///   - store: A store of ``App/schema``.
  ///   - services: The services that the app's logic uses.
  ///   - save: Saves the app, for `store.save()`; nil if it is only in memory.
  /// - Throws: `LuaError` if the state is closed or out of memory.
  public convenience init(
    in state: LuaState, store: Store = Store(), services: Services,
    save: (() throws -> Void)? = nil
  ) throws {
    try self.init(
      in: state, store: store, modules: App.scriptModules, services: services, save: save)
  }
}

extension Services: ScriptServices {
  /// The functions of `prime` and `wolfram` that ask services.
  public static var stubbable: [String] {
    ["prime.nth", "prime.count", "wolfram.query", "wolfram.short_answer", "wolfram.nth_prime"]
  }

  /// Checks that the process can have threads.
  public func checkWaiting() throws { try Threads.check() }

  /// Writes a document to a file named by the user.
  public func export(_ text: String, to path: String) throws { try exports.write(text, to: path) }

  /// Reads a document from a file or URL named by the user.
  public func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?) {
    try Threads.check()
    return try await sources.states(of: schema, from: path)
  }
}

extension WolframError: ScriptableError {
  /// The answer's status, and what Wolfram|Alpha suggests instead.
  public var luaFields: [String: any LuaPushable] {
    ["status": status, "suggestions": suggestions]
  }
}

extension SourceError: ScriptableError {
  /// The answer's status.
  public var luaFields: [String: any LuaPushable] { ["status": status] }
}
