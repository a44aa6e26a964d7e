import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// A report for programs: a JSON object on each line, written as soon as it is known.
///
/// A value that is unknown is null; no key is ever left out. Texts longer than 64 KB are cut, and say how much is
/// missing. Programs should ignore keys and events that they don't know: later versions may add some.
///
/// The first line, `"event": "plan"`, says what will run: `version` (1), `program`, `program_version`, `date` (when the run
/// began), `total` (the number of scenarios), and `shuffle_seed`.
///
/// A line `"event": "problem"` is about a file that can't be loaded, or has another problem: `file`, `message`,
/// and `location`. A location has a `file`, a `line`, the text of that line, `source`, and, for the place of a failure, an
/// `excerpt`: the number of its `first` line, and its `lines`.
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
/// The last line, `"event": "summary"`, is about the whole run: `passed` (whether the run did), `interrupted`,
/// `seconds`, `counts` (an object with a number for each outcome), `problems` (their number), `notes`, and `coverage` (null if
/// it wasn't asked for): the `percentage`, and for each of the `features` its `name`, and of its `actions`, `errors` and
/// `fields` the number `touched`, their `count`, and the names of those `missing`.
final class JSONReporter: Reporter {
  private let stream: ReportStream
  private let isPage: Bool

  /// If it `isPage`, the objects are an array in a page for a browser, which shows them.
  init(_ stream: ReportStream, isPage: Bool) {
    (self.stream, self.isPage) = (stream, isPage)
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    if isPage {
      try stream.write(ReportPage.beginning + "[\n" + plan.reportValue.reportJSON)
    } else {
      try write(plan.reportValue)
    }
    for problem in plan.problems { try write(problem.reportValue) }
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    try write(result.reportValue)
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    for problem in summary.lateProblems { try write(problem.reportValue) }
    try write(summary.reportValue)
    if isPage { try stream.write("\n]" + ReportPage.end) }
    try stream.finish()
  }

  private func write(_ value: StateValue) throws(ReportError) {
    try stream.write(isPage ? ",\n" + value.reportJSON : value.reportJSON + "\n")
  }
}

extension StateValue {
  /// A text of a report, limited as all are, with escapes for bytes that aren't UTF-8; `none` for nil.
  static func report(_ text: String?) -> StateValue {
    guard let text = text.map({ ReportText.limited($0) }) else { return .none }
    guard text.hasSystemByte else { return .text(text) }
    let scalars = text.unicodeScalars.map { SystemByte($0) == nil ? String($0) : $0.escape }
    return .text(scalars.joined())
  }

  /// A time, to a microsecond: more is noise.
  fileprivate static func seconds(_ seconds: Double) -> StateValue {
    .number((seconds * 1e6).rounded() / 1e6)
  }

  /// The value on one line of JSON.
  ///
  /// It has no invisible characters and no `<`: it is safe on a terminal and in an HTML page, and YAML understands it.
  var reportJSON: String { json { $0 == "<" || !$0.isPrintable } }
}

extension RunPlan {
  fileprivate var reportValue: StateValue {
    [
      "event": .report("plan"), "version": .integer(1), "program": .report(program),
      "program_version": .report(programVersion), "date": .report(date?.ISO8601Format()),
      "total": .integer(scenarios.count),
      "shuffle_seed": shuffleSeed.map { .integer(Int(clamping: $0)) } ?? StateValue.none,
    ]
  }
}

extension FileProblem {
  fileprivate var reportValue: StateValue {
    [
      "event": .report("problem"), "file": .report(file), "message": .report(message),
      "location": location?.reportValue ?? StateValue.none,
    ]
  }
}

extension RunSummary {
  fileprivate var reportValue: StateValue {
    func count(_ outcome: ScenarioResult.Outcome) -> StateValue {
      .integer(counts[outcome, default: 0])
    }
    return [
      "event": .report("summary"), "passed": .boolean(hasPassed),
      "interrupted": .boolean(isInterrupted),
      "seconds": .seconds(seconds),
      "counts": [
        "passed": count(.passed), "failed": count(.failed), "flaky": count(.flaky),
        "skipped": count(.skipped), "todo": count(.todo),
      ],
      "problems": .integer(problems.count), "notes": .list(notes.map { .report($0) }),
      "coverage": coverage?.reportValue ?? .none,
    ]
  }
}

extension CoverageSummary {
  fileprivate var reportValue: StateValue {
    let features = features.map { feature -> StateValue in
      let parts = feature.parts.map { part in
        StateValue.Member(
          name: part.kind,
          value: [
            "touched": .integer(part.touchedCount), "count": .integer(part.count),
            "missing": .list(part.missing.map { .report($0) }),
          ])
      }
      return .record([StateValue.Member(name: "name", value: .report(feature.name))] + parts)
    }
    return [
      "percentage": .number((percentage * 10).rounded() / 10), "features": .list(features),
    ]
  }
}

extension ScenarioResult {
  fileprivate var reportValue: StateValue {
    // That of an invalid one is its failure.
    let reason = scenario.mode == .invalid ? nil : scenario.reason
    return [
      "event": .report("result"),
      "file": .report(scenario.id.file), "line": .integer(scenario.line),
      "number": .integer(scenario.id.number), "name": .report(scenario.name),
      "groups": .list(scenario.names.dropLast().map { .report($0) }),
      "full_name": .report(scenario.fullName),
      "tags": .list(scenario.tags.map { .report($0) }),
      "mode": .report(scenario.mode.rawValue), "reason": .report(reason),
      "outcome": .report(outcome.rawValue), "seconds": .seconds(seconds),
      "attempts": .integer(attempts),
      "failures": .list(failures.map(\.reportValue)),
      "earlier_actions": .integer(earlierActions),
      "timeline": .list(timeline.map(\.reportValue)),
      "output": .report(output),
      "command": .report(command),
    ]
  }
}

extension ScenarioFailure {
  fileprivate var reportValue: StateValue {
    [
      "kind": .report(kind.rawValue), "message": .report(message),
      "location": location?.reportValue ?? StateValue.none,
      "callers": .list(callers.map(\.reportValue)),
      "differences": .list(
        differences.map { difference in
          [
            "path": .report(difference.path), "expected": .report(difference.expected),
            "actual": .report(difference.actual),
          ]
        }),
    ]
  }
}

extension SourceLocation {
  fileprivate var reportValue: StateValue {
    let excerpt = excerpt.map { excerpt -> StateValue in
      ["first": .integer(excerpt.first), "lines": .list(excerpt.lines.map { .report($0) })]
    }
    return [
      "file": .report(file), "line": .integer(line), "source": .report(text),
      "excerpt": excerpt ?? .none,
    ]
  }
}

extension TimelineEntry {
  fileprivate var reportValue: StateValue {
    [
      "action": .report(text), "time": .seconds(time),
      "location": location?.reportValue ?? StateValue.none,
      "changes": .list(
        changes.map { change in
          [
            "path": .report(change.path), "old": .report(change.old), "new": .report(change.new),
          ]
        }),
    ]
  }
}
