internal import ArgumentParser
internal import Foundation

/// Compares our library with plain C, in one run.
@main
struct BenchmarksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmarks",
    abstract: "Compares the Lua library with the same bindings written by hand with Lua's C API.",
    discussion: """
      Both sides run in turn, several times, and the least time of one operation counts. The loop \
      in Lua is the same on both sides, and its time is included.
      """)

  @Argument(help: "Run only those whose name contains one of these texts.")
  var filters: [String] = []

  @Flag(help: "Measure for a shorter time, less exactly.")
  var quick = false

  @Flag(help: "List the names and run nothing.")
  var list = false

  @MainActor
  func run() async throws {
    let benchmarks = try Suites.benchmarks().filter { isChosen($0.name) }
    let checks = try Suites.memoryChecks().filter { isChosen($0.name) }
    if benchmarks.isEmpty && checks.isEmpty {
      throw BenchmarkError.unknownBenchmark(filters.joined(separator: "', '"))
    }
    guard !list else {
      return print((benchmarks.map(\.name) + checks.map(\.name)).joined(separator: "\n"))
    }
    try await compare(benchmarks)
    try await check(checks)
  }

  @MainActor
  private func compare(_ benchmarks: [Benchmark]) async throws {
    guard !benchmarks.isEmpty else { return }
    let comparer = Comparer(
      rounds: quick ? 5 : 20, leastTime: .milliseconds(quick ? 2 : 20))
    show(ResultTable.comparisonHeader)
    for benchmark in benchmarks {
      show(ResultTable.line(benchmark, try await comparer.compare(benchmark)))
    }
  }

  @MainActor
  private func check(_ checks: [MemoryCheck]) async throws {
    guard !checks.isEmpty else { return }
    show(ResultTable.memoryHeader)
    for check in checks {
      show(ResultTable.line(check, try await check.growth(divisor: quick ? 100 : 1)))
    }
  }

  /// Prints a line at once, also to a pipe.
  private func show(_ line: String) {
    print(line)
    fflush(nil)
  }

  private func isChosen(_ name: String) -> Bool {
    filters.isEmpty || filters.contains { name.localizedCaseInsensitiveContains($0) }
  }
}
