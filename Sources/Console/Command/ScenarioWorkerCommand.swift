import ArgumentParser
import PrimereplFoundation
import Scenarios
import StateStore

/// The worker process of `test`.
struct ScenarioWorkerCommand: AppCommand {
  static let configuration = CommandConfiguration(commandName: name)

  /// A name that no script is likely to have.
  static let name = "__scenario-worker"

  /// The command line of a worker: this program, with the same app.
  static func command(of console: Console) -> [String] {
    [CurrentProcess.executable, name] + (console.appFiles?.arguments ?? [])
  }

  @OptionGroup var app: AppOptions

  @MainActor
  func run(in console: Console) async throws {
    let environment = CurrentProcess.environment
    let app = ScenarioApp(
      schema: try console.schema.get(), modules: console.modules,
      environment: { services in
        console.environment(
          ServiceOptions(
            environment: environment,
            documents: DocumentAccess(network: services.isLive ? .allowed : .refusedInScenario),
            clock: services.clock),
          stubs: services.stubs)
      })
    try await ScenarioWorker(of: app).run()
  }
}
