/// Collects the results of a run's scenarios, and passes them to the reporters in the order of the plan.
@MainActor
final class RunCollector {
  private let options: RunOptions
  private let commands: ScenarioCommands
  private let reporters: [any Reporter]
  private var indexes: [ScenarioDescription.ID: Int] = [:]
  private var results: [ScenarioResult?]
  private var firstUnreported = 0
  private var progress: RunProgress
  private var attempts: [Int: Attempts] = [:]

  /// The files of the snapshots that were used, by the scenario file.
  private(set) var usedSnapshots: [String: Set<String>] = [:]
  private(set) var writtenSnapshots = 0
  private(set) var touched: Set<CoverageItem> = []
  /// The functions that properties left out, as they could reach outside the app.
  private(set) var uncalled: Set<String> = []
  /// The functions that properties left out, as there are no random values for their parameters.
  private(set) var withoutValues: Set<String> = []
  /// The files of the modules that scenario files require.
  private(set) var modules: [String: Set<String>] = [:]

  /// The runs so far of a scenario that runs several times.
  private struct Attempts {
    var count = 0
    var failed = 0
    var failures: [ScenarioFailure] = []
  }

  init(_ plan: RunPlan, _ options: RunOptions, _ reporters: [any Reporter]) throws(ReportError) {
    self.options = options
    commands = ScenarioCommands(plan)
    self.reporters = reporters
    results = Array(repeating: nil, count: plan.scenarios.count)
    progress = RunProgress(ended: 0, failed: 0, total: plan.scenarios.count, running: nil)
    for (index, scenario) in plan.scenarios.enumerated() { indexes[scenario.id] = index }
    for reporter in reporters { try reporter.runBegins(plan) }
    for (index, scenario) in plan.scenarios.enumerated() {
      results[index] = Self.resultWithoutRunning(scenario)
      if results[index]?.outcome == .failed { hasFailure = true }
    }
    try report()
  }

  /// The result of a scenario that doesn't run; nil if it does.
  private static func resultWithoutRunning(_ scenario: ScenarioDescription) -> ScenarioResult? {
    switch scenario.mode {
    case .skip: ScenarioResult(scenario, .skipped, attempts: 0)
    case .invalid:
      ScenarioResult(
        scenario, .failed, attempts: 0,
        failures: [
          ScenarioFailure(
            .error, scenario.reason ?? "",
            at: SourceLocation(file: scenario.id.file, line: scenario.line))
        ])
    case .run, .todo: nil
    }
  }

  /// Whether a scenario failed, not counting those that run again.
  private(set) var hasFailure = false
  private(set) var counts: [ScenarioResult.Outcome: Int] = [:]
  /// The keys of the scenarios that ended, and whether they failed.
  private(set) var outcomes: [String: Bool] = [:]

  /// Adds the result of a scenario; returns whether it should run again.
  func add(_ scenario: ScenarioDescription, _ ended: EndedScenario) throws(ReportError) -> Bool {
    guard let index = indexes[scenario.id] else { return false }
    usedSnapshots[scenario.id.file, default: []].formUnion(ended.usedSnapshots ?? [])
    writtenSnapshots += ended.writtenSnapshots ?? 0
    touched.formUnion(ended.touched ?? [])
    uncalled.formUnion(ended.uncalled ?? [])
    withoutValues.formUnion(ended.withoutValues ?? [])
    modules[scenario.id.file, default: []].formUnion(ended.modules ?? [])
    let failures = ended.failures ?? []
    var attempts = attempts[index] ?? Attempts()
    attempts.count += 1
    if !failures.isEmpty {
      attempts.failed += 1
      attempts.failures = failures
    }
    self.attempts[index] = attempts
    let isTodo = scenario.mode == .todo
    if !isTodo, runsAgain(attempts, failed: !failures.isEmpty) { return true }
    let passedAgain = failures.isEmpty && options.retries > 0
    let outcome: ScenarioResult.Outcome =
      isTodo ? .todo : attempts.failed == 0 ? .passed : passedAgain ? .flaky : .failed
    if outcome == .failed { hasFailure = true }
    results[index] = ScenarioResult(
      scenario, outcome, seconds: ended.seconds, attempts: attempts.count,
      failures: attempts.failures, timeline: ended.timeline ?? [],
      earlierActions: ended.earlierActions ?? 0, output: ended.output ?? "")
    try report()
    return false
  }

  private func runsAgain(_ attempts: Attempts, failed: Bool) -> Bool {
    if failed { return attempts.failed <= options.retries }
    return attempts.failed == 0 && attempts.count < options.repetitions
  }

  func started(_ scenario: ScenarioDescription) throws(ReportError) {
    progress.running = scenario.fullName
    for reporter in reporters { try reporter.progressed(progress) }
  }

  /// Reports the results up to the first scenario that hasn't ended.
  private func report() throws(ReportError) {
    while firstUnreported < results.count, let result = results[firstUnreported] {
      try pass(result)
      // Timelines and outputs of thousands of scenarios would fill the memory.
      results[firstUnreported] = nil
      firstUnreported += 1
    }
  }

  private func pass(_ result: ScenarioResult) throws(ReportError) {
    var result = result
    result.command = commands.command(running: result.scenario)
    progress.ended += 1
    if result.outcome == .failed { progress.failed += 1 }
    counts[result.outcome, default: 0] += 1
    outcomes[result.scenario.key] = result.outcome == .failed
    for reporter in reporters {
      try reporter.scenarioEnded(result)
      try reporter.progressed(progress)
    }
  }

  /// Reports the results of the scenarios that ended although earlier ones didn't.
  func reportRest() throws(ReportError) {
    for result in results[firstUnreported...] { if let result { try pass(result) } }
    firstUnreported = results.count
  }

  func end(_ summary: RunSummary) throws(ReportError) {
    for reporter in reporters { try reporter.runEnds(summary) }
  }
}
