/// Work for which the project allows itself a fixed time.
@MainActor
struct TimeCheck {
  let name: String

  /// The most that it may take.
  let limit: Duration

  /// What of several times the limit is for: the least, as noise only ever adds, or the worst.
  let limited: KeyPath<Latency, Duration>

  /// Does the work some times, and gives how long it took each time.
  private let measure: () async throws -> [Duration]

  init(
    _ name: String, limit: Duration, of limited: KeyPath<Latency, Duration>,
    measure: @escaping () async throws -> [Duration]
  ) {
    self.name = name
    self.limit = limit
    self.limited = limited
    self.measure = measure
  }

  func times() async throws -> Latency { Latency(rounds: try await measure()) }
}
