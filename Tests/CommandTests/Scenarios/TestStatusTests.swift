import Foundation
import Testing
import TestSupport

@Suite("The status of a test run")
struct TestStatusTests {
  @Test("0 if all passed, flaky, skipped and todo scenarios included")
  func passed() async throws {
    let run = try TestRun(
      """
      scenario("passes", function() end)
      scenario("skipped", { skip = true }, function() error("x") end)
      scenario("todo", { todo = "later" }, function() error("x") end)
      """)
    let output = try await run()
    #expect(output.status == .exited(0))
    #expect(output.output.contains("1 passed, 1 skipped, 1 todo"))
  }

  @Test("1 if one failed; the others ran")
  func failed() async throws {
    let run = try TestRun([
      "a.scenario.lua": "scenario('fails', function() error('x') end)",
      "b.scenario.lua": "scenario('passes', function() end)",
    ])
    let report = try await run.report()
    #expect(report.output.status == .exited(1))
    #expect(report.outcomes == ["fails: failed", "passes: passed"])
  }

  @Test("1 if no scenario was chosen", arguments: ["--filter=none", "--tags=none"])
  func noneChosen(selection: String) async throws {
    let run = try TestRun("scenario('a', function() end)")
    let output = try await run(selection)
    #expect(output.status == .exited(1))
    #expect(output.error.contains("no scenario matches"))
  }

  @Test("66 if a file is missing or can't be loaded, each reported with its line; the others run")
  func unloadable() async throws {
    let run = try TestRun([
      "a.scenario.lua": "scenario('passes', function() end)",
      "b.scenario.lua": "\nscenario('syntax'",
      "c.scenario.lua": "-- none",
    ])
    let report = try await run.report(".", "missing.lua")
    #expect(report.output.status == .exited(66))
    #expect(report.outcomes == ["passes: passed"])
    #expect(report.problems.map(\.file) == ["missing.lua", "b.scenario.lua", "c.scenario.lua"])
    #expect(report.problems[1].location?.line == 2)
  }

  @Test("Without a home, scenarios run; only --last-failed needs one")
  func noHome() async throws {
    let run = try TestRun("scenario('a', function() end)")
      .with(environment: ["HOME": nil, "XDG_STATE_HOME": nil])
    #expect(try await run().status == .exited(0))
    let output = try await run("--last-failed")
    #expect(output.status == .exited(1))
    #expect(output.error.contains("HOME isn't set"))
  }

  @Test("A record that can't be written is a note")
  func unwritableRecord() async throws {
    let run = try TestRun("scenario('a', function() end)")
      .with(environment: ["XDG_STATE_HOME": "/dev/null"])
    let report = try await run.report()
    #expect(report.output.status == .exited(0))
    #expect(report.notes.first?.hasPrefix("The failed scenarios can't be recorded in") == true)
  }

  @Test("Where no temporary file can be made, the folder is named")
  func noTemporaryFolder() async throws {
    let run = try TestRun("scenario('a', function() end)")
      .with(environment: ["TMPDIR": "/dev/null/nothing"])
    let output = try await run()
    #expect(output.status == .exited(1))
    #expect(output.error.contains("can be made in /dev/null/nothing"))
  }

  @Test(
    "A report that can't be written fails the run",
    arguments: ["junit=/dev/full", "json=/nonexistent/report.json"])
  func unwritableReport(report: String) async throws {
    let run = try TestRun("scenario('a', function() end)")
    let output = try await run("--report", report)
    #expect(output.status == .exited(1))
    #expect(output.error.hasPrefix("primerepl: The report can't be written to "))
  }

  @Test("Files whose names aren't UTF-8 run", .enabled(if: FileNames.areBytes))
  func byteNames() async throws {
    let run = try TestRun(["a.lua": "scenario('a', function() expect.snapshot('x', 1) end)"])
    let output = try await run.with(
      preparation: #"mv a.lua "$(printf 'a\377.scenario.lua')""#)()
    #expect(output.status == .exited(0))
    #expect(output.output.contains("1 snapshot written"))
  }

  @Test("What isn't the runner can't start a worker")
  func worker() async throws {
    let output = try await CommandRunner().run(["__scenario-worker"])
    #expect(output.status != .exited(0))
    #expect(output.error == "primerepl: This command is used by \"test\" only, which starts it.\n")
  }
}

/// The names of files on this system.
enum FileNames {
  /// Whether they are any bytes; on macOS they are UTF-8.
  static var areBytes: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
