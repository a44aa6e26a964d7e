/// Searches for the fewest and simplest steps with which a property fails in the same way.
@MainActor
struct PropertyReduction {
  /// The state in which the sequence failed.
  private(set) var state: ScenarioState
  /// The shortest and simplest sequence found so far, as Lua texts.
  private(set) var steps: [String]

  private let kind: ScenarioFailure.Kind?
  private let makeState: () async throws -> ScenarioState
  private let runDeadline: ContinuousClock.Instant
  /// When the search ends.
  private let deadline: ContinuousClock.Instant
  private var attempts = 0

  private static let mostAttempts = 1000
  /// The share of the remaining time that the search may take.
  private static let shareOfTime = 0.5

  /// `makeState` makes a state for another run with the same seed.
  init(
    of failed: ScenarioState, until runDeadline: ContinuousClock.Instant,
    makeState: @escaping () async throws -> ScenarioState
  ) {
    (state, steps, self.runDeadline) = (failed, failed.vocabulary.steps(), runDeadline)
    kind = failed.host.failures.first?.kind
    self.makeState = makeState
    deadline = .now + .seconds(max(0.1, runDeadline.secondsLeft * Self.shareOfTime))
  }

  private var canTry: Bool { attempts < Self.mostAttempts && ContinuousClock.now < deadline }

  mutating func run() async throws {
    // With less time than the failed run, any sequence would fail.
    guard kind != .timeout, !steps.isEmpty else { return }
    // A sequence that doesn't fail again as it is can't be reduced.
    guard try await adopt(steps) else { return }
    var isReduced = true
    while isReduced, canTry {
      isReduced = try await removeSteps()
      if try await simplifySteps() { isReduced = true }
    }
  }

  /// Adopts other steps if the property fails with them in the same way; returns whether it does.
  private mutating func adopt(_ others: [String]) async throws -> Bool {
    attempts += 1
    let other = try await makeState()
    await other.runScenario(steps: others, timeLimit: runDeadline.secondsLeft)
    guard other.host.failures.first?.kind == kind else {
      other.close()
      return false
    }
    state.close()
    other.touchedEarlier = state.touched
    state = other
    // Steps that the app refuses without the removed ones are gone, too.
    steps = other.vocabulary.steps()
    return true
  }

  /// Removes steps that don't matter; returns whether there were any.
  private mutating func removeSteps() async throws -> Bool {
    var hasRemoved = false
    var size = max(1, steps.count / 2)
    while canTry, !steps.isEmpty {
      var position = 0
      var hasShrunk = false
      while position < steps.count, canTry {
        var fewer = steps
        fewer.removeSubrange(position..<min(position + size, steps.count))
        if try await adopt(fewer) { hasShrunk = true } else { position += size }
      }
      if hasShrunk { hasRemoved = true }
      if size == 1, !hasShrunk { break }
      size = max(1, size / 2)
    }
    return hasRemoved
  }

  /// Makes the arguments of the steps simpler; returns whether that was possible.
  private mutating func simplifySteps() async throws -> Bool {
    var isSimpler = false
    // The last first: with the id of an earlier record, it no longer needs the steps that made the later ones.
    var index = steps.count - 1
    while index >= 0, canTry {
      if try await simplifyStep(at: index) { isSimpler = true } else { index -= 1 }
      // Steps that the app refused are gone, as in `adopt`.
      index = min(index, steps.count - 1)
    }
    return isSimpler
  }

  private mutating func simplifyStep(at index: Int) async throws -> Bool {
    for text in state.vocabulary.simplerSteps(than: steps[index]) where canTry {
      var simpler = steps
      simpler[index] = text
      if try await adopt(simpler) { return true }
    }
    return false
  }
}
