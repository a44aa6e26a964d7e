import PrimereplPlatform
import Testing

@testable import Scenarios

@Suite("A pretty report")
struct PrettyReportTests {
  @Test("groups the scenarios by file, with a mark for each")
  func marks() throws {
    let report = try SampleRun(SampleRun.mixed.filter { $0.outcome != .failed }).report(.pretty)
    #expect(
      report == """
        tests/counter.scenario.lua
          ✓ counter > increments

        tests/todo.scenario.lua
          ~ todo > fetches (1.25 s)  passed at attempt 2

              It took longer than 5 s.

          - todo > asks the service  skipped: needs --live
          - todo > sorts by date  todo: issue 42

        1 passed, 1 flaky, 1 skipped, 1 todo in 0.8 s

        """)
  }

  @Test("shows all about a failure below its scenario, and how to run only this one")
  func failure() throws {
    let report = try SampleRun([SampleRun.failed]).report(.pretty)
    #expect(
      report == """
        tests/counter.scenario.lua
          ✗ card > a prime can be saved (0.32 s)

              The state changed in other ways than expected.
                at tests/counter.scenario.lua:12
                  expect.changes(counter.press_modal_button, {
                called from tests/steps.lua:40
                  save(7)

              Differences (- expected, + actual):
                favorites[1]          - nil
                                      + 7
                counter.modal.button  - "Remove from favorites"
                                      + "Remove from favorite primes"

              The actions:
                  0 ms  counter.set(7)  line 8
                          counter.count 0 → 7
                2.50 s  counter.ask_nth_prime()  line 9
                          counter.loading false → true
                          counter.alert nil → {title = "The 7th prime is 17"}

              Its output:
                | asked\tfor 7
                | answered 17

        Failed:
          primerepl test tests/counter.scenario.lua:3  # card > a prime can be saved

        1 failed in 0.8 s

        """)
  }

  @Test("begins with the files that couldn't be loaded, and ends with the summary and notes")
  func conclusion() throws {
    var run = SampleRun(SampleRun.mixed, problems: [SampleRun.problem])
    run.summary.notes = ["2 snapshots written"]
    let report = try run.report(.pretty)
    #expect(
      report.hasPrefix(
        """
        Files with problems:
          tests/broken.scenario.lua:3: unexpected symbol near 'end'
              end end

        tests/counter.scenario.lua

        """))
    #expect(
      report.hasSuffix(
        """

        1 passed, 1 failed, 1 flaky, 1 skipped, 1 todo, 1 problem in 0.8 s
        2 snapshots written

        """))
  }

  @Test("of no scenario is its summary, without a progress line where there is no terminal")
  func nothing() throws {
    let progress = RunProgress(ended: 0, failed: 0, total: 1, running: nil)
    #expect(try SampleRun([]).report(.pretty, progress: [progress]) == "0 passed in 0.8 s\n")
  }

  @Test("says that a scenario passes that needn't yet")
  func passingTodo() throws {
    let result = ScenarioResult(
      SampleRun.scenario(["a"], mode: .todo, reason: "later"), .todo)
    #expect(try SampleRun([result]).report(.pretty).contains("- a  todo: later; it passes now"))
  }

  @Test("lists the slowest scenarios, the slowest first")
  func slowest() throws {
    let results = [0.2, 3, 0.1, 20.04].enumerated().map { number, seconds in
      ScenarioResult(SampleRun.scenario(["\(number)"]), .passed, seconds: seconds)
    }
    let report = try SampleRun(results).report(.pretty, options: ReportOptions(slowestCount: 2))
    #expect(
      report.contains(
        """

        The slowest:
          20.0 s  tests/counter.scenario.lua: 3
          3.00 s  tests/counter.scenario.lua: 1

        """))
  }

  // MARK: - Terminals

  @Test("has colors only on request")
  func colors() throws {
    let run = SampleRun(SampleRun.mixed)
    #expect(try !run.report(.pretty).contains("\u{1B}"))
    let colored = try run.report(.pretty, options: ReportOptions(isColored: true))
    #expect(colored.contains("\u{1B}[31m✗\u{1B}[0m card > a prime can be saved"))
    #expect(colored.contains("\u{1B}[32m+ 7\u{1B}[0m"))
  }

  @Test("has a progress line, cut to the terminal's width and erased before anything else")
  func progress() throws {
    let run = SampleRun([ScenarioResult(SampleRun.scenario(["a"]), .passed)])
    let progress = RunProgress(ended: 5, failed: 1, total: 12, running: "漢字漢字 > é and more")
    let report = try run.report(
      .pretty, options: ReportOptions(progressWidth: 30), progress: [progress])
    let line = "5/12, 1 failed  漢字漢字 > é…"
    #expect(
      report == "\r\u{1B}[K\(line)\r\u{1B}[Ktests/counter.scenario.lua\n  ✓ a\n\(line)"
        + "\r\u{1B}[K\n1 passed in 0.8 s\n")
  }

  @Test("shows control characters, whatever contains them")
  func controls() throws {
    let report = try SampleRun.hostileRun.report(.pretty, options: ReportOptions(slowestCount: 1))
    let others = report.unicodeScalars.filter { $0 != "\n" && !$0.isPrintable }
    #expect(others.isEmpty)
    #expect(report.contains("\\x00\\x07\\x1b[2J\\r"))
    #expect(report.contains("\\u{9b}31m\\u{202e}evil\\u{2066}"))
  }

  // MARK: - Values

  private func lines(_ expected: String?, _ actual: String?, path: String = "p") -> [String] {
    DifferenceText(style: ReportStyle(isColored: false)).lines([
      ValueDifference(path: path, expected: expected, actual: actual)
    ])
  }

  @Test("shows where long values differ")
  func longValues() {
    let beginning = String(repeating: "a", count: 5_000)
    let end = String(repeating: "z", count: 5_000)
    let lines = lines(beginning + "1" + end, beginning + "2" + end)
    let start = "… " + String(repeating: "a", count: 40)
    #expect(lines.first == "p  - \(start)1\(String(repeating: "z", count: 119)) …")
    #expect(lines.last == "   + \(start)2\(String(repeating: "z", count: 119)) …")
  }

  @Test("cuts long values in the middle if they differ at their beginning")
  func longValuesAtTheBeginning() {
    let text = String(repeating: "a", count: 5_000) + "."
    let line = lines("1" + text, nil).first
    #expect(
      line == "p  - 1\(String(repeating: "a", count: 119)) … \(String(repeating: "a", count: 39)).")
  }

  @Test("shows only the lines that differ of values with several")
  func lineDifferences() {
    #expect(
      lines("one\ntwo\nthree\nfour", "one\ntwo\n3\nfour", path: "") == [
        "  two", "- three", "+ 3", "  four",
      ])
    #expect(
      lines("a\nb\nc\nd\ne\nf", "a\nc\nd\ne\nf\ng", path: "") == [
        "  a", "- b", "  c", "  f", "+ g",
      ])
  }

  @Test("limits the number of differences")
  func manyDifferences() {
    let differences = (1...1_000).map {
      ValueDifference(path: "[\($0)]", expected: "1", actual: "2")
    }
    let lines = DifferenceText(style: ReportStyle(isColored: false)).lines(differences)
    #expect(lines.count == 101)
    #expect(lines.last == "... 950 more differences")
  }

  @Test(
    "shows the last three actions, or all with --verbose, and how many there were",
    arguments: [
      (false, 0, "The last 3 of 30 actions (--verbose shows all):"), (true, 0, "The actions:"),
      (false, 1_000, "The last 3 of 1030 actions (--verbose shows more):"),
      (true, 1_000, "The last 30 of 1030 actions:"),
    ])
  func manyActions(isVerbose: Bool, earlierActions: Int, heading: String) throws {
    var result = SampleRun.failed
    result.earlierActions = earlierActions
    result.timeline = (1...30).map {
      TimelineEntry(
        text: "a(\($0))", time: 0, location: nil,
        changes: (1...9).map { .init(path: "p\($0)", old: nil, new: "1") })
    }
    let report = try SampleRun([result]).report(
      .pretty, options: ReportOptions(isVerbose: isVerbose))
    #expect(report.contains(heading))
    #expect(report.contains("a(27)") == isVerbose)
    #expect(report.contains("a(28)"))
    #expect(isVerbose || report.contains("... 5 more changes"))
  }

  @Test("shows the lines around the place of a failure, numbered, with a mark")
  func excerpt() throws {
    var location = SourceLocation(file: "a.scenario.lua", line: 9, text: "b()")
    location.excerpt = SourceLines(first: 8, lines: ["if a then", "  b()", "end"])
    let failure = ScenarioFailure(.error, "boo", at: location)
    let lines = FailureText(style: ReportStyle(isColored: false))
      .failures(ScenarioResult(SampleRun.scenario(["a"]), .failed, failures: [failure]))
    #expect(
      lines == [
        "boo", "  at a.scenario.lua:9", "       8  if a then", "    >  9    b()", "      10  end",
      ])
  }

  // MARK: - Command lines

  @Test("names a failed scenario by its line, in quotes if the shell needs them")
  func places() {
    let scenario = SampleRun.scenario(["a"], file: "a b.lua")
    let commands = ScenarioCommands(RunPlan(program: "p", scenarios: [scenario]))
    #expect(commands.command(running: scenario) == "p test 'a b.lua:3'")
  }

  @Test(
    "names one of several scenarios at a line, quoted for the shell, and never as an option",
    arguments: [
      ("it's", "a b", "'a b' --filter 'it'\\''s'"),
      ("$HOME `x` \"!\"", "a", "a --filter '$HOME `x` \"!\"'"),
      ("two\nlines", "a", "a --filter $'two\\x0alines'"),
      ("\u{1B}'\\é", "a", "a --filter $'\\x1b\\'\\\\é'"), ("", "a", "a --filter ''"),
      ("\u{10FE80}", "a", "a --filter $'\\x80'"), ("--all", "-x", "./-x --filter='--all'"),
    ])
  func names(name: String, file: String, words: String) {
    let scenario = SampleRun.scenario([name], file: file)
    let commands = ScenarioCommands(RunPlan(program: "p", scenarios: [scenario, scenario]))
    #expect(commands.command(running: scenario) == "p test \(words)")
  }

  @Test("has the options of the app")
  func app() {
    let scenario = SampleRun.scenario(["a"], file: "a.lua")
    let plan = RunPlan(
      program: "p", appArguments: ["--app", "my shop.lua", "--bare"], scenarios: [scenario])
    #expect(
      ScenarioCommands(plan).command(running: scenario)
        == "p test --app 'my shop.lua' --bare a.lua:3")
  }
}
