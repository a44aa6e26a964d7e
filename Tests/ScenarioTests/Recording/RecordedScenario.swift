@testable import Scenarios

/// A recorded scenario of the sample app, run as the command `test` does it but without a separate process.
@MainActor
struct RecordedScenario {
  let text: String

  /// The failures; empty if it passed.
  func failures() async throws -> [ScenarioFailure] {
    let run = try FileRun(text)
    let listed = await run.list()
    if let problem = listed.problem { throw problem }
    var failures: [ScenarioFailure] = []
    for scenario in listed.scenarios {
      failures += await run.run(scenario).failures ?? []
    }
    return failures
  }
}
