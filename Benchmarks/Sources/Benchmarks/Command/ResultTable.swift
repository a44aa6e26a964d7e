internal import Foundation

/// The lines that the command prints.
@MainActor
enum ResultTable {
  static let latencyHeader = line(["time to stop", "median", "worst", "", "limit"])
  static let timeHeader = line(["time of the app", "least", "median", "worst", "limit"])
  static let simulationHeader = line([
    "5,000 writers on 1 server", "actions/s", "conflicts/s",
  ])
  static let memoryHeader = line(["memory growth", "times", "Lua, bytes", "process, KiB", "limit"])

  static func header(_ group: BenchmarkGroup) -> String {
    line(["compared with \(group.reference)", group.reference, "ours", "ratio", "limit"])
  }

  static func line(_ benchmark: Benchmark, _ comparison: Comparison) -> String {
    line([
      benchmark.name, time(comparison.reference), time(comparison.ours),
      decimal(comparison.ratio, digits: 3),
      benchmark.limit.map { verdict(decimal($0, digits: 2), holds: comparison.ratio <= $0) } ?? "",
    ])
  }

  static func skippedLine(_ name: String, reason: String) -> String {
    line([name]) + "  skipped: \(reason)"
  }

  static func line(_ check: LatencyCheck, _ latency: Latency) -> String {
    line([
      check.name, milliseconds(latency.median), milliseconds(latency.worst), "",
      verdict("\(Latency.limit / .milliseconds(1)) ms", holds: latency.isWithinLimit),
    ])
  }

  static func line(_ check: TimeCheck, _ times: Latency) -> String {
    line([
      check.name, time(times.least), time(times.median), time(times.worst),
      verdict(time(check.limit), holds: times[keyPath: check.limited] <= check.limit),
    ])
  }

  static func line(_ simulation: SharedSimulation, _ throughput: Throughput) -> String {
    line([
      simulation.name, decimal(throughput.actionsPerSecond, digits: 0),
      decimal(throughput.conflictsPerSecond, digits: 0),
    ])
  }

  static func line(_ check: HistoryCheck, _ memory: HistoryMemory) -> String {
    line([
      check.name, "\(memory.state / 1024) KiB", "\(memory.history / 1024) KiB",
      decimal(memory.ratio, digits: 2),
      verdict(decimal(HistoryMemory.limit, digits: 2), holds: memory.ratio <= HistoryMemory.limit),
    ])
  }

  static func line(_ check: MemoryCheck, _ growth: MemoryGrowth) -> String {
    line([
      check.name, "\(growth.count)", "\(growth.lua)", "\(growth.process / 1024)",
      verdict("flat", holds: growth.isFlat),
    ])
  }

  /// A name and columns to its right.
  private static func line(_ cells: [String]) -> String {
    cells.enumerated().map { column, text in
      let padding = String(repeating: " ", count: max(0, (column == 0 ? 34 : 16) - text.count))
      return column == 0 ? text + padding : padding + text
    }.joined()
  }

  private static func verdict(_ limit: String, holds: Bool) -> String {
    "\(limit) \(holds ? "holds" : "OVER")"
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
