import Bridge
import Domain
import Lua
import Scripting
import StateStore
import TestSupport

@testable import Console

/// An app as the prompt has it, in memory, with a folder for its files.
@MainActor
struct SessionApp {
  let state: LuaState
  let app: ScriptedApp
  let folder: TemporaryFolder

  init(exports: ExportFiles = ExportFiles()) throws {
    state = try LuaState()
    folder = try TemporaryFolder()
    app = try ScriptedApp(
      in: state,
      services: Services(
        wolfram: WolframClient(environment: [:], network: .refusedInScenario), exports: exports))
  }

  /// Writes scenarios, and runs them with the program that was built along with these tests.
  func scenario() throws -> SessionScenario {
    SessionScenario(
      of: app,
      worker: [try BuiltExecutable.path(of: "primerepl"), ScenarioWorkerCommand.name])
  }

  @discardableResult
  func run(_ source: String) async throws -> [LuaValue] {
    try await state.run(state.load(source, name: .text("test")))
  }

  func pinned(_ expression: String) async throws -> PinnedExpectation {
    try app.expectation(of: expression, being: await run("return \(expression)").first ?? .nil)
  }
}
