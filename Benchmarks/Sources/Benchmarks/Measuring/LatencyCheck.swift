internal import Lua

/// Lua code that never ends by itself, and a means to stop it.
@MainActor
struct LatencyCheck {
  /// What stops the code.
  enum Means: String, CaseIterable {
    case interrupt
    case timeLimit = "time limit"

    fileprivate var code: LuaError.Code { self == .interrupt ? .interrupted : .timeLimit }
  }

  let name: String

  private let means: Means
  private let source: String
  private let timeLimit = Duration.milliseconds(15)

  /// - Parameters:
  ///   - loop: what the loop is called.
  ///   - source: the code, which calls `stopwatch.start()` where it begins to loop.
  ///   - means: what stops it.
  init(_ loop: String, _ source: String, stoppedBy means: Means) {
    name = "\(means.rawValue): \(loop)"
    self.means = means
    self.source = source
  }

  /// Measures the time from the request to stop until the error is back in Swift, in one state.
  func latency(rounds: Int) throws -> Latency {
    let interpreter = try LibraryInterpreter()
    let stopper = ThreadStopper(try interpreter.state.interrupter())
    let module = LuaModule("stopwatch", help: "What the loops call.")
    module.function("start", help: "The loop begins.", example: "stopwatch.start()") {
      stopper.noteLoop()
    }
    try interpreter.state.setGlobal("stopwatch", to: module)
    let loop = try interpreter.load(source)
    if means == .timeLimit { interpreter.state.limitTime(to: timeLimit) }
    return Latency(
      rounds: try (0..<rounds).map { round in
        switch means {
        case .interrupt: try interruptLatency(of: loop, by: stopper, round: round)
        case .timeLimit: try timeLimitLatency(of: loop)
        }
      })
  }

  private func interruptLatency(
    of loop: (Int) throws -> Void, by stopper: ThreadStopper, round: Int
  ) throws -> Duration {
    // Different delays, so that the request meets the loop in different places.
    stopper.stopLoop(after: .milliseconds(2) + .microseconds(137 * (round % 50)))
    try run(loop)
    let end = ContinuousClock.now
    return end - stopper.finish()
  }

  private func timeLimitLatency(of loop: (Int) throws -> Void) throws -> Duration {
    let start = ContinuousClock.now
    try run(loop)
    return ContinuousClock.now - start - timeLimit
  }

  /// Returns once the code was stopped as it should be.
  private func run(_ loop: (Int) throws -> Void) throws {
    do {
      try loop(0)
    } catch let error as LuaError where error.is(means.code) {
      return
    }
    throw BenchmarkError.notStopped(benchmark: name)
  }
}
