import Foundation

/// Runs a property: many times with random steps and, if it fails, with fewer and fewer of them.
@MainActor
struct PropertyRun {
  /// The number of runs, and the seed of the first.
  struct Plan: Equatable {
    let runCount: Int
    let seed: Int
  }

  let plan: Plan
  /// The real seconds that all runs together may take.
  let timeLimit: Double
  /// Gets a description of each run before it begins.
  let noteRun: (String) throws -> Void
  /// Makes a state in which the file was loaded.
  let makeState: (_ seed: Int) async throws -> ScenarioState

  private let start = ContinuousClock.now

  init(
    _ plan: Plan, timeLimit: Double, noteRun: @escaping (String) throws -> Void,
    makeState: @escaping (_ seed: Int) async throws -> ScenarioState
  ) {
    self.plan = plan
    self.timeLimit = timeLimit
    self.noteRun = noteRun
    self.makeState = makeState
  }

  /// The real seconds that are left.
  private var timeLeft: Double { timeLimit - (ContinuousClock.now - start) / .seconds(1) }

  private func description(ofRun number: Int) -> String {
    "run \(number) of \(plan.runCount) (seed = \(plan.seed &+ (number - 1)))"
  }

  /// Runs the property.
  ///
  /// - Returns: The state of the last run, which has the failures, if there are any; it may not be closed yet.
  /// - Throws: `FileProblem` if the file can no longer be loaded.
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
      try noteRun(description(ofRun: index + 1))
      await state.runScenario(timeLimit: max(0.001, timeLeft))
      guard state.host.failures.isEmpty else {
        return try await shortest(state, run: index + 1)
      }
    }
    return state
  }

  // MARK: - Shrinking

  /// The maximum number of sequences to try.
  private static let mostAttempts = 500
  /// The share of the remaining time that it may take.
  private static let shareOfTime = 0.5

  /// Finds a short sequence that fails, and returns the state in which it did.
  private func shortest(_ failed: ScenarioState, run number: Int) async throws -> ScenarioState {
    let seed = plan.seed &+ (number - 1)
    var best = failed
    var steps = failed.steps
    let count = steps.count
    var attempts = 0
    var size = max(1, steps.count / 2)
    let end = ContinuousClock.now + .seconds(max(0.1, timeLeft * Self.shareOfTime))
    func isWorthTrying() -> Bool { attempts < Self.mostAttempts && ContinuousClock.now < end }
    // With less time than the failed run, any sequence would fail.
    let kind = failed.host.failures.first?.kind
    while kind != .timeout, !steps.isEmpty, isWorthTrying() {
      var position = 0
      var hasShrunk = false
      while position < steps.count, isWorthTrying() {
        var fewer = steps
        fewer.removeSubrange(position..<min(position + size, steps.count))
        attempts += 1
        let state = try await makeState(seed)
        await state.runScenario(steps: fewer, timeLimit: max(0.001, timeLeft))
        if state.host.failures.first?.kind != kind {
          state.close()
          position += size
        } else {
          best.close()
          state.touchedEarlier = best.touched
          best = state
          // Steps that the app refuses without the removed ones are gone, too.
          steps = state.steps
          hasShrunk = true
        }
      }
      if size == 1, !hasShrunk { break }
      size = max(1, size / 2)
    }
    best.host.explainFirstFailure(
      with: explanation(steps, of: count, run: number))
    return best
  }

  private func explanation(_ steps: [String], of count: Int, run number: Int) -> String {
    let origin = description(ofRun: number)
    // A run that failed before its first step has none.
    guard !steps.isEmpty else { return origin }
    let length =
      steps.count < count
      ? "reduced from \(count) steps to \(steps.count)"
      : "after \(steps.count) step\(steps.count == 1 ? "" : "s")"
    let body = steps.map { "  \($0)\n" }.joined()
    return """
      \(origin), \(length):

      scenario("...", function()
      \(body)  -- what the property expects
      end)
      """
  }
}
