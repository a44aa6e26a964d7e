/// A report for people: each scenario with its mark under its file's name, and failures in full.
///
/// On a terminal, a progress line stays below it until the run ends.
final class PrettyReporter: Reporter {
  private let stream: ReportStream
  private let options: ReportOptions
  private let style: ReportStyle
  private let failureText: FailureText
  private var conclusion: RunConclusion
  private var currentFile: String?
  private var isAfterDetails = false
  private var progressLine = ""
  private var lastDrawn: ContinuousClock.Instant?

  /// The time from which a scenario's duration is worth mentioning, in seconds.
  private static let slowness = 0.1

  /// The time between two progress lines: more would only slow a run down.
  private static let interval = Duration.milliseconds(50)

  /// Moves the cursor to the beginning of its line, and clears the line.
  private static let erasure = "\r\u{1B}[K"

  init(_ stream: ReportStream, options: ReportOptions) {
    self.stream = stream
    self.options = options
    style = ReportStyle(isColored: options.isColored)
    failureText = FailureText(style: style, actionCount: options.isVerbose ? nil : 3)
    conclusion = RunConclusion(style: style, options: options)
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    try write(conclusion.beginning(plan))
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    conclusion.add(result)
    let details = failureText.details(result, isVerbose: options.isVerbose)
    var lines = heading(result.scenario.id.file) + [line(result)]
    if !details.isEmpty { lines += [""] + details.map { $0.isEmpty ? "" : "      " + $0 } }
    isAfterDetails = !details.isEmpty
    try write(lines)
  }

  func progressed(_ progress: RunProgress) throws(ReportError) {
    guard let width = options.progressWidth else { return }
    let now = ContinuousClock.now
    if let lastDrawn, now - lastDrawn < Self.interval, progress.ended < progress.total { return }
    lastDrawn = now
    let failed = progress.failed > 0 ? ", \(progress.failed) failed" : ""
    let running = progress.running.map { "  " + ReportText.line($0) } ?? ""
    let text = "\(progress.ended)/\(progress.total)\(failed)\(running)"
    // Without the last column, after which some terminals begin a new line.
    progressLine = style.minor(ReportText.cut(text, toColumns: width - 1))
    try stream.write(Self.erasure + progressLine)
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    if !progressLine.isEmpty {
      progressLine = ""
      try stream.write(Self.erasure)
    }
    let lines = conclusion.lines(summary)
    // The blank line before the first section separates it from nothing if no scenario ran.
    try write(currentFile == nil ? Array(lines.dropFirst()) : lines)
    try stream.finish()
  }

  /// Writes lines above the progress line.
  private func write(_ lines: [String]) throws(ReportError) {
    guard !lines.isEmpty else { return }
    let text = lines.joined(separator: "\n") + "\n"
    // In one piece, so that nothing flickers.
    try stream.write(progressLine.isEmpty ? text : Self.erasure + text + progressLine)
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
  func mark(_ outcome: ScenarioResult.Outcome) -> String {
    switch outcome {
    case .passed: good("✓")
    case .failed: bad("✗")
    case .flaky: doubtful("~")
    case .skipped, .todo: minor("-")
    }
  }
}
