import Foundation
import Testing

@Suite("The scenarios among the examples")
struct ScenarioExamplesTests {
  @Test(
    "pass, in any order too, and touch every action, error and field of their app",
    arguments: [
      ("primerepl", "", ["Examples/scenarios", "--shuffle=13"]),
      ("notes", "", ["Examples/Notes"]),
      ("primerepl", "Examples/shop", ["--app", "shop.lua", "--bare"]),
      ("primerepl", "Examples/lending", ["--app", "lending.lua", "--bare"]),
      ("primerepl", "Examples/household", ["--app", "household.lua", "--bare"]),
    ])
  func examples(program: String, folder: String, arguments: [String]) async throws {
    let folder = Document.repository.appendingPathComponent(folder).path
    let runner = CommandRunner(program: program, workingDirectory: folder)
    let result = try await runner.run(
      ["test", "--timeout", "300", "--ci", "--min-coverage", "100"] + arguments)
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
  }
}
