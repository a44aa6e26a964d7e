/// The end of reports for people.
struct RunConclusion {
  private let plan: RunPlan
  private let style: ReportStyle
  private let slowestCount: Int
  private var endedCount = 0
  private var failed: [String] = []
  /// All scenarios that ran, if the slowest are listed.
  private var times: [(seconds: Double, name: String)] = []

  init(_ plan: RunPlan, style: ReportStyle, slowestCount: Int) {
    self.plan = plan
    self.style = style
    self.slowestCount = slowestCount
  }

  /// Notes a result.
  mutating func add(_ result: ScenarioResult) {
    endedCount += 1
    if result.outcome == .failed {
      failed.append(ReportText.command(plan.program, running: result.scenario))
    }
    guard slowestCount > 0, result.attempts > 0 else { return }
    let name = "\(ReportText.line(result.scenario.id.file)): \(result.scenario.shownName)"
    times.append((result.seconds, name))
  }

  /// The lines for the end of a report.
  func lines(_ summary: RunSummary) -> [String] {
    let slowest = times.sorted { $0.seconds > $1.seconds }.prefix(slowestCount)
    let sections = [
      section("The slowest:", slowest.map { "\(ReportText.seconds($0.seconds))  \($0.name)" }),
      section("Failed:", failed), problems(summary.problems), totals(summary),
    ]
    return sections.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [style.strong(title)] + lines.map { "  " + $0 }
  }

  private func problems(_ problems: [FileProblem]) -> [String] {
    problems.flatMap { problem in
      let place = problem.location.map(FailureText.place) ?? ReportText.line(problem.file)
      let message = FailureText.split(ReportText.lines(problem.message))
      let source = problem.location?.text.map { ["    " + ReportText.line($0)] } ?? []
      return [style.bad("\(place): \(message.first ?? "")")]
        + message.dropFirst().map { "  " + $0 } + source
    }
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
      counts.joined(separator: ", ") + " in \(ReportText.fixed(summary.seconds, digits: 1)) s"
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

  private func colored(_ text: String, _ outcome: ScenarioResult.Outcome) -> String {
    switch outcome {
    case .passed: style.good(text)
    case .failed: style.bad(text)
    case .flaky: style.doubtful(text)
    case .skipped, .todo: text
    }
  }
}
