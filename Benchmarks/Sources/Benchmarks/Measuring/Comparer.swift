/// Measures benchmarks: many short rounds, in which both sides take turns, so that whatever slows the machine meets both.
@MainActor
struct Comparer {
  /// How often each side is measured: more often than ``Benchmark`` has states, since the first turn of each only
  /// warms it up.
  let rounds: Int

  /// How long one measurement takes, at least.
  let leastTime: Duration

  private static let passes = 5

  /// After this time a pass goes on to the next benchmark: work that takes a second gets few rounds.
  private static let longestPass = Duration.seconds(2)

  /// Compares benchmarks by their least times: noise only ever adds.
  ///
  /// Each gets its rounds in several passes, so that what slows the machine for some seconds meets only some of them.
  func compare(_ benchmarks: [Benchmark]) async -> [Result<Comparison, any Error>] {
    var measured: [Result<LeastTimes, any Error>] = []
    for benchmark in benchmarks { measured.append(await prepare(benchmark)) }
    for _ in 0..<Self.passes {
      for position in measured.indices {
        do {
          var times = try measured[position].get()
          try await times.measure(rounds: max(1, rounds / Self.passes), for: Self.longestPass)
          measured[position] = .success(times)
        } catch {
          measured[position] = .failure(error)
        }
      }
    }
    return measured.map { times in times.map { $0.comparison } }
  }

  private func prepare(_ benchmark: Benchmark) async -> Result<LeastTimes, any Error> {
    do {
      return .success(LeastTimes(of: benchmark, counts: try await counts(benchmark)))
    } catch {
      return .failure(error)
    }
  }

  /// How often each side does its work in one measurement.
  ///
  /// Sides of comparable speed do it equally often: a longer measurement meets the garbage collector more often.
  private func counts(_ benchmark: Benchmark) async throws -> (reference: Int, ours: Int) {
    let reference = try await countThatTakesLeastTime(benchmark.reference)
    let ours = try await countThatTakesLeastTime(benchmark.ours)
    let (less, more) = (min(reference, ours), max(reference, ours))
    return more <= 16 * less ? (more, more) : (reference, ours)
  }

  private func countThatTakesLeastTime(_ measure: Benchmark.Measurement) async throws -> Int {
    var count = 1
    while try await leastOfThree(measure, count) < leastTime { count *= 2 }
    return count
  }

  /// One measurement alone may take long because another process ran meanwhile.
  private func leastOfThree(_ measure: Benchmark.Measurement, _ count: Int) async throws -> Duration
  {
    var time = try await measure(count)
    for _ in 0..<2 where time >= leastTime { time = min(time, try await measure(count)) }
    return time
  }
}

/// The least times that both sides of a benchmark took so far.
@MainActor
private struct LeastTimes {
  private let benchmark: Benchmark
  private let counts: (reference: Int, ours: Int)
  private var reference = Duration.seconds(Int64.max)
  private var ours = Duration.seconds(Int64.max)

  init(of benchmark: Benchmark, counts: (reference: Int, ours: Int)) {
    self.benchmark = benchmark
    self.counts = counts
  }

  /// Measures both sides a number of times, or once if that takes longer than a time.
  mutating func measure(rounds: Int, for longest: Duration) async throws {
    let start = ContinuousClock.now
    for round in 0..<rounds where round == 0 || .now - start < longest {
      // Neither side always comes first, after what the other leaves in the caches.
      if round.isMultiple(of: 2) {
        reference = min(reference, try await benchmark.reference(counts.reference))
        ours = min(ours, try await benchmark.ours(counts.ours))
      } else {
        ours = min(ours, try await benchmark.ours(counts.ours))
        reference = min(reference, try await benchmark.reference(counts.reference))
      }
    }
  }

  var comparison: Comparison {
    Comparison(reference: reference / counts.reference, ours: ours / counts.ours)
  }
}
