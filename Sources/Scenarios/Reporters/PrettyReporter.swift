/// A report for people: each scenario with its mark under its file's name, and failures in full.
final class PrettyReporter: Reporter {
  private let printer: TerminalPrinter
  private let options: ReportOptions
  private let style: ReportStyle
  private let failureText: FailureText
  private var conclusion: RunConclusion?
  private var currentFile: String?
  private var isAfterDetails = false

  /// The time from which a scenario's duration is worth mentioning, in seconds.
  private static let slowness = 0.1

  init(_ stream: ReportStream, options: ReportOptions) {
    self.options = options
    style = ReportStyle(isColored: options.isColored)
    printer = TerminalPrinter(stream, style: style, width: options.progressWidth)
    failureText = FailureText(style: style, actionCount: options.isVerbose ? nil : 3)
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    let conclusion = RunConclusion(plan, style: style, options: options)
    self.conclusion = conclusion
    try printer.write(conclusion.beginning)
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    conclusion?.add(result)
    let details = failureText.details(result, isVerbose: options.isVerbose)
    var lines = heading(result.scenario.id.file) + [line(result)]
    if !details.isEmpty { lines += [""] + details.map { $0.isEmpty ? "" : "      " + $0 } }
    isAfterDetails = !details.isEmpty
    try printer.write(lines)
  }

  func progressed(_ progress: RunProgress) throws(ReportError) {
    try printer.show(progress)
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    try printer.eraseProgress()
    let lines = conclusion?.lines(summary) ?? []
    // The blank line before the first section separates it from nothing if no scenario ran.
    try printer.write(currentFile == nil ? Array(lines.dropFirst()) : lines)
    try printer.finish()
  }

  /// The lines above a scenario: its file, if that is another one, or a blank line below details.
  private func heading(_ file: String) -> [String] {
    guard file != currentFile else { return isAfterDetails ? [""] : [] }
    defer { currentFile = file }
    return (currentFile == nil ? [] : [""]) + [style.strong(ReportText.line(file))]
  }

  private func line(_ result: ScenarioResult) -> String {
    let mark = style.mark(result.outcome)
    let isSlow = result.seconds > Self.slowness
    let time = isSlow ? style.minor(" (\(ReportText.seconds(result.seconds)))") : ""
    return "  \(mark) \(result.scenario.shownName)\(time)\(remark(result))"
  }

  /// A remark after the name.
  private func remark(_ result: ScenarioResult) -> String {
    let reason = result.scenario.reason.map { ": " + ReportText.line($0) } ?? ""
    switch result.outcome {
    case .passed, .failed: return ""
    case .flaky: return style.doubtful("  passed at attempt \(result.attempts)")
    case .skipped: return style.minor("  skipped" + reason)
    case .todo:
      let passes =
        result.failures.isEmpty && result.attempts > 0 ? style.doubtful("; it passes now") : ""
      return style.minor("  todo" + reason) + passes
    }
  }
}

extension ReportStyle {
  /// The character for an outcome.
  func mark(_ outcome: ScenarioResult.Outcome) -> String {
    switch outcome {
    case .passed: good("✓")
    case .failed: bad("✗")
    case .flaky: doubtful("~")
    case .skipped, .todo: minor("-")
    }
  }
}
