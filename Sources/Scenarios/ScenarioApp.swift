package import Scripting
package import StateStore

/// An app whose scenarios run: what is made anew for each of them.
package struct ScenarioApp: Sendable {
  /// The name of the program, for command lines in reports.
  package let name: String

  let schema: Schema
  let modules: @Sendable () -> [ScriptModule]
  let services: @Sendable (ScenarioServices) -> any ScriptServices

  /// Makes an app.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - schema: The features.
  ///   - modules: The modules that scripts see.
  ///   - services: Makes the services that the modules use.
  package init(
    name: String, schema: Schema, modules: @escaping @Sendable () -> [ScriptModule],
    services: @escaping @Sendable (ScenarioServices) -> any ScriptServices
  ) {
    self.name = name
    self.schema = schema
    self.modules = modules
    self.services = services
  }
}

/// What a scenario's services use in place of the real ones.
package struct ScenarioServices: Sendable {
  /// The clock, on which waiting costs no real time.
  package let clock: any Clock<Duration>
  /// What answers in place of services.
  package let stubs: any ServiceStubs
  /// Whether the network may be used.
  package let isLive: Bool
}
