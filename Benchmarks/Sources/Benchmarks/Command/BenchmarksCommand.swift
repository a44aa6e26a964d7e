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

      At the end are the rows over their limits, and those that failed; if there are any, the status \
      is 1.

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
    let results = Results()
    for group in groups { await compare(group, results) }
    if !latencyChecks.isEmpty { results.show(ResultTable.latencyHeader) }
    for check in latencyChecks {
      await results.add(check.name) {
        ResultTable.row(check, try check.latency(rounds: quick ? 10 : 100))
      }
    }
    if !timeChecks.isEmpty { results.show(ResultTable.timeHeader) }
    for check in timeChecks {
      await results.add(check.name) { ResultTable.row(check, try await check.times()) }
    }
    if !simulations.isEmpty { results.show(ResultTable.simulationHeader) }
    for simulation in simulations {
      await results.add(simulation.name) {
        ResultTable.row(simulation, try await simulation.throughput(for: .seconds(quick ? 3 : 10)))
      }
    }
    if !memoryChecks.isEmpty { results.show(ResultTable.memoryHeader) }
    for check in memoryChecks {
      await results.add(check.name) {
        ResultTable.row(check, try await check.growth(divisor: quick ? 100 : 1))
      }
    }
    for check in historyCheck {
      await results.add(check.name) { ResultTable.row(check, try check.memory()) }
    }
    results.showSummary()
    if !results.areGood { throw ExitCode.failure }
  }

  @MainActor
  private func compare(_ group: BenchmarkGroup, _ results: Results) async {
    guard !group.benchmarks.isEmpty else { return }
    results.show(ResultTable.header(group))
    let comparer = Comparer(rounds: quick ? 20 : 100, leastTime: .milliseconds(2))
    let comparisons = await comparer.compare(group.benchmarks)
    for (benchmark, comparison) in zip(group.benchmarks, comparisons) {
      await results.add(benchmark.name) { ResultTable.row(benchmark, try comparison.get()) }
    }
  }

  private func isChosen(_ name: String) -> Bool {
    filters.isEmpty || filters.contains { name.localizedCaseInsensitiveContains($0) }
  }
}
