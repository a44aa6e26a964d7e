import Foundation
import TestSupport

/// A run of `primerepl test` in a folder of its own.
struct TestRun {
  let folder: TemporaryFolder
  private let home: TemporaryFolder
  private var runner: CommandRunner

  /// Writes files, by their names, into a new folder.
  init(_ files: [String: String]) throws {
    folder = try TemporaryFolder()
    home = try TemporaryFolder()
    runner = CommandRunner(
      environment: ["CI": nil], workingDirectory: folder.path, home: home)
    for (name, text) in files { _ = try folder.write(text, to: name) }
  }

  /// Writes a file of scenarios, `a.scenario.lua`, into a new folder.
  init(_ scenarios: String) throws { try self.init(["a.scenario.lua": scenarios]) }

  /// A run in another environment.
  func with(
    environment: [String: String?] = [:], preparation: String? = nil
  ) -> TestRun {
    var copy = self
    copy.runner.environment.merge(environment) { $1 }
    copy.runner.preparation = preparation
    return copy
  }

  /// Runs the command to its end.
  func callAsFunction(_ arguments: String...) async throws -> CommandOutput {
    try await runner.run(["test"] + arguments)
  }

  /// Runs the command to its end, and reads its report.
  func report(_ arguments: String...) async throws -> Report {
    let output = try await runner.run(["test", "--report", "json"] + arguments)
    return try Report(output)
  }

  /// The contents of the JSON report.
  struct Report {
    let output: CommandOutput
    let results: [Result]
    let problems: [Problem]
    let notes: [String]

    init(_ output: CommandOutput) throws {
      self.output = output
      var (results, problems, notes) = ([Result](), [Problem](), [String]())
      for line in output.output.split(separator: "\n") {
        let data = Data(line.utf8)
        switch try JSONDecoder().decode(Event.self, from: data).event {
        case "result": results.append(try JSONDecoder().decode(Result.self, from: data))
        case "problem": problems.append(try JSONDecoder().decode(Problem.self, from: data))
        case "summary": notes = try JSONDecoder().decode(Summary.self, from: data).notes
        default: break
        }
      }
      (self.results, self.problems, self.notes) = (results, problems, notes)
    }

    /// Each scenario with its outcome, such as "adds: passed".
    var outcomes: [String] { results.map { "\($0.full_name): \($0.outcome)" } }

    /// The messages of a scenario's failures.
    func messages(of name: String) -> [String] {
      results.first { $0.full_name == name }?.failures.map(\.message) ?? []
    }

    private struct Event: Decodable { let event: String }
    private struct Summary: Decodable { let notes: [String] }
  }

  // The names of the report's keys.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Result: Decodable {
    let full_name: String
    let outcome: String
    let attempts: Int
    let output: String
    let earlier_actions: Int
    let failures: [Failure]
  }

  struct Failure: Decodable {
    let kind: String
    let message: String
    let location: Location?
  }

  struct Problem: Decodable {
    let file: String
    let message: String
    let location: Location?
  }

  struct Location: Decodable {
    let file: String
    let line: Int
  }
}
