/// A report for programs: a JSON object on each line, written as soon as it is known.
///
/// A value that is unknown is null; no key is ever left out. Texts longer than 64 KB are cut, and say how much is
/// missing. Programs should ignore keys and events that they don't know: later versions may add some.
///
/// The first line, `"event": "plan"`, says what will run: `version` (1), `program`, `total` (the number of
/// scenarios), and `shuffle_seed`.
///
/// A line `"event": "problem"` is about a file that can't be loaded, or is otherwise not in order: `file`, `message`,
/// and `location`. A location has a `file`, a `line`, and the text of that line, `source`.
///
/// A line `"event": "result"` is about a scenario, in the order of the plan:
/// - `file`, `line`, `number` (the scenario's in its file), `name` (its own), `groups` (those around it, the
///   outermost first), `full_name` (as `--filter` takes it), `tags`, `mode` ("run", "skip", "todo" or "invalid")
///   and `reason` (for skip and todo);
/// - `outcome` ("passed", "failed", "flaky", "skipped" or "todo"), `seconds`, `attempts`, `output`, and `command`
///   (which runs only this scenario);
/// - `failures`, each with a `kind` ("expectation", "error", "invariant", "unfinished", "timeout" or "crash"),
///   `message`, `location`, `callers` (locations, the innermost first), and `differences`, each with a `path`,
///   and the `expected` and the `actual` value as Lua text;
/// - `timeline`, the actions, each with its `action` (as Lua text), `time` (on the scenario's clock), `location`,
///   and `changes`, each with a `path`, and the `old` and the `new` value as Lua text. If there are more than 1,000,
///   they are the last, and `earlier_actions` is the number of the others.
///
/// The last line, `"event": "summary"`, says what came of it all: `passed` (whether the run did), `interrupted`,
/// `seconds`, `counts` (an object with a number for each outcome), `problems` (their number), and `notes`.
final class JSONReporter: Reporter {
  private let stream: ReportStream
  private var program = ""
  private var toldProblems: [FileProblem] = []

  init(_ stream: ReportStream) {
    self.stream = stream
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    program = plan.program
    try write(plan.reportJSON)
    for problem in plan.problems { try write(problem.reportJSON) }
    toldProblems = plan.problems
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    try write(result.reportJSON(program: program))
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    for problem in summary.problems where !toldProblems.contains(problem) {
      try write(problem.reportJSON)
    }
    try write(summary.reportJSON)
    try stream.finish()
  }

  private func write(_ value: ReportJSON) throws(ReportError) {
    try stream.write(value.text + "\n")
  }
}

extension RunPlan {
  /// The event for the beginning of a run.
  var reportJSON: ReportJSON {
    .object([
      "event": .string("plan"), "version": .integer(1), "program": .string(program),
      "total": .integer(scenarios.count),
      "shuffle_seed": shuffleSeed.map { .unsigned($0) } ?? .null,
    ])
  }
}

extension FileProblem {
  /// The event for a problem.
  var reportJSON: ReportJSON {
    .object([
      "event": .string("problem"), "file": .string(file), "message": .string(message),
      "location": location?.reportJSON ?? .null,
    ])
  }
}

extension RunSummary {
  /// The event for the end of a run.
  var reportJSON: ReportJSON {
    func count(_ outcome: ScenarioResult.Outcome) -> ReportJSON {
      .integer(counts[outcome, default: 0])
    }
    return .object([
      "event": .string("summary"), "passed": .bool(hasPassed), "interrupted": .bool(isInterrupted),
      "seconds": .number(seconds),
      "counts": .object([
        "passed": count(.passed), "failed": count(.failed), "flaky": count(.flaky),
        "skipped": count(.skipped), "todo": count(.todo),
      ]),
      "problems": .integer(problems.count), "notes": .array(notes.map { .string($0) }),
    ])
  }
}

extension ScenarioResult {
  /// The most actions of a scenario in reports for programs.
  private static let maximumActions = 1_000

  /// The event for a scenario.
  func reportJSON(program: String) -> ReportJSON {
    let shown = timeline.suffix(Self.maximumActions)
    return .object([
      "event": .string("result"),
      "file": .string(scenario.id.file), "line": .integer(scenario.line),
      "number": .integer(scenario.id.number), "name": .string(scenario.name),
      "groups": .array(scenario.names.dropLast().map { .string($0) }),
      "full_name": .string(scenario.fullName),
      "tags": .array(scenario.tags.map { .string($0) }),
      "mode": .string(scenario.mode.word), "reason": .string(scenario.reason),
      "outcome": .string(outcome.rawValue), "seconds": .number(seconds),
      "attempts": .integer(attempts),
      "failures": .array(failures.map(\.reportJSON)),
      "earlier_actions": .integer(timeline.count - shown.count),
      "timeline": .array(shown.map(\.reportJSON)),
      "output": .string(output),
      "command": .string(ReportText.command(program, running: scenario)),
    ])
  }
}

extension ScenarioDescription.Mode {
  fileprivate var word: String {
    switch self {
    case .run: "run"
    case .skip: "skip"
    case .todo: "todo"
    case .invalid: "invalid"
    }
  }
}

extension ScenarioFailure {
  fileprivate var reportJSON: ReportJSON {
    .object([
      "kind": .string(kind.rawValue), "message": .string(message),
      "location": location?.reportJSON ?? .null,
      "callers": .array(callers.map(\.reportJSON)),
      "differences": .array(
        differences.map { difference in
          .object([
            "path": .string(difference.path), "expected": .string(difference.expected),
            "actual": .string(difference.actual),
          ])
        }),
    ])
  }
}

extension SourceLocation {
  fileprivate var reportJSON: ReportJSON {
    .object(["file": .string(file), "line": .integer(line), "source": .string(text)])
  }
}

extension TimelineEntry {
  fileprivate var reportJSON: ReportJSON {
    .object([
      "action": .string(text), "time": .number(time),
      "location": location?.reportJSON ?? .null,
      "changes": .array(
        changes.map { change in
          .object([
            "path": .string(change.path), "old": .string(change.old), "new": .string(change.new),
          ])
        }),
    ])
  }
}
