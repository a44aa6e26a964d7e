internal import Foundation

/// The lines that the command prints.
enum ResultTable {
  static let comparisonHeader = line(["", "plain C", "ours", "ratio", "limit"])
  static let memoryHeader = line(["memory growth after", "times", "Lua, bytes", "process, KiB", ""])

  @MainActor
  static func line(_ benchmark: Benchmark, _ comparison: Comparison) -> String {
    line([
      benchmark.name, time(comparison.plain), time(comparison.ours),
      decimal(comparison.ratio, digits: 2),
      benchmark.limit.map { (comparison.ratio > $0 ? "over " : "") + decimal($0, digits: 2) } ?? "",
    ])
  }

  @MainActor
  static func line(_ check: MemoryCheck, _ growth: (count: Int, lua: Int, process: Int)) -> String {
    line([check.name, "\(growth.count)", "\(growth.lua)", "\(growth.process / 1024)", ""])
  }

  /// A name and columns to its right.
  private static func line(_ cells: [String]) -> String {
    cells.enumerated().map { column, text in
      let padding = String(repeating: " ", count: max(0, (column == 0 ? 34 : 14) - text.count))
      return column == 0 ? text + padding : padding + text
    }.joined()
  }

  /// In nanoseconds.
  private static func time(_ duration: Duration) -> String {
    "\(decimal(duration / .nanoseconds(1), digits: 1)) ns"
  }

  private static func decimal(_ number: Double, digits: Int) -> String {
    number.formatted(
      .number.precision(.fractionLength(digits)).grouping(.never)
        .locale(Locale(identifier: "en_US_POSIX")))
  }
}
