/// Measures benchmarks, both sides in turn, so that whatever slows the machine meets both.
@MainActor
struct Comparer {
  /// How often each side is measured.
  let rounds: Int

  /// How long one measurement takes, at least.
  let leastTime: Duration

  private let clock = ContinuousClock()

  init(rounds: Int, leastTime: Duration) {
    self.rounds = rounds
    self.leastTime = leastTime
  }

  /// Takes the least times: noise only ever adds.
  func compare(_ benchmark: Benchmark) async throws -> Comparison {
    let plainCount = try await countThatTakesLeastTime(benchmark.plain)
    let oursCount = try await countThatTakesLeastTime(benchmark.ours)
    var plain = try await time(benchmark.plain, count: plainCount)
    var ours = try await time(benchmark.ours, count: oursCount)
    for _ in 1..<rounds {
      plain = min(plain, try await time(benchmark.plain, count: plainCount))
      ours = min(ours, try await time(benchmark.ours, count: oursCount))
    }
    return Comparison(plain: plain / plainCount, ours: ours / oursCount)
  }

  private func countThatTakesLeastTime(_ work: Benchmark.Work) async throws -> Int {
    var count = 1
    while try await time(work, count: count) < leastTime { count *= 2 }
    return count
  }

  private func time(_ work: Benchmark.Work, count: Int) async throws -> Duration {
    let start = clock.now
    try await work(count)
    return clock.now - start
  }
}
