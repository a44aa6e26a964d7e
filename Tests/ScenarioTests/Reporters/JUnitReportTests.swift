import Foundation
import Testing

@testable import Scenarios

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A JUnit report")
struct JUnitReportTests {
  /// The report of a run, with `now` in place of its time.
  private func report(_ run: SampleRun) throws -> String {
    try run.report(.junit).replacing(
      /timestamp="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"/, with: "timestamp=\"now\"")
  }

  /// It is valid by Jenkins' schema, junit-10.xsd.
  @Test("has a test suite for each file, and a test case for each scenario, or for a problem")
  func suites() throws {
    #expect(
      try report(SampleRun(SampleRun.mixed, problems: [SampleRun.problem])) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="primerepl test">
        <testsuite name="tests/counter.scenario.lua" tests="2" failures="1" errors="0" skipped="0" \
        time="0.326" timestamp="now">
        <testcase classname="tests.counter" name="counter &gt; increments" time="0.002"/>
        <testcase classname="tests.counter" name="card &gt; a prime can be saved" time="0.324">
        <failure type="expectation" message="The state changed in other ways than expected.">\
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

        primerepl test tests/counter.scenario.lua --filter 'card &gt; a prime can be saved'</failure>
        <system-out>asked\tfor 7
        answered 17
        </system-out>
        </testcase>
        </testsuite>
        <testsuite name="tests/todo.scenario.lua" tests="3" failures="0" errors="0" skipped="2" \
        time="1.250" timestamp="now">
        <testcase classname="tests.todo" name="todo &gt; fetches" time="1.250">
        <flakyFailure type="timeout" message="It took longer than 5 s."/>
        </testcase>
        <testcase classname="tests.todo" name="todo &gt; asks the service" time="0.000">
        <skipped type="skipped" message="needs --live"></skipped>
        </testcase>
        <testcase classname="tests.todo" name="todo &gt; sorts by date" time="0.000">
        <skipped type="todo" message="issue 42">todo has no field 'date'</skipped>
        </testcase>
        </testsuite>
        <testsuite name="tests/broken.scenario.lua" tests="1" failures="0" errors="1" skipped="0" \
        time="0.000" timestamp="now">
        <testcase classname="tests.broken" name="line 3" time="0.000">
        <error type="problem" message="unexpected symbol near 'end'">unexpected symbol near 'end'
        end end</error>
        </testcase>
        </testsuite>
        </testsuites>

        """)
  }

  @Test(
    "has failures of expectations apart from errors",
    arguments: [
      (ScenarioFailure.Kind.expectation, "failure"), (.invariant, "failure"),
      (.unfinished, "failure"), (.error, "error"), (.timeout, "error"), (.crash, "error"),
    ])
  func kinds(kind: ScenarioFailure.Kind, element: String) throws {
    let result = ScenarioResult(
      SampleRun.scenario(["a"]), .failed, failures: [ScenarioFailure(kind, "no")])
    let report = try report(SampleRun([result]))
    #expect(report.contains(" \(element)s=\"1\" "))
    #expect(report.contains("<\(element) type=\"\(kind.rawValue)\" message=\"no\">no\n"))
  }

  @Test("has an error if the run is interrupted")
  func interruption() throws {
    var run = SampleRun(SampleRun.mixed, isInterrupted: true)
    run.results.removeLast(4)
    #expect(
      try report(run).hasSuffix(
        """
        <testsuite name="primerepl test" tests="1" failures="0" errors="1" skipped="0" \
        time="0.000" timestamp="now">
        <testcase classname="primerepl test" name="the file" time="0.000">
        <error type="problem" message="Interrupted after 1 of 5 scenarios.">\
        Interrupted after 1 of 5 scenarios.</error>
        </testcase>
        </testsuite>
        </testsuites>

        """))
  }

  @Test("has one suite for a file, even if the scenarios are shuffled")
  func shuffled() throws {
    let report = try report(SampleRun([2, 0, 3, 1, 4].map { SampleRun.mixed[$0] }))
    let counts = report.matches(of: /<testsuite .* tests="(\d)"/).map { String($0.1) }
    #expect(counts == ["2", "3"])
  }

  @Test("is well-formed, and shows characters that XML has no place for")
  func hostile() throws {
    let report = try report(SampleRun.hostileRun)
    #expect(XMLParser(data: Data(report.utf8)).parse())
    #expect(
      report.contains(
        ##"name="]]&gt;&amp;&lt;script&gt;&quot;'\#\x00\x07\x1b[2J\r\n\u{9b}31m\u{202e}evil"##))
    #expect(report.contains(#"\u{fffe}\u{ffff}\u{feff}\u{e0041}\x80\u{10ffff}&lt;/script&gt;"#))
    #expect(report.contains("<system-out>]]&gt;&amp;&lt;script&gt;"))
  }

  @Test("is one of no suites for no scenarios")
  func nothing() throws {
    let start = #"<?xml version="1.0" encoding="UTF-8"?>"#
    #expect(
      try report(SampleRun([]))
        == "\(start)\n<testsuites name=\"primerepl test\">\n</testsuites>\n")
  }
}
