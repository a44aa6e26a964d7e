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
      of: reduction.steps.map(\.text), reducedFrom: count,
      unfinished: reduction.state.vocabulary.unfinishedStep(),
      isInInvariant: reduction.state.monitor.stoppedInvariant != nil)
    reduction.state.host.explainFirstFailure(with: report)
    return reduction.state
  }
}

extension ContinuousClock.Instant {
  /// The seconds until this instant; a little if it has passed.
  var secondsLeft: Double { max(0.001, (self - .now) / .seconds(1)) }
}
