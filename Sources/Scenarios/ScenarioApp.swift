package import Scripting
package import StateStore

/// An app whose scenarios run, with the parts that are made for each.
package struct ScenarioApp: Sendable {
  let schema: StoreSchema
  let modules: [ScriptModule]
  let environment: @Sendable (ScenarioServices) -> ScriptEnvironment
  let description = AppDescription()

  package init(
    schema: StoreSchema, modules: [ScriptModule],
    environment: @escaping @Sendable (ScenarioServices) -> ScriptEnvironment
  ) {
    self.schema = schema
    self.modules = modules
    self.environment = environment
  }
}

/// The facts about an app that are the same for all of its scenarios, and that only all modules' descriptions say.
@MainActor
final class AppDescription {
  /// Nil until a scenario's app was described.
  var stubbable: StubbableFunctions?

  nonisolated init() {}
}

/// A scenario's replacements of real services.
package struct ScenarioServices: Sendable {
  /// The clock, on which waiting costs no real time.
  package let clock: any Clock<Duration>
  package let stubs: any ServiceStubs
  /// Whether the network may be used.
  package let isLive: Bool
}
