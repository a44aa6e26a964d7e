import Foundation
import StateStore
import TestSupport

@testable import Scenarios

/// A run with results of all kinds, and what reports make of it.
struct SampleRun {
  var results: [ScenarioResult]
  var summary: RunSummary

  var plan: RunPlan {
    get { summary.plan }
    set { summary.plan = newValue }
  }

  /// A run of the given results.
  init(_ results: [ScenarioResult], problems: [FileProblem] = [], isInterrupted: Bool = false) {
    self.results = results
    summary = RunSummary(
      plan: RunPlan(
        program: "primerepl", scenarios: results.map(\.scenario), problems: problems),
      counts: [:], seconds: 0.84, isInterrupted: isInterrupted)
  }

  /// Writes a report to a file.
  ///
  /// - Returns: The report's text.
  func report(
    _ format: ReportFormat, options: ReportOptions = ReportOptions(), progress: [RunProgress] = []
  ) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "report")
    try write(format, to: path, options: options, progress: progress)
    return try folder.read("report")
  }

  func write(
    _ format: ReportFormat, to path: String, options: ReportOptions = ReportOptions(),
    progress: [RunProgress] = []
  ) throws {
    let reporter = try format.makeReporter(to: .file(path), options: options)
    try reporter.runBegins(plan)
    for step in progress { try reporter.progressed(step) }
    let commands = ScenarioCommands(plan)
    var summary = summary
    for var result in results {
      result.command = commands.command(running: result.scenario)
      try reporter.scenarioEnded(result)
      summary.counts[result.outcome, default: 0] += 1
    }
    try reporter.runEnds(summary)
  }

  // MARK: - Results

  static func scenario(
    _ names: [String], number: Int = 1, file: String = "tests/counter.scenario.lua",
    tags: [String] = [], mode: ScenarioDescription.Mode = .run, reason: String? = nil
  ) -> ScenarioDescription {
    ScenarioDescription(
      id: .init(file: file, number: number), names: names, line: 4 * number - 1, tags: tags,
      mode: mode, reason: reason)
  }

  static func location(_ file: String, _ line: Int, _ text: String) -> SourceLocation {
    SourceLocation(file: file, line: line, text: text)
  }

  /// A scenario that failed, with all that a failure can have.
  static let failed = ScenarioResult(
    scenario(["card", "a prime can be saved"], tags: ["counter", "favorites"]), .failed,
    seconds: 0.324,
    failures: [
      ScenarioFailure(
        .expectation, "The state changed in other ways than expected.",
        at: location(
          "tests/counter.scenario.lua", 12, "expect.changes(counter.press_modal_button, {"),
        callers: [location("tests/steps.lua", 40, "save(7)")],
        differences: [
          ValueDifference(path: "favorites[1]", expected: nil, actual: "7"),
          ValueDifference(
            path: "counter.modal.button", expected: "\"Remove from favorites\"",
            actual: "\"Remove from favorite primes\""),
        ])
    ],
    timeline: [
      TimelineEntry(
        text: "counter.set(7)", time: 0,
        location: location("tests/counter.scenario.lua", 8, "counter.count = 7"),
        changes: [.init(path: "counter.count", old: "0", new: "7")]),
      TimelineEntry(
        text: "counter.ask_nth_prime()", time: 2.5,
        location: location("tests/counter.scenario.lua", 9, "counter.ask_nth_prime()"),
        changes: [
          .init(path: "counter.loading", old: "false", new: "true"),
          .init(path: "counter.alert", old: nil, new: "{title = \"The 7th prime is 17\"}"),
        ]),
    ],
    output: "asked\tfor 7\nanswered 17\n")

  /// A result of each outcome, in two files.
  static let mixed: [ScenarioResult] = [
    ScenarioResult(
      scenario(["counter", "increments"], tags: ["counter"]), .passed, seconds: 0.002),
    failed,
    ScenarioResult(
      scenario(["todo", "fetches"], file: "tests/todo.scenario.lua", tags: ["todo", "async"]),
      .flaky, seconds: 1.25, attempts: 2,
      failures: [ScenarioFailure(.timeout, "It took longer than 5 s.")]),
    ScenarioResult(
      scenario(
        ["todo", "asks the service"], number: 2, file: "tests/todo.scenario.lua",
        mode: .skip, reason: "needs --live"), .skipped, attempts: 0),
    ScenarioResult(
      scenario(
        ["todo", "sorts by date"], number: 3, file: "tests/todo.scenario.lua",
        mode: .todo, reason: "issue 42"), .todo,
      failures: [ScenarioFailure(.error, "todo has no field 'date'")]),
  ]

  static let problem = FileProblem(
    file: "tests/broken.scenario.lua", message: "unexpected symbol near 'end'",
    location: location("tests/broken.scenario.lua", 3, "end end"))

  /// Text that formats, terminals and browsers give a meaning to.
  static let hostile =
    "]]>&<script>\"'\\#\u{0}\u{7}\u{1B}[2J\r\n\u{9B}31m\u{202E}evil\u{2066}\u{FFFE}\u{FFFF}\u{FEFF}\u{E0041}"
    + "\u{10FE80}\u{10FFFF}</script><!-- # SKIP \u{2028} 🎉 é --- ... %YAML"

  /// A result with that text wherever a text can be.
  static var hostileResult: ScenarioResult {
    let location = location(hostile, 1, hostile)
    return ScenarioResult(
      ScenarioDescription(
        id: .init(file: hostile, number: 1), names: [hostile, hostile], line: 1, tags: [hostile],
        mode: .run), .failed,
      failures: [
        ScenarioFailure(
          .expectation, hostile, at: location, callers: [location],
          differences: [ValueDifference(path: hostile, expected: hostile, actual: hostile + "x")])
      ],
      timeline: [
        TimelineEntry(
          text: hostile, time: .infinity, location: location,
          changes: [.init(path: hostile, old: hostile, new: nil)])
      ], output: hostile)
  }

  /// A run of nothing but such text.
  static var hostileRun: SampleRun {
    var run = SampleRun(
      [hostileResult], problems: [FileProblem(file: hostile, message: hostile, location: nil)])
    run.summary.notes = [hostile]
    return run
  }
}
