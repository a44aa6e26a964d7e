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

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # 1 if no scenario was chosen
      $ primerepl test --filter=none
      …no scenario matches…
      [1]
      $ primerepl test --tags=none
      …no scenario matches…
      [1]
      # 0 without a home; only --last-failed needs one
      $ env -u HOME -u XDG_STATE_HOME primerepl test
      …1 passed…
      $ env -u HOME -u XDG_STATE_HOME primerepl test --last-failed
      …HOME isn't set…
      [1]
      # 0 with a note if the failed scenarios can't be recorded
      $ XDG_STATE_HOME=/dev/null primerepl test --report json
      …The failed scenarios can't be recorded in…
      # 1 where no temporary file can be made, and the folder is named
      $ TMPDIR=/dev/null/nothing primerepl test
      …can be made in /dev/null/nothing…
      [1]
      # 1 if a report can't be written
      $ primerepl test --report junit=/dev/full
      …primerepl: The report can't be written to …
      [1]
      $ primerepl test --report json=/nonexistent/report.json
      …primerepl: The report can't be written to …
      [1]
      # 1 for a worker that isn't started by the runner
      $ primerepl __scenario-worker
      primerepl: This command is used by "test" only, which starts it.
      [1]
      """))
  func shell(example: ShellCase) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("scenario('a', function() end)", to: "a.scenario.lua")
    try await CommandRunner(environment: ["CI": nil], workingDirectory: folder.path).check(example)
  }

  @Test("Files whose names aren't UTF-8 run", .enabled(if: FileNames.areBytes))
  func byteNames() async throws {
    let run = try TestRun(["a.lua": "scenario('a', function() expect.snapshot('x', 1) end)"])
    let output = try await run.with(
      preparation: #"mv a.lua "$(printf 'a\377.scenario.lua')""#)()
    #expect(output.status == .exited(0))
    #expect(output.output.contains("1 snapshot written"))
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
