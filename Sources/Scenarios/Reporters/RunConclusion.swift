import PrimereplFoundation

/// The end of reports for people.
struct RunConclusion {
  private let style: ReportStyle
  private let slowestCount: Int
  private let width: Int
  private var failed: [String] = []
  /// All scenarios that ran, if the slowest are listed.
  private var times: [(seconds: Double, name: String)] = []

  init(style: ReportStyle, options: ReportOptions) {
    self.style = style
    slowestCount = options.slowestCount
    width = options.progressWidth ?? 80
  }

  mutating func add(_ result: ScenarioResult) {
    if result.outcome == .failed {
      // A command with the line of the scenario doesn't have its name.
      let name = result.command.contains(" --filter") ? "" : "  # \(result.scenario.shownName)"
      failed.append(result.command + style.minor(name))
    }
    guard slowestCount > 0, result.attempts > 0 else { return }
    let name = "\(ReportText.line(result.scenario.id.file)): \(result.scenario.shownName)"
    times.append((result.seconds, name))
  }

  func lines(_ summary: RunSummary) -> [String] {
    let slowest = times.sorted { $0.seconds > $1.seconds }.prefix(slowestCount)
    let sections = [
      section("The slowest:", slowest.map { "\(ReportText.seconds($0.seconds))  \($0.name)" }),
      section("Failed:", failed), FailureText(style: style).problems(summary.lateProblems),
      totals(summary),
      summary.coverage.map { CoverageText($0, width: width).lines } ?? [],
    ]
    return sections.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [style.strong(title)] + lines.map { "  " + $0 }
  }

  /// The lines above the results: the files that couldn't be loaded, and a blank line.
  func beginning(_ plan: RunPlan) -> [String] {
    let lines = FailureText(style: style).problems(plan.problems)
    return lines.isEmpty ? [] : section("Files with problems:", lines) + [""]
  }

  /// The summary line, and the notes below it.
  private func totals(_ summary: RunSummary) -> [String] {
    var counts = ScenarioResult.Outcome.allCases.compactMap { outcome -> String? in
      guard let count = summary.counts[outcome], count > 0 else { return nil }
      return colored("\(count) \(outcome.rawValue)", outcome)
    }
    if counts.isEmpty { counts = ["0 passed"] }
    if !summary.problems.isEmpty {
      counts.append(style.bad(ReportText.count(summary.problems.count, "problem")))
    }
    var lines = [
      counts.joined(separator: ", ") + " in \(Self.time(summary.seconds))"
    ]
    let (ended, total) = (summary.endedCount, summary.plan.scenarios.count)
    if ended < total {
      let reason = summary.isInterrupted ? "Interrupted" : "Ended early"
      lines.insert(style.doubtful("\(reason) after \(ended) of \(total) scenarios."), at: 0)
    } else if summary.isInterrupted {
      lines.insert(style.doubtful("Interrupted."), at: 0)
    }
    lines += summary.notes.map(ReportText.line)
    if let seed = summary.plan.shuffleSeed {
      lines.append("For the same order again: --shuffle=\(seed)")
    }
    return lines
  }

  private static func time(_ seconds: Double) -> String {
    seconds < 0.1 ? ReportText.seconds(seconds) : seconds.formatted("%.1f s")
  }

  private func colored(_ text: String, _ outcome: ScenarioResult.Outcome) -> String {
    switch outcome {
    case .passed: style.good(text)
    case .failed: style.bad(text)
    case .flaky: style.doubtful(text)
    case .skipped, .todo: text
    }
  }
}
