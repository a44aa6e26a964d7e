import StateStore

/// Reports the results of a run to people or to a program.
///
/// The results arrive in the order of the plan, whatever the order in which scenarios end.
protocol Reporter: AnyObject {
  /// Called once, before the first result.
  func runBegins(_ plan: RunPlan) throws(ReportError)

  /// Called for each scenario of the plan, unless the run ends early.
  func scenarioEnded(_ result: ScenarioResult) throws(ReportError)

  /// Called when the number of ended scenarios changes; for a progress line.
  func progressed(_ progress: RunProgress) throws(ReportError)

  /// Called once, after the last result.
  func runEnds(_ summary: RunSummary) throws(ReportError)
}

extension Reporter {
  func progressed(_ progress: RunProgress) throws(ReportError) {}
}

struct RunProgress: Equatable, Sendable {
  /// The number of scenarios that have ended.
  var ended: Int
  /// The number of those that failed.
  var failed: Int
  /// The number of scenarios of the plan.
  var total: Int
  /// The full name of a scenario that is running; nil if none is.
  var running: String?
}

/// Why a report can't be made.
typealias ReportError = PlainError<RunProgress>

extension ReportError {
  /// The report's file can't be written.
  static func unwritable(_ file: String, reason: String) -> Self {
    Self("report_unwritable", "The report can't be written to \(file): \(reason).")
  }
}
