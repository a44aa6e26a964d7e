import Foundation
import PrimereplBridge
import PrimereplDomain
import PrimereplLoading
import Scripting
import StateStore
import TestSupport

@testable import Scenarios

/// A recorded scenario that is run as the command `test` does it, without a separate process.
@MainActor
struct RecordedScenario {
  let text: String

  /// The failures; empty if it passed.
  func failures() async throws -> [ScenarioFailure] {
    let folder = try TemporaryFolder()
    let file = try ScenarioFile(path: folder.write(text, to: "x.scenario.lua"))
    let app = ScenarioApp(
      schema: App.schema, modules: App.scriptModules,
      environment: { services in
        let documents = DocumentAccess(network: .refusedInScenario)
        return ScriptEnvironment(
          app: Services(
            wolfram: WolframClient(environment: [:], network: .refusedInScenario),
            documents: documents),
          clock: services.clock, stubs: services.stubs, documents: documents)
      })
    let listed = await ScenarioRun.list(file, of: app, WorkerSettings())
    if let problem = listed.problem { throw problem }
    var failures: [ScenarioFailure] = []
    for scenario in listed.scenarios {
      failures +=
        await ScenarioRun.run(scenario, in: file, of: app, WorkerSettings()).failures ?? []
    }
    return failures
  }

  /// Runs it.
  ///
  /// - Throws: `Failed` if it fails.
  func run() async throws {
    let failures = try await failures()
    if !failures.isEmpty { throw Failed(failures: failures) }
  }

  struct Failed: Error {
    let failures: [ScenarioFailure]
  }
}
