/// Benchmarks that compare our library with the same reference.
@MainActor
struct BenchmarkGroup {
  /// What the reference is called.
  let reference: String

  let benchmarks: [Benchmark]

  init(comparedWith reference: String, _ benchmarks: [Benchmark]) {
    self.reference = reference
    self.benchmarks = benchmarks
  }

  /// The group with those benchmarks only whose names fulfil a condition.
  func filtered(_ isChosen: (_ name: String) -> Bool) -> BenchmarkGroup {
    BenchmarkGroup(comparedWith: reference, benchmarks.filter { isChosen($0.name) })
  }
}
