internal import ArgumentParser
internal import Foundation

/// Compares our library with plain C and others, in one run.
@main
struct BenchmarksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmarks",
    abstract: "Compares the Lua library with the same bindings written by hand with Lua's C API.",
    discussion: """
      Both sides run in turn, several times, and the least time of one operation counts. The loop \
      in Lua is the same on both sides, and its time is included. Pure Lua code measures itself, \
      in time of the processor; all else is wall-clock time. Where the lua5.4 command has Lua \
      linked in, as Debian's has, and this program uses the shared library, ours is up to \
      a tenth slower for that alone, as plain C is.

      How fast code stops is measured from the interrupt on another thread, or from the time \
      limit, until the error is back in Swift. How much memory grows is measured after all objects \
      were dropped.

      Saved sessions are in files in the folder for temporary files, which TMPDIR names: how long \
      they take to save depends on its disk. Shared ones are on a PostgreSQL server that is started \
      for them with its default settings.
      """)

  @Argument(help: "Run only those whose name contains one of these texts.")
  var filters: [String] = []

  @Flag(help: "Measure for a shorter time, less exactly.")
  var quick = false

  @Flag(help: "List the names and run nothing.")
  var list = false

  @MainActor
  func run() async throws {
    let groups = try Suites.groups().map { $0.filtered(isChosen) }
    let latencyChecks = Suites.latencyChecks().filter { isChosen($0.name) }
    let timeChecks = Suites.timeChecks(quick: quick).filter { isChosen($0.name) }
    let simulations = Suites.simulations().filter { isChosen($0.name) }
    let memoryChecks = try Suites.memoryChecks().filter { isChosen($0.name) }
    let historyCheck = [HistoryCheck()].filter { isChosen($0.name) }
    let names =
      groups.flatMap(\.benchmarks).map(\.name) + latencyChecks.map(\.name)
      + timeChecks.map(\.name) + simulations.map(\.name) + memoryChecks.map(\.name)
      + historyCheck.map(\.name)
    if names.isEmpty {
      throw BenchmarkError.unknownBenchmark(filters.joined(separator: "', '"))
    }
    guard !list else { return print(names.joined(separator: "\n")) }
    for group in groups { try await compare(group) }
    try check(latencyChecks)
    try await check(timeChecks)
    try await run(simulations)
    try await check(memoryChecks)
    for check in historyCheck { show(ResultTable.line(check, try check.memory())) }
  }

  @MainActor
  private func compare(_ group: BenchmarkGroup) async throws {
    guard !group.benchmarks.isEmpty else { return }
    let comparer = Comparer(
      rounds: quick ? 20 : 100, leastTime: .milliseconds(2))
    show(ResultTable.header(group))
    for (benchmark, outcome) in zip(group.benchmarks, try await comparer.compare(group.benchmarks))
    {
      switch outcome {
      case .compared(let comparison): show(ResultTable.line(benchmark, comparison))
      case .skipped(let reason): show(ResultTable.skippedLine(benchmark.name, reason: reason))
      }
    }
  }

  @MainActor
  private func check(_ checks: [LatencyCheck]) throws {
    guard !checks.isEmpty else { return }
    show(ResultTable.latencyHeader)
    for check in checks {
      show(ResultTable.line(check, try check.latency(rounds: quick ? 10 : 100)))
    }
  }

  @MainActor
  private func check(_ checks: [TimeCheck]) async throws {
    guard !checks.isEmpty else { return }
    show(ResultTable.timeHeader)
    for check in checks {
      do {
        show(ResultTable.line(check, try await check.times()))
      } catch BenchmarkError.skipped(let reason) {
        show(ResultTable.skippedLine(check.name, reason: reason))
      }
    }
  }

  @MainActor
  private func run(_ simulations: [SharedSimulation]) async throws {
    guard !simulations.isEmpty else { return }
    show(ResultTable.simulationHeader)
    for simulation in simulations {
      do {
        let throughput = try await simulation.throughput(for: .seconds(quick ? 3 : 10))
        show(ResultTable.line(simulation, throughput))
      } catch BenchmarkError.skipped(let reason) {
        show(ResultTable.skippedLine(simulation.name, reason: reason))
      }
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
