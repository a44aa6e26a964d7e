import Foundation
import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Watching files", .timeLimit(.minutes(2)))
struct ScenarioWatcherTests {
  private let folder: TemporaryFolder
  private let first: String
  private let second: String
  private let module: String

  init() throws {
    folder = try TemporaryFolder()
    first = try folder.write("1", to: "a.scenario.lua")
    second = try folder.write("2", to: "b.scenario.lua")
    module = try folder.write("3", to: "module.lua")
  }

  /// A watcher of a run of both files, the second of which requires the module.
  private func watcher(_ paths: [String]? = nil, since start: Date = .distantFuture)
    -> ScenarioWatcher
  {
    let watcher = ScenarioWatcher(paths ?? [folder.path])
    watcher.updateDependencies([first: [], second: [module]], since: start)
    return watcher
  }

  @Test(
    "A changed or new file runs, and for a changed module the files that require it",
    arguments: [
      ("a.scenario.lua", "a.scenario.lua"), ("c.scenario.lua", "c.scenario.lua"),
      ("module.lua", "b.scenario.lua"),
    ])
  func file(changed: String, running: String) async throws {
    let watcher = watcher()
    _ = try folder.write("changed", to: changed)
    #expect(try await watcher.next { nil } == .changed([folder.path(of: running)]))
  }

  @Test("A removed file doesn't run, but does when it is back")
  func removed() async throws {
    let watcher = watcher()
    try FileManager.default.removeItem(atPath: first)
    _ = try folder.write("changed", to: "b.scenario.lua")
    #expect(try await watcher.next { nil } == .changed([second]))
    watcher.updateDependencies([second: []], since: .distantFuture)
    _ = try folder.write("1", to: "a.scenario.lua")
    #expect(try await watcher.next { nil } == .changed([first]))
  }

  @Test("Files that changed during the run run again, and the run is notified")
  func duringRun() async throws {
    let watcher = ScenarioWatcher([folder.path])
    var isOutdated = false
    watcher.onChange = { isOutdated = true }
    _ = try folder.write("changed", to: "a.scenario.lua")
    watcher.updateDependencies([first: [], second: [module]], since: .distantPast)
    #expect(try await watcher.next { nil } == .changed([first, second]))
    #expect(isOutdated)
  }

  @Test("A file that a module could be in runs the file that misses it, when it is there")
  func missingModule() async throws {
    let missing = folder.path(of: "missing.lua")
    let watcher = watcher()
    watcher.updateDependencies([first: [missing]], since: .distantFuture)
    _ = try folder.write("", to: "missing.lua")
    #expect(try await watcher.next { nil } == .changed([first]))
  }

  @Test("A line of the command line stays with its file")
  func line() async throws {
    let watcher = watcher([first + ":3"])
    _ = try folder.write("changed", to: "a.scenario.lua")
    #expect(try await watcher.next { nil } == .changed([first + ":3"]))
  }

  @Test("A command ends the wait")
  func command() async throws {
    let watcher = watcher()
    #expect(try await watcher.next { .runFailed } == .command(.runFailed))
  }

  @Test("Stopping ends the watch")
  func stop() async throws {
    let watcher = watcher()
    watcher.stop()
    #expect(try await watcher.next { nil } == .stopped)
  }
}
