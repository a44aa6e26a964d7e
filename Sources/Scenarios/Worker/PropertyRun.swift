import PrimereplFoundation

/// Runs a property: many times with random steps and, if it fails, with fewer and simpler ones.
@MainActor
struct PropertyRun {
  /// The number of runs, and the seed of the first.
  struct Plan: Equatable {
    let runCount: Int
    let seed: Int
  }

  let plan: Plan
  /// When all runs together must have ended.
  let deadline: ContinuousClock.Instant
  /// Called before each run.
  let report: (ScenarioProgress) throws -> Void
  /// Makes a state in which the file was loaded.
  let makeState: (_ seed: Int) async throws -> ScenarioState

  private func description(ofRun number: Int) -> String {
    "run \(number) of \(plan.runCount) (seed = \(plan.seed &+ (number - 1)))"
  }

  /// Runs the property; returns the state of the last run, which has any failures, and may not be closed yet.
  func run() async throws -> ScenarioState {
    var state = try await makeState(plan.seed)
    for index in 0..<plan.runCount {
      if index > 0 {
        state.close()
        guard state.host.failures.isEmpty else {
          state.host.explainFirstFailure(with: description(ofRun: index))
          return state
        }
        let touched = state.touched
        state = try await makeState(plan.seed &+ index)
        state.touchedEarlier = touched
      }
      try report(.propertyRun(description(ofRun: index + 1)))
      await state.runScenario(timeLimit: deadline.secondsLeft)
      guard state.host.failures.isEmpty else { return try await reduced(state, run: index + 1) }
    }
    return state
  }

  /// Finds a short and simple sequence that fails, and returns the state in which it did.
  private func reduced(_ failed: ScenarioState, run number: Int) async throws -> ScenarioState {
    let count = failed.vocabulary.steps().count
    var reduction = PropertyReduction(of: failed, until: deadline) {
      try await makeState(plan.seed &+ (number - 1))
    }
    try await reduction.run()
    let report = PropertyReport(origin: description(ofRun: number)).text(
      of: reduction.steps, reducedFrom: count,
      unfinished: reduction.state.vocabulary.unfinishedStep(),
      isInInvariant: reduction.state.monitor.stoppedInvariant != nil)
    reduction.state.host.explainFirstFailure(with: report)
    return reduction.state
  }
}

/// The report of a property's run that failed: its steps as a scenario to paste into a file.
struct PropertyReport {
  /// The run and its seed.
  let origin: String

  /// The number of steps that are shown if the process ended, so that they can't be reduced.
  private static let mostSteps = 10

  /// The text for a run that failed, below the failure's message.
  ///
  /// The steps were reduced from a count. `unfinished` is the one that didn't end: itself, or an invariant's check.
  func text(
    of steps: [String], reducedFrom count: Int, unfinished: String?, isInInvariant: Bool = false
  ) -> String {
    if let unfinished {
      let step = isInInvariant ? "the invariant's check of \(unfinished)" : unfinished
      let subject = isInInvariant ? "the invariant " : ""
      return "\(origin), in \(step), after \(ReportText.count(steps.count, "step")):"
        + Self.scenario(steps + ["\(unfinished) -- \(subject)doesn't end"])
    }
    // A run that failed before its first step has none.
    guard !steps.isEmpty else { return origin }
    let length =
      steps.count < count
      ? "reduced from \(count) steps to \(steps.count)"
      : "after \(ReportText.count(steps.count, "step"))"
    return "\(origin), \(length):" + Self.scenario(steps + ["-- what the property expects"])
  }

  /// The text for a run in which the process ended: in its last step, or after it.
  func text(after steps: [String]) -> String {
    guard !steps.isEmpty else { return origin }
    let shown = Array(steps.suffix(Self.mostSteps))
    let length =
      shown.count < steps.count
      ? "in the last of \(ReportText.count(steps.count, "step")), or after it; these are the last \(shown.count)"
      : steps.count == 1 ? "in this step, or after it" : "in the last of these steps, or after it"
    return "\(origin), \(length):" + Self.scenario(shown)
  }

  private static func scenario(_ lines: [String]) -> String {
    """


    scenario("...", function()
    \(lines.map { "  \($0)\n" }.joined())end)
    """
  }
}

extension ContinuousClock.Instant {
  /// The seconds until this instant; a little if it has passed.
  var secondsLeft: Double { max(0.001, (self - .now) / .seconds(1)) }
}
