import Lua
import PrimereplLoading
import SampleApp
import Scenarios
import Scripting
import StateStore
import TestSupport

@testable import Console
@testable import PrimereplTerminal

/// An app as the prompt has it, in memory, with a folder for its files.
@MainActor
struct SessionApp {
  let state: LuaState
  let app: ScriptedApp
  let folder: TemporaryFolder

  init(isSandboxed: Bool = false) throws {
    state = try LuaState()
    folder = try TemporaryFolder()
    app = try ScriptedApp(
      in: state,
      environment: .sample(
        documents: DocumentAccess(allowsFiles: !isSandboxed, network: .refusedInScenario)))
    app.enableScenarioExport()
  }

  /// Writes scenarios, and runs them with the program that was built along with these tests.
  func scenario() throws -> SessionScenario {
    SessionScenario(
      of: app,
      worker: [try BuiltExecutable.path(of: "sample-app"), ScenarioWorkerCommand.name])
  }

  @discardableResult
  func run(_ source: String) async throws -> [LuaValue] {
    try await state.run(state.load(source, name: .text("test")))
  }

  func pinned(_ expression: String) async throws -> PinnedExpectation {
    try app.expectation(of: expression, being: await run("return \(expression)").first ?? .nil)
  }
}
