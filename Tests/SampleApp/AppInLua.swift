package import Lua
package import PrimereplLoading
package import Scripting
package import StateStore
package import TestSupport

/// The sample app in its own Lua state, with a clock that moves only on request.
@MainActor
package final class AppInLua {
  package let state: LuaState
  package let session: ScriptedApp
  package let clock = ManualClock()
  package let stubs: any ServiceStubs

  package init(
    documents: DocumentAccess = .refusing,
    stubs: (LuaState) -> any ServiceStubs = { _ in NoStubs() }
  ) throws {
    state = try LuaState()
    self.stubs = stubs(state)
    session = try ScriptedApp(
      in: state,
      environment: .sample(clock: clock, stubs: self.stubs, documents: documents))
  }

  /// Runs Lua text, which may wait, and returns its results.
  @discardableResult
  package func run(_ source: String) async throws -> [LuaValue] {
    try await state.run(state.load(source, name: .text("test")))
  }

  /// Runs Lua text and returns its results as `tostring` writes them, with spaces between.
  package func text(_ source: String) async throws -> String {
    let tostring: LuaFunction = try state.global("tostring")
    return try await run(source).map { value in
      guard case .string(let text) = try tostring.call(value).first else { return "?" }
      return text.description
    }.joined(separator: " ")
  }

  /// Runs Lua text that must fail, and returns its error.
  package func failure(_ source: String) async -> LuaError? {
    do {
      try await run(source)
      return nil
    } catch {
      return error as? LuaError
    }
  }
}
