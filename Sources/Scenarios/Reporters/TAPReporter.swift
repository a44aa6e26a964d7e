import PrimereplFoundation
import StateStore

/// A report in the Test Anything Protocol, version 14.
///
/// Each scenario is a test point, and so is each file that can't be loaded. A diagnostic block in YAML says why a
/// scenario failed; its strings are written as in JSON. https://testanything.org/tap-version-14-specification.html
final class TAPReporter: Reporter {
  private let stream: ReportStream
  private var number = 0
  private var currentFile: String?

  /// The maximum number of failures of a scenario, and of differences of a failure, in a diagnostic block.
  private static let maximumCount = 100

  init(_ stream: ReportStream) {
    self.stream = stream
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    let total = Self.total(plan)
    var lines = ["TAP version 14", total > 0 ? "1..\(total)" : "1..0 # SKIP no scenarios"]
    if let seed = plan.shuffleSeed { lines.append("# --shuffle=\(seed)") }
    try write(lines)
    for problem in plan.problems {
      try write(
        [point(false, problem.file)]
          + diagnostics(
            ["message: " + Self.quoted(problem.message)]
              + Self.location(problem.location)))
    }
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    let file = result.scenario.id.file
    let heading = file == currentFile ? [] : ["# " + ReportText.line(file)]
    currentFile = file
    let isOK = result.outcome != .failed && (result.outcome != .todo || result.failures.isEmpty)
    try write(
      heading + [point(isOK, result.scenario.fullName) + directive(result)] + diagnostics(result))
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    // The plan has no test points for what goes wrong later.
    var lines = summary.lateProblems.map {
      "# \(ReportText.line($0.file)): \(ReportText.line($0.message))"
    }
    lines += summary.notes.map { "# " + ReportText.line($0) }
    if let coverage = summary.coverage {
      lines += CoverageText(coverage, width: 78).lines.map { "# " + ReportText.line($0) }
    }
    if summary.isInterrupted {
      lines.append("Bail out! Interrupted after \(number) of \(Self.total(summary.plan))")
    } else if let problem = summary.lateProblems.first {
      lines.append(
        "Bail out! \(Self.description(problem.file)): \(Self.description(problem.message))")
    }
    try write(lines)
    try stream.finish()
  }

  /// The number of test points.
  private static func total(_ plan: RunPlan) -> Int { plan.scenarios.count + plan.problems.count }

  private func write(_ lines: [String]) throws(ReportError) {
    guard !lines.isEmpty else { return }
    try stream.write(lines.joined(separator: "\n") + "\n")
  }

  // MARK: - Test points

  private func point(_ isOK: Bool, _ name: String) -> String {
    number += 1
    return "\(isOK ? "ok" : "not ok") \(number) - \(Self.description(name))"
  }

  private func directive(_ result: ScenarioResult) -> String {
    let reason = result.scenario.reason.map { " " + Self.description($0) } ?? ""
    return switch result.outcome {
    case .skipped: " # SKIP" + reason
    case .todo: " # TODO" + reason
    case .passed, .failed, .flaky: ""
    }
  }

  /// A text in which nothing is taken for a directive.
  private static func description(_ text: String) -> String {
    ReportText.replacing(["\\": "\\\\", "#": "\\#"], in: ReportText.line(text))
  }

  // MARK: - Diagnostics

  private func diagnostics(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["  ---"] + lines.map { "  " + $0 } + ["  ..."]
  }

  private func diagnostics(_ result: ScenarioResult) -> [String] {
    guard !result.failures.isEmpty || result.outcome == .failed || result.outcome == .flaky else {
      return []
    }
    var lines = [
      "outcome: \(result.outcome.rawValue)",
      "file: " + Self.quoted(result.scenario.id.file),
      "line: \(result.scenario.line)",
      (result.seconds * 1_000).formatted("duration_ms: %.3f"),
      "attempts: \(result.attempts)",
      "command: " + Self.quoted(result.command),
    ]
    lines += Self.list("failures", result.failures.prefix(Self.maximumCount).map(Self.lines))
    if !result.output.isEmpty { lines.append("output: " + Self.quoted(result.output)) }
    return diagnostics(lines)
  }

  private static func lines(_ failure: ScenarioFailure) -> [String] {
    let differences = failure.differences.prefix(maximumCount).map { difference in
      [
        "path: " + quoted(difference.path), "expected: " + quoted(difference.expected),
        "actual: " + quoted(difference.actual),
      ]
    }
    return ["kind: \(failure.kind.rawValue)", "message: " + quoted(failure.message)]
      + location(failure.location) + list("differences", Array(differences))
  }

  private static func location(_ location: SourceLocation?) -> [String] {
    guard let location else { return [] }
    let source = location.text.map { ["source: " + quoted($0)] } ?? []
    return ["at:"]
      + (["file: " + quoted(location.file), "line: \(location.line)"] + source).map { "  " + $0 }
  }

  /// A member whose value is a list of objects.
  private static func list(_ key: String, _ elements: [[String]]) -> [String] {
    guard !elements.isEmpty else { return [] }
    return ["\(key):"]
      + elements.flatMap { lines in
        lines.enumerated().map { position, line in (position == 0 ? "  - " : "    ") + line }
      }
  }

  /// A text as a YAML scalar; null for none.
  private static func quoted(_ text: String?) -> String {
    StateValue.report(text).reportJSON
  }
}
