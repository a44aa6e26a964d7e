/// Collects why scenarios failed, for a front end that shows it in its own way.
package final class FailureCollector: Reporter {
  /// A text of one or more lines for each scenario that failed, and for each file that couldn't be loaded.
  ///
  /// They have no control characters but line ends and tabs.
  package private(set) var failures: [String] = []

  private let failureText = FailureText(style: ReportStyle(isColored: false))

  package init() {}

  func runBegins(_ plan: RunPlan) {}

  func scenarioEnded(_ result: ScenarioResult) {
    guard result.outcome == .failed else { return }
    failures.append(failureText.failures(result).joined(separator: "\n"))
  }

  func runEnds(_ summary: RunSummary) {
    failures += summary.problems.map { failureText.problems([$0]).joined(separator: "\n") }
  }
}
