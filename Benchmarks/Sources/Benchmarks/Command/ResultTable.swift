internal import Foundation

/// The headers and rows that the command prints.
@MainActor
enum ResultTable {
  static let latencyHeader = ResultRow("time to stop", "median", "worst", "", "limit").line
  static let timeHeader = ResultRow("time of the app", "least", "median", "worst", "limit").line
  static let simulationHeader =
    ResultRow("5,000 writers on 1 server", "actions/s", "conflicts/s").line
  static let memoryHeader =
    ResultRow("memory growth", "times", "Lua, bytes", "process, KiB", "limit").line

  static func header(_ group: BenchmarkGroup) -> String {
    ResultRow("compared with \(group.reference)", group.reference, "ours", "ratio", "limit").line
  }

  static func row(_ benchmark: Benchmark, _ comparison: Comparison) -> ResultRow {
    let (reference, ours) = (time(comparison.reference), time(comparison.ours))
    let ratio = decimal(comparison.ratio, digits: 3)
    guard let limit = benchmark.limit else {
      return ResultRow(benchmark.name, reference, ours, ratio)
    }
    return ResultRow(
      benchmark.name, reference, ours, ratio,
      limit: decimal(limit, digits: 2), holds: comparison.ratio <= limit)
  }

  static func row(_ check: LatencyCheck, _ latency: Latency) -> ResultRow {
    ResultRow(
      check.name, milliseconds(latency.median), milliseconds(latency.worst), "",
      limit: "\(Latency.limit / .milliseconds(1)) ms", holds: latency.isWithinLimit)
  }

  static func row(_ check: TimeCheck, _ times: Latency) -> ResultRow {
    ResultRow(
      check.name, time(times.least), time(times.median), time(times.worst),
      limit: time(check.limit), holds: times[keyPath: check.limited] <= check.limit)
  }

  static func row(_ simulation: SharedSimulation, _ throughput: Throughput) -> ResultRow {
    ResultRow(
      simulation.name, decimal(throughput.actionsPerSecond, digits: 0),
      decimal(throughput.conflictsPerSecond, digits: 0))
  }

  static func row(_ check: HistoryCheck, _ memory: HistoryMemory) -> ResultRow {
    ResultRow(
      check.name, "\(memory.state / 1024) KiB", "\(memory.history / 1024) KiB",
      decimal(memory.ratio, digits: 2),
      limit: decimal(HistoryMemory.limit, digits: 2), holds: memory.ratio <= HistoryMemory.limit)
  }

  static func row(_ check: MemoryCheck, _ growth: MemoryGrowth) -> ResultRow {
    ResultRow(
      check.name, "\(growth.count)", "\(growth.lua)", "\(growth.process / 1024)",
      limit: "flat", holds: growth.isFlat)
  }

  /// In the unit that gives at most five digits before the point.
  private static func time(_ duration: Duration) -> String {
    switch duration {
    case ..<(.microseconds(10)): "\(decimal(duration / .nanoseconds(1), digits: 1)) ns"
    case ..<(.milliseconds(10)): "\(decimal(duration / .microseconds(1), digits: 1)) µs"
    default: milliseconds(duration)
    }
  }

  private static func milliseconds(_ duration: Duration) -> String {
    "\(decimal(duration / .milliseconds(1), digits: 2)) ms"
  }

  private static func decimal(_ number: Double, digits: Int) -> String {
    number.formatted(
      .number.precision(.fractionLength(digits)).grouping(.never)
        .locale(Locale(identifier: "en_US_POSIX")))
  }
}
