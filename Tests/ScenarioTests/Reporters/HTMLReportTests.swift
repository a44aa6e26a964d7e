import Foundation
import Testing
import TestSupport

@testable import Scenarios

@Suite("An HTML report")
struct HTMLReportTests {
  /// The page before its data, the data, and the rest.
  private func parts(_ run: SampleRun) throws -> [Substring] {
    let report = try run.report(.html)
    let start = "<script type=\"application/json\" id=\"data\">\n"
    let parts = report.split(separator: start)
    let rest = try #require(parts.last).split(separator: "</script>", maxSplits: 1)
    return try [#require(parts.first)] + rest
  }

  private func events(_ run: SampleRun) throws -> [[String: Any]] {
    let data = Data(try parts(run)[1].utf8)
    return try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
  }

  @Test("contains the results as JSON, as the JSON report has them")
  func data() throws {
    let events = try events(SampleRun(SampleRun.mixed, problems: [SampleRun.problem]))
    #expect(
      events.map { $0["event"] as? String }
        == ["plan", "problem"] + Array(repeating: "result", count: 5) + ["summary"])
    #expect(events[3]["full_name"] as? String == "card > a prime can be saved")
  }

  @Test("is one file that loads nothing")
  func selfContained() throws {
    let parts = try parts(SampleRun(SampleRun.mixed))
    #expect(parts[0].contains("default-src 'none'"))
    for part in [parts[0], parts[2]] {
      #expect(!part.contains("http:"))
      #expect(!part.contains("https:"))
      #expect(!part.contains("url("))
      #expect(!part.contains("src="))
      #expect(!part.contains("/* report."))
    }
  }

  @Test("can't be left by any text of a scenario")
  func hostile() throws {
    let parts = try parts(SampleRun.hostileRun)
    #expect(!parts[1].contains("<"))
    #expect(parts == [parts[0], parts[1], try self.parts(SampleRun([]))[2]])
    let events = try events(SampleRun.hostileRun)
    #expect(
      events[2]["output"] as? String
        == SampleRun.hostile.replacing("\u{10FE80}", with: "\\x80"))
  }

  /// Writes the pages that `make browser-test` looks at.
  @Test(
    "is written for the browser",
    .enabled(if: ProcessInfo.processInfo.environment["BROWSER_TEST_FOLDER"] != nil))
  func samples() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["BROWSER_TEST_FOLDER"])
    try SampleRun.showcase.write(.html, to: folder + "/report.html")
    try SampleRun.hostileRun.write(.html, to: folder + "/hostile.html")
    try SampleRun([]).write(.html, to: folder + "/empty.html")
    let many = (1...10_000).map { number in
      ScenarioResult(
        SampleRun.scenario(
          ["many", "scenario \(number)"], number: number,
          file: "tests/\(number / 100).scenario.lua", tags: ["tag \(number % 30)"]),
        number % 500 == 0 ? .failed : .passed, seconds: 0.001,
        failures: number % 500 == 0 ? SampleRun.failed.failures : [],
        timeline: SampleRun.failed.timeline)
    }
    try SampleRun(many).write(.html, to: folder + "/many.html")
  }
}
