import Foundation
import PrimereplPlatform
import Testing

@testable import Scenarios

@Suite("A TAP report")
struct TAPReportTests {
  @Test("has a plan, a test point for each scenario, and a diagnosis of each failure")
  func points() throws {
    let report = try SampleRun(SampleRun.mixed, problems: [SampleRun.problem]).report(.tap)
    #expect(
      report == """
        TAP version 14
        1..6
        not ok 1 - tests/broken.scenario.lua
          ---
          message: "unexpected symbol near 'end'"
          at:
            file: "tests/broken.scenario.lua"
            line: 3
            source: "end end"
          ...
        # tests/counter.scenario.lua
        ok 2 - counter > increments
        not ok 3 - card > a prime can be saved
          ---
          outcome: failed
          file: "tests/counter.scenario.lua"
          line: 3
          duration_ms: 324.000
          attempts: 1
          command: "primerepl test tests/counter.scenario.lua --filter 'card > a prime can be saved'"
          failures:
            - kind: expectation
              message: "The state changed in other ways than expected."
              at:
                file: "tests/counter.scenario.lua"
                line: 12
                source: "expect.changes(counter.press_modal_button, {"
              differences:
                - path: "favorites[1]"
                  expected: null
                  actual: "7"
                - path: "counter.modal.button"
                  expected: "\\"Remove from favorites\\""
                  actual: "\\"Remove from favorite primes\\""
          output: "asked\\tfor 7\\nanswered 17\\n"
          ...
        # tests/todo.scenario.lua
        ok 4 - todo > fetches
          ---
          outcome: flaky
          file: "tests/todo.scenario.lua"
          line: 3
          duration_ms: 1250.000
          attempts: 2
          command: "primerepl test tests/todo.scenario.lua:3"
          failures:
            - kind: timeout
              message: "It took longer than 5 s."
          ...
        ok 5 - todo > asks the service # SKIP needs --live
        not ok 6 - todo > sorts by date # TODO issue 42
          ---
          outcome: todo
          file: "tests/todo.scenario.lua"
          line: 11
          duration_ms: 0.000
          attempts: 1
          command: "primerepl test tests/todo.scenario.lua:11"
          failures:
            - kind: error
              message: "todo has no field 'date'"
          ...

        """)
  }

  @Test("bails out when the run is interrupted")
  func interruption() throws {
    var run = SampleRun(SampleRun.mixed, isInterrupted: true)
    run.results.removeLast(4)
    #expect(try run.report(.tap).hasSuffix("\nBail out! Interrupted after 1 of 5\n"))
  }

  @Test("bails out for a problem that is found when all scenarios have ended")
  func lateProblem() throws {
    var run = SampleRun([])
    run.summary.lateProblems = [FileProblem(file: "a.snapshots", message: "#1 is obsolete")]
    #expect(
      try run.report(.tap) == """
        TAP version 14
        1..0 # SKIP no scenarios
        # a.snapshots: #1 is obsolete
        Bail out! a.snapshots: \\#1 is obsolete

        """)
  }

  @Test("lets no name be taken for a directive")
  func names() throws {
    let result = ScenarioResult(SampleRun.scenario(["a \\# TODO # SKIP\nok 7"]), .passed)
    #expect(
      try SampleRun([result]).report(.tap)
        .hasSuffix("\nok 1 - a \\\\\\# TODO \\# SKIP\\\\nok 7\n"))
  }

  @Test("has only whole lines of its own, whatever texts contain")
  func hostile() throws {
    let report = try SampleRun.hostileRun.report(.tap)
    // YAML allows all characters beyond the first 65,536.
    #expect(
      !report.unicodeScalars.contains {
        $0 != "\n" && !$0.isPrintable
      })
    for line in report.split(separator: "\n") {
      #expect(line.contains(/^(TAP version 14$|1\.\.2$|not ok [12] - |# |  )/))
    }
  }
}

@Suite("A JSON report")
struct JSONReportTests {
  private func events(_ run: SampleRun) throws -> [[String: Any]] {
    try run.report(.json).split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any])
    }
  }

  @Test("has the documented keys, in the same order in each line")
  func keys() throws {
    var result = SampleRun.failed
    result.earlierActions = 2_000
    #expect(
      try SampleRun([result]).report(.json) == #"""
        {"event":"plan","version":1,"program":"primerepl","program_version":null,\#
        "date":null,"total":1,"shuffle_seed":null}
        {"event":"result","file":"tests/counter.scenario.lua","line":3,"number":1,\#
        "name":"a prime can be saved","groups":["card"],"full_name":"card > a prime can be saved",\#
        "tags":["counter","favorites"],"mode":"run","reason":null,"outcome":"failed",\#
        "seconds":0.324,"attempts":1,"failures":[{"kind":"expectation",\#
        "message":"The state changed in other ways than expected.",\#
        "location":{"file":"tests/counter.scenario.lua","line":12,\#
        "source":"expect.changes(counter.press_modal_button, {","excerpt":null},\#
        "callers":[{"file":"tests/steps.lua","line":40,"source":"save(7)","excerpt":null}],\#
        "differences":[{"path":"favorites[1]","expected":null,"actual":"7"},\#
        {"path":"counter.modal.button","expected":"\"Remove from favorites\"",\#
        "actual":"\"Remove from favorite primes\""}]}],"earlier_actions":2000,\#
        "timeline":[{"action":"counter.set(7)","time":0.0,\#
        "location":{"file":"tests/counter.scenario.lua","line":8,\#
        "source":"counter.count = 7","excerpt":null},\#
        "changes":[{"path":"counter.count","old":"0","new":"7"}]},\#
        {"action":"counter.ask_nth_prime()","time":2.5,\#
        "location":{"file":"tests/counter.scenario.lua","line":9,\#
        "source":"counter.ask_nth_prime()","excerpt":null},\#
        "changes":[{"path":"counter.loading","old":"false","new":"true"},\#
        {"path":"counter.alert","old":null,"new":"{title = \"The 7th prime is 17\"}"}]}],\#
        "output":"asked\tfor 7\nanswered 17\n",\#
        "command":"primerepl test tests/counter.scenario.lua:3"}
        {"event":"summary","passed":false,"interrupted":false,"seconds":0.84,\#
        "counts":{"passed":0,"failed":1,"flaky":0,"skipped":0,"todo":0},"problems":0,"notes":[],\#
        "coverage":null}

        """#)
  }

  @Test("keeps every character, and shows bytes that aren't UTF-8")
  func hostile() throws {
    let result = try events(SampleRun.hostileRun)[2]
    let text = SampleRun.hostile.replacing("\u{10FE80}", with: "\\x80")
    #expect(result["output"] as? String == text)
    #expect(result["time"] == nil)
  }

  @Test("reads well on a terminal, and in an HTML page")
  func escapes() throws {
    let report = try SampleRun.hostileRun.report(.json)
    #expect(
      !report.unicodeScalars.contains {
        $0.value <= 0xFFFF && $0 != "\n" && !$0.isPrintable
      })
    #expect(!report.contains("<"))
  }

  @Test("reports a problem once, whether found at the beginning or at the end")
  func problems() throws {
    var run = SampleRun([], problems: [SampleRun.problem])
    run.summary.lateProblems.append(FileProblem(file: "a.snapshots", message: "obsolete"))
    let problems = try events(run).filter { $0["event"] as? String == "problem" }
    #expect(
      problems.map { $0["file"] as? String } == ["tests/broken.scenario.lua", "a.snapshots"])
  }
}
