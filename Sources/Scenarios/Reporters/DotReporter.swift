/// A report for people: a character for each scenario, then the failures.
///
/// The characters are `.` for passed, `F` for failed, `~` for flaky, `-` for skipped, and `t` for todo.
final class DotReporter: Reporter {
  private let stream: ReportStream
  private let options: ReportOptions
  private let style: ReportStyle
  private let failureText: FailureText
  private var conclusion: RunConclusion?
  private var column = 0
  private var hasBegun = false
  private var failures = ""

  /// The number of characters on a line, if no terminal determines it.
  private static let defaultWidth = 72

  init(_ stream: ReportStream, options: ReportOptions) {
    self.stream = stream
    self.options = options
    style = ReportStyle(isColored: options.isColored)
    failureText = FailureText(style: style, actionCount: options.isVerbose ? nil : 3)
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    let conclusion = RunConclusion(plan, style: style, options: options)
    self.conclusion = conclusion
    try stream.write(conclusion.beginning.map { $0 + "\n" }.joined())
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    conclusion?.add(result)
    hasBegun = true
    let width = max(1, options.progressWidth.map { $0 - 1 } ?? Self.defaultWidth)
    let lineEnd = column == width ? "\n" : ""
    column = column == width ? 1 : column + 1
    try stream.write(lineEnd + character(result.outcome))
    let details = failureText.details(result, isVerbose: options.isVerbose)
    guard !details.isEmpty else { return }
    let mark = style.mark(result.outcome)
    let name = "\(ReportText.line(result.scenario.id.file)): \(result.scenario.shownName)"
    let lines = ["", "\(mark) \(name)", ""] + details.map { $0.isEmpty ? "" : "  " + $0 }
    failures += lines.joined(separator: "\n") + "\n"
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    try stream.write((column > 0 ? "\n" : "") + failures)
    let lines = conclusion?.lines(summary) ?? []
    // The blank line before the first section separates it from nothing if no scenario ran.
    try stream.write(lines.dropFirst(hasBegun ? 0 : 1).map { $0 + "\n" }.joined())
    try stream.finish()
  }

  private func character(_ outcome: ScenarioResult.Outcome) -> String {
    switch outcome {
    case .passed: "."
    case .failed: style.bad("F")
    case .flaky: style.doubtful("~")
    case .skipped: style.minor("-")
    case .todo: style.minor("t")
    }
  }
}
