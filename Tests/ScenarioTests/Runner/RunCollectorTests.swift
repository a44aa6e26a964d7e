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

  @Test(
    "A todo scenario is todo whether it fails or not, and isn't a failure", arguments: ["x", nil])
  func todo(message: String?) throws {
    let one = scenario(1, mode: .todo)
    let collector = try collector([one], retries: 3)
    #expect(try !collector.add(one, ended(failing: message)))
    #expect(reported == ["s1 todo 1"])
    #expect(!collector.hasFailure)
  }

  @Test(
    "A scenario runs again until it passes with retries, or fails with repetitions",
    arguments: [
      (["first", "second", nil], 2, 1, "flaky"), (["x", "x"], 1, 1, "failed"),
      ([nil, nil, nil], 0, 3, "passed"), ([nil, "x"], 0, 3, "failed"),
    ] as [([String?], Int, Int, String)])
  func runs(failures: [String?], retries: Int, repetitions: Int, outcome: String) throws {
    let one = scenario(1)
    let collector = try collector([one], retries: retries, repetitions: repetitions)
    for failure in failures.dropLast() {
      #expect(try collector.add(one, ended(failing: failure)))
      #expect(!collector.hasFailure)
    }
    #expect(try !collector.add(one, ended(failing: failures[failures.count - 1])))
    #expect(reported == ["s1 \(outcome) \(failures.count)"])
    let last = failures.compactMap(\.self).last
    #expect(recorder.results[0].failures.last?.message == last)
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
