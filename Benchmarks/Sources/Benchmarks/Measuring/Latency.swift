/// How long after it should have stopped code went on, in several rounds.
struct Latency {
  let least: Duration
  let median: Duration
  let worst: Duration

  /// The most that the project allows itself.
  static let limit = Duration.milliseconds(100)

  var isWithinLimit: Bool { worst <= Self.limit }

  /// Takes at least one round's latency.
  init(rounds: [Duration]) {
    precondition(!rounds.isEmpty, "nothing was measured")
    let sorted = rounds.sorted()
    least = sorted[0]
    median = sorted[sorted.count / 2]
    worst = sorted[sorted.count - 1]
  }
}
