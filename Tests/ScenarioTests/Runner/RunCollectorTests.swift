import Testing

@testable import Scenarios

@MainActor
@Suite("Collecting results")
struct RunCollectorTests {
  private final class Recorder: Reporter {
    var results: [ScenarioResult] = []

    func runBegins(_ plan: RunPlan) {}
    func scenarioEnded(_ result: ScenarioResult) { results.append(result) }
    func progressed(_ progress: RunProgress) {}
    func runEnds(_ summary: RunSummary) {}
  }

  private let recorder = Recorder()

  private func scenario(
    _ number: Int, mode: ScenarioDescription.Mode = .run, reason: String? = nil
  ) -> ScenarioDescription {
    ScenarioDescription(
      id: .init(file: "f", number: number), names: ["s\(number)"], line: number, mode: mode,
      reason: reason)
  }

  private func collector(
    _ scenarios: [ScenarioDescription], retries: Int = 0, repetitions: Int = 1
  ) throws -> RunCollector {
    var options = RunOptions()
    options.retries = retries
    options.repetitions = repetitions
    return try RunCollector(RunPlan(program: "p", scenarios: scenarios), options, [recorder])
  }

  private func ended(failing message: String? = nil) -> EndedScenario {
    EndedScenario(failures: message.map { [ScenarioFailure(.error, $0)] })
  }

  private var reported: [String] {
    recorder.results.map { "\($0.scenario.name) \($0.outcome.rawValue) \($0.attempts)" }
  }

  @Test("Results are reported in the order of the plan, as soon as all before them are known")
  func order() throws {
    let scenarios = (1...3).map { scenario($0) }
    let collector = try collector(scenarios)
    #expect(try !collector.add(scenarios[2], ended()))
    #expect(reported == [])
    #expect(try !collector.add(scenarios[0], ended()))
    #expect(reported == ["s1 passed 1"])
    #expect(try !collector.add(scenarios[1], ended(failing: "x")))
    #expect(reported == ["s1 passed 1", "s2 failed 1", "s3 passed 1"])
  }

  @Test("At the end of an interrupted run, results after a gap are reported")
  func rest() throws {
    let scenarios = (1...3).map { scenario($0) }
    let collector = try collector(scenarios)
    _ = try collector.add(scenarios[2], ended())
    try collector.reportRest()
    #expect(reported == ["s3 passed 1"])
    #expect(collector.counts == [.passed: 1])
  }

  @Test("Skipped and invalid scenarios are reported without running")
  func withoutRunning() throws {
    let collector = try collector([
      scenario(1, mode: .skip, reason: "r"), scenario(2, mode: .invalid, reason: "m"),
    ])
    #expect(reported == ["s1 skipped 0", "s2 failed 0"])
    #expect(collector.hasFailure)
    #expect(recorder.results.last?.failures.map(\.message) == ["m"])
  }

  @Test("A todo scenario is todo whether it fails or not, and isn't a failure")
  func todo() throws {
    let scenarios = [scenario(1, mode: .todo), scenario(2, mode: .todo)]
    let collector = try collector(scenarios, retries: 3)
    #expect(try !collector.add(scenarios[0], ended(failing: "x")))
    #expect(try !collector.add(scenarios[1], ended()))
    #expect(reported == ["s1 todo 1", "s2 todo 1"])
    #expect(!collector.hasFailure)
  }

  @Test("With retries, a scenario that passes at last is flaky, with its earlier failures")
  func flaky() throws {
    let one = scenario(1)
    let collector = try collector([one], retries: 2)
    #expect(try collector.add(one, ended(failing: "first")))
    #expect(try collector.add(one, ended(failing: "second")))
    #expect(!collector.hasFailure)
    #expect(try !collector.add(one, ended()))
    #expect(reported == ["s1 flaky 3"])
    #expect(recorder.results[0].failures.map(\.message) == ["second"])
    #expect(!collector.hasFailure)
  }

  @Test("After all retries, a scenario that still fails has failed")
  func exhaustedRetries() throws {
    let one = scenario(1)
    let collector = try collector([one], retries: 1)
    #expect(try collector.add(one, ended(failing: "x")))
    #expect(try !collector.add(one, ended(failing: "x")))
    #expect(reported == ["s1 failed 2"])
  }

  @Test("A repeated scenario passes if all runs do, and ends with the first that fails")
  func repetitions() throws {
    let scenarios = [scenario(1), scenario(2)]
    let collector = try collector(scenarios, repetitions: 3)
    #expect(try collector.add(scenarios[0], ended()))
    #expect(try collector.add(scenarios[0], ended()))
    #expect(try !collector.add(scenarios[0], ended()))
    #expect(try collector.add(scenarios[1], ended()))
    #expect(try !collector.add(scenarios[1], ended(failing: "x")))
    #expect(reported == ["s1 passed 3", "s2 failed 2"])
  }

  @Test("Used and written snapshots, modules and what was touched are added up")
  func sums() throws {
    let scenarios = [scenario(1), scenario(2)]
    let collector = try collector(scenarios)
    let item = CoverageItem(feature: "f", kind: .action, name: "f.a")
    for (scenario, name) in zip(scenarios, ["a", "b"]) {
      var ended = ended()
      ended.usedSnapshots = [name]
      ended.writtenSnapshots = 1
      ended.modules = [name]
      ended.touched = [item]
      _ = try collector.add(scenario, ended)
    }
    #expect(collector.usedSnapshots == ["f": ["a", "b"]])
    #expect(collector.writtenSnapshots == 2)
    #expect(collector.modules == ["f": ["a", "b"]])
    #expect(collector.touched == [item])
    #expect(collector.outcomes == ["f\ns1": false, "f\ns2": false])
  }
}
