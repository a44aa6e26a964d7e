/// Measures benchmarks, both sides in turn, so that whatever slows the machine meets both.
@MainActor
struct Comparer {
  /// How often each side is measured.
  let rounds: Int

  /// How long one measurement takes, at least.
  let leastTime: Duration

  /// Takes the least times: noise only ever adds.
  func compare(_ benchmark: Benchmark) async throws -> Comparison {
    let (referenceCount, oursCount) = try await counts(benchmark)
    var reference = try await benchmark.reference(referenceCount)
    var ours = try await benchmark.ours(oursCount)
    for _ in 1..<rounds {
      reference = min(reference, try await benchmark.reference(referenceCount))
      ours = min(ours, try await benchmark.ours(oursCount))
    }
    return Comparison(reference: reference / referenceCount, ours: ours / oursCount)
  }

  /// How often each side does its work in one measurement.
  ///
  /// Sides that are about as fast do it equally often: a longer measurement meets the garbage
  /// collector more often.
  private func counts(_ benchmark: Benchmark) async throws -> (reference: Int, ours: Int) {
    let reference = try await countThatTakesLeastTime(benchmark.reference)
    let ours = try await countThatTakesLeastTime(benchmark.ours)
    let (less, more) = (min(reference, ours), max(reference, ours))
    return more == 2 * less ? (more, more) : (reference, ours)
  }

  private func countThatTakesLeastTime(_ measure: Benchmark.Measurement) async throws -> Int {
    var count = 1
    while try await measure(count) < leastTime { count *= 2 }
    return count
  }
}
