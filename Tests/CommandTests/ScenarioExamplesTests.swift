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

  /// An expected value of a scenario, and another one.
  struct Alteration: Sendable, CustomTestStringConvertible {
    let file: String
    let scenario: String
    let expected: String
    let altered: String

    var testDescription: String { "\(file): \(scenario)" }
  }

  private static let alterations = [
    Alteration(
      file: "app", scenario: "keeps the count", expected: #"["counter.count"] = 8"#,
      altered: #"["counter.count"] = 9"#),
    Alteration(
      file: "counter", scenario: "goes up and down", expected: "counter.decrement(12), -2",
      altered: "counter.decrement(12), -1"),
    Alteration(
      file: "counter", scenario: "saves and removes a favorite", expected: "Remove from favorite",
      altered: "Remove favorite"),
    Alteration(
      file: "counter", scenario: "is what the later of two", expected: "The 6th prime is 13",
      altered: "The 6th prime is 1111"),
    Alteration(
      file: "favorites", scenario: "go by a position", expected: "{ 7 }", altered: "{ 2 }"),
    Alteration(
      file: "favorites", scenario: "change by actions only", expected: "read_only_field",
      altered: "unknown_field"),
    Alteration(
      file: "landmarks", scenario: "is one, shown or not", expected: #"selected"] = 2"#,
      altered: #"selected"] = 3"#),
    Alteration(
      file: "landmarks", scenario: "are all that is shown", expected: "landmarks.all[3]",
      altered: "landmarks.all[2]"),
    Alteration(
      file: "persons", scenario: "are removed by id", expected: #"name = "John", age = 31"#,
      altered: #"name = "John", age = 32"#),
    Alteration(
      file: "persons", scenario: "are shown with name and age", expected: "John, 31",
      altered: "John, 32"),
    Alteration(
      file: "primes", scenario: "have neighbors", expected: "prime.next(7), 11",
      altered: "prime.next(7), 13"),
    Alteration(
      file: "signup", scenario: "begin before the first", expected: #"["signup.step"] = "basics""#,
      altered: #"["signup.step"] = "topics""#),
    Alteration(
      file: "signup", scenario: "is refused with one alert", expected: #""no_password", "#,
      altered: ""),
    Alteration(
      file: "store", scenario: "undoes and redoes", expected: #"{ ["counter.count"] = 2 }"#,
      altered: #"{ ["counter.count"] = 1 }"#),
    Alteration(
      file: "todo", scenario: "are edited by assigning", expected: #""oat milk")'"#,
      altered: #""oat")'"#),
    Alteration(
      file: "todo", scenario: "keeps what the later of two", expected: #"text, "fast""#,
      altered: #"text, "slow""#),
    Alteration(
      file: "wolfram", scenario: "gives the nth prime", expected: "wolfram.nth_prime(17), 59",
      altered: "wolfram.nth_prime(17), 61"),
  ]

  @Test("fail when an expected value is altered", arguments: alterations)
  func altered(_ alteration: Alteration) async throws {
    let copy = try TemporaryFolder()
    let name = "\(alteration.file).scenario.lua"
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    #expect(text.contains(alteration.expected))
    let file = copy.url.appendingPathComponent(name)
    try text.replacingOccurrences(of: alteration.expected, with: alteration.altered)
      .write(to: file, atomically: true, encoding: .utf8)
    let result = try await Self.run(
      "primerepl", [file.path, "--filter", alteration.scenario])
    #expect(result.output.contains("1 failed"), "\(result.output)\(result.error)")
    #expect(result.status == .exited(1))
  }

  @Test("are altered in each file")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasSuffix(".lua") }
    #expect(Set(files) == Set(Self.alterations.map { "\($0.file).scenario.lua" }))
  }
}
