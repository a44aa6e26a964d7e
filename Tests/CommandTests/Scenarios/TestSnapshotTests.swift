import Foundation
import Testing
import TestSupport

@Suite("Snapshots of a test run")
struct TestSnapshotTests {
  private let file = "a.scenario.lua"
  private let snapshot = "a.snapshots/s.menu.snapshot"

  private func scenario(_ value: String) -> String {
    """
    scenario("s", function() expect.snapshot("menu", \(value)) end)
    scenario("t", function() end)
    """
  }

  @Test("Missing snapshots are written and reported; with --ci or CI they fail")
  func missing() async throws {
    let run = try TestRun([file: scenario("1")])
    #expect(try await run("--ci").status == .exited(1))
    #expect(try await run.with(environment: ["CI": "true"])().status == .exited(1))
    #expect(run.folder.files("a.snapshots") == [])
    #expect(try await run.report().notes == ["1 snapshot written"])
    #expect(try await run("--ci").status == .exited(0))
  }

  @Test("Different snapshots fail until --update writes them")
  func different() async throws {
    let run = try TestRun([file: scenario("1")])
    _ = try await run()
    _ = try run.folder.write(scenario("2"), to: file)
    #expect(try await run().status == .exited(1))
    #expect(try run.folder.read(snapshot) == "1")
    #expect(try await run("--update").status == .exited(0))
    #expect(try run.folder.read(snapshot) == "2")
  }

  @Test("Obsolete snapshots are reported, fail with --ci, and are removed with --update")
  func obsolete() async throws {
    let run = try TestRun([file: scenario("1")])
    _ = try await run()
    _ = try run.folder.write("scenario('t', function() end)", to: file)
    #expect(
      try await run.report().notes == ["no scenario uses \(snapshot): --update removes it"])
    let report = try await run.report("--ci")
    #expect(report.output.status == .exited(1))
    #expect(report.problems.map(\.file) == [snapshot])
    #expect(try await run("--update").status == .exited(0))
    #expect(run.folder.files("a.snapshots") == [])
  }

  @Test(
    "Those of scenarios that didn't run aren't obsolete",
    arguments: ["a.scenario.lua:2", "--filter=t"])
  func notRun(selection: String) async throws {
    let run = try TestRun([file: scenario("1")])
    _ = try await run()
    #expect(try await run("--update", selection).status == .exited(0))
    #expect(run.folder.files("a.snapshots") == ["s.menu.snapshot"])
  }

  @Test("Files and folders that test makes can't be written by others, even if the mask allows it")
  func permissions() async throws {
    let run = try TestRun([file: scenario("1"), "b.scenario.lua": "scenario('b', error)"])
    let state = run.folder.path(of: "state")
    let output = try await run.with(
      environment: ["XDG_STATE_HOME": state], preparation: "umask 0"
    )("--report", "json=report.json")
    #expect(output.status == .exited(1))
    let found = try FileManager.default.subpathsOfDirectory(atPath: run.folder.path)
    #expect(
      found.contains("a.snapshots/s.menu.snapshot") && found.contains("state/primerepl/scenarios"))
    for path in found where !path.hasSuffix(".lua") {
      let attributes = try FileManager.default.attributesOfItem(atPath: run.folder.path(of: path))
      let mode = try #require(attributes[.posixPermissions] as? Int)
      #expect(mode & (path.hasPrefix("state") ? 0o077 : 0o022) == 0, "\(path)")
    }
  }

  @Test("Those of skipped scenarios, or beside one with only, aren't obsolete")
  func skipped() async throws {
    let run = try TestRun([file: scenario("1")])
    _ = try await run()
    for options in ["skip", "only"] {
      let marked = options == "skip" ? ("{skip = true},", "") : ("", "{only = true},")
      _ = try run.folder.write(
        """
        scenario("s", \(marked.0) function() expect.snapshot("menu", 1) end)
        scenario("t", \(marked.1) function() end)
        """, to: file)
      #expect(try await run("--update").status == .exited(0))
      #expect(run.folder.files("a.snapshots") == ["s.menu.snapshot"])
    }
  }
}
