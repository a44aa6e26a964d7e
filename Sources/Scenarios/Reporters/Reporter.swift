/// Tells somebody, or a program, what comes of a run.
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

/// How far a run has come.
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
