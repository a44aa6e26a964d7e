import Lua
import PrimereplBridge
import PrimereplDomain
import PrimereplLoading
import Scenarios
import Scripting
import StateStore
import Testing
import TestSupport

/// An app in its own Lua state, with a clock that moves only on request.
@MainActor
final class AppInLua {
  let state: LuaState
  let session: ScriptedApp
  let clock = ManualClock()
  let stubs: any ServiceStubs

  init(
    primes: any PrimeSource = LocalPrimes(), wolfram: WolframClient.Configuration = .init(),
    documents: DocumentAccess = DocumentAccess(),
    stubs: (LuaState) -> any ServiceStubs = { _ in NoStubs() }
  ) throws {
    state = try LuaState()
    self.stubs = stubs(state)
    session = try ScriptedApp(
      in: state, store: Store(App.schema), modules: App.scriptModules,
      environment: ScriptEnvironment(
        app: Services(
          primes: primes, wolfram: WolframClient(configuration: wolfram), documents: documents),
        clock: clock, stubs: self.stubs, documents: documents))
    session.enableScenarioExport()
  }

  /// Runs Lua text, which may wait, and returns its results.
  @discardableResult
  func run(_ source: String) async throws -> [LuaValue] {
    try await state.run(state.load(source, name: .text("test")))
  }

  /// Runs Lua text and returns its results as `tostring` writes them, with spaces between.
  func text(_ source: String) async throws -> String {
    let tostring: LuaFunction = try state.global("tostring")
    return try await run(source).map { value in
      guard case .string(let text) = try tostring.call(value).first else { return "?" }
      return text.description
    }.joined(separator: " ")
  }

  /// Checks what Lua text gives: its results, or the code and message of its error.
  func check(_ example: LuaCase) async throws {
    let outcome: String
    do {
      outcome = try await text(example.code)
    } catch let error as LuaError {
      outcome = "\(error.code): \(error.message)"
    }
    #expect(example.allows(outcome), "\(example.code) gives \(outcome)")
  }

  /// Runs Lua text that must fail, and returns its error.
  func failure(_ source: String) async -> LuaError? {
    do {
      try await run(source)
      return nil
    } catch {
      return error as? LuaError
    }
  }
}
