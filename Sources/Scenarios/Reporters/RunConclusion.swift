import PrimereplFoundation

/// The end of reports for people.
struct RunConclusion {
  private let plan: RunPlan
  private let commands: ScenarioCommands
  private let style: ReportStyle
  private let slowestCount: Int
  private let width: Int
  private var endedCount = 0
  private var failed: [String] = []
  /// All scenarios that ran, if the slowest are listed.
  private var times: [(seconds: Double, name: String)] = []

  init(_ plan: RunPlan, style: ReportStyle, options: ReportOptions) {
    self.plan = plan
    commands = ScenarioCommands(plan)
    self.style = style
    slowestCount = options.slowestCount
    width = options.progressWidth ?? 80
  }

  mutating func add(_ result: ScenarioResult) {
    endedCount += 1
    if result.outcome == .failed {
      let command = commands.command(running: result.scenario)
      // A command with the line of the scenario doesn't have its name.
      let name = command.contains(" --filter") ? "" : "  # \(result.scenario.shownName)"
      failed.append(command + style.minor(name))
    }
    guard slowestCount > 0, result.attempts > 0 else { return }
    let name = "\(ReportText.line(result.scenario.id.file)): \(result.scenario.shownName)"
    times.append((result.seconds, name))
  }

  func lines(_ summary: RunSummary) -> [String] {
    let slowest = times.sorted { $0.seconds > $1.seconds }.prefix(slowestCount)
    let sections = [
      section("The slowest:", slowest.map { "\(ReportText.seconds($0.seconds))  \($0.name)" }),
      section("Failed:", failed), lateProblems(summary.problems), totals(summary),
      summary.coverage.map { CoverageText($0, width: width).lines } ?? [],
    ]
    return sections.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [style.strong(title)] + lines.map { "  " + $0 }
  }

  /// The lines above the results: the files that couldn't be loaded, and a blank line.
  var beginning: [String] {
    let lines = FailureText(style: style).problems(plan.problems)
    return lines.isEmpty ? [] : section("Files with problems:", lines) + [""]
  }

  /// The problems that were found after the beginning.
  private func lateProblems(_ problems: [FileProblem]) -> [String] {
    FailureText(style: style).problems(problems.filter { !plan.problems.contains($0) })
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
    if endedCount < plan.scenarios.count {
      let reason = summary.isInterrupted ? "Interrupted" : "Ended early"
      lines.insert(
        style.doubtful("\(reason) after \(endedCount) of \(plan.scenarios.count) scenarios."), at: 0
      )
    } else if summary.isInterrupted {
      lines.insert(style.doubtful("Interrupted."), at: 0)
    }
    lines += summary.notes.map(ReportText.line)
    if let seed = plan.shuffleSeed { lines.append("For the same order again: --shuffle=\(seed)") }
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
