import Testing

@testable import Scenarios

@Suite("A dot report")
struct DotReportTests {
  @Test("has a character for each scenario, then the failures")
  func characters() throws {
    let report = try SampleRun(SampleRun.mixed).report(.dot)
    #expect(
      report.hasPrefix(
        """
        .F~-t

        ✗ tests/counter.scenario.lua: card > a prime can be saved

          The state changed in other ways than expected.

        """))
    #expect(report.contains("~ tests/todo.scenario.lua: todo > fetches\n\n  It took longer"))
    #expect(report.hasSuffix("\n1 passed, 1 failed, 1 flaky, 1 skipped, 1 todo in 0.8 s\n"))
  }

  @Test("wraps its characters at the terminal's width")
  func wrapping() throws {
    let results = (1...10).map { ScenarioResult(SampleRun.scenario(["\($0)"]), .passed) }
    let report = try SampleRun(results).report(.dot, options: ReportOptions(progressWidth: 6))
    #expect(report == ".....\n.....\n\n10 passed in 0.8 s\n")
  }

  @Test("of no scenario is its summary")
  func nothing() throws {
    #expect(try SampleRun([]).report(.dot) == "0 passed in 0.8 s\n")
  }
}
