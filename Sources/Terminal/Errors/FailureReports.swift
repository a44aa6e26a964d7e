/// Counts failures of one kind, of which only the first are reported: a report takes much longer than a failure, and after
/// a script exceeded its time limit, thousands of its tasks may fail.
package struct FailureReports {
  package static let maximumCount = 10

  package private(set) var count = 0

  package init() {}

  /// Counts a failure; returns whether to report it.
  package mutating func shouldReportNext() -> Bool {
    count += 1
    return count <= Self.maximumCount
  }

  /// The number of failures that aren't reported, as a sentence about what failed; nil if all are.
  package func rest(of noun: String) -> String? {
    let rest = count - Self.maximumCount
    return rest > 0 ? "\(rest.counted("more \(noun)")) failed" : nil
  }
}
