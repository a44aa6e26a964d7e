import Foundation
import Testing
import TestSupport

@Suite("The scenarios among the examples")
struct ScenarioExamplesTests {
  private static let folder = Document.repository.appendingPathComponent("Examples/scenarios")

  private static func run(
    _ program: String, _ arguments: [String]
  ) async throws -> CommandOutput {
    var runner = CommandRunner(workingDirectory: Document.repository.path)
    runner.program = program
    return try await runner.run(["test", "--timeout", "300"] + arguments)
  }

  @Test("pass in any order, and touch every action, error and field of the app")
  func examples() async throws {
    let result = try await Self.run(
      "primerepl",
      ["Examples/scenarios", "--ci", "--shuffle=13", "--min-coverage", "100"])
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
  }

  @Test("of another app pass, and touch all of it")
  func notes() async throws {
    let result = try await Self.run("notes", ["Examples/Notes", "--ci", "--min-coverage", "100"])
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
  }

  @Test("of an app in Lua pass, and touch all of it", arguments: ["shop", "lending", "household"])
  func declared(_ app: String) async throws {
    let runner = CommandRunner(workingDirectory: Document.repository.path + "/Examples/\(app)")
    let result = try await runner.run(
      ["test", "--app", "\(app).lua", "--bare", "--ci", "--min-coverage", "100"])
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
  }
}
