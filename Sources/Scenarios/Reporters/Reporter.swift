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
  var ended: Int
  var failed: Int
  var total: Int
  /// The full name of a scenario that is running; nil if none is.
  var running: String?
}

typealias ReportError = PlainError<RunProgress>

extension ReportError {
  static func unwritable(_ file: String, reason: String) -> Self {
    Self("report_unwritable", "The report can't be written to \(file): \(reason).")
  }
}
