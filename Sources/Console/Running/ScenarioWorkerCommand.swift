import ArgumentParser
import Foundation
import Scenarios
import StateStore

/// The worker process of `test`.
struct ScenarioWorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: name, shouldDisplay: false)

  /// A name that no script is likely to have.
  static let name = "__scenario-worker"

  @MainActor
  func run() async throws {
    let console = Console.current
    let schema = try console.schema.get()
    let environment = CurrentProcess.environment
    let app = ScenarioApp(
      name: console.name, schema: schema, modules: console.modules,
      services: { services in
        console.makeServices(
          ServiceOptions(
            environment: environment, isSandboxed: false,
            network: services.isLive ? .allowed : .refusedInScenario, memoryLimit: nil,
            identifiers: SequentialIdentifiers(), clock: services.clock, stubs: services.stubs))
      })
    try await ScenarioWorker(of: app).run()
  }
}
