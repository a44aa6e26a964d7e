import Lua
import Scripting
import StateStore
import Testing
import TestSupport

/// An app of features in Swift, in its own Lua state.
@MainActor
struct FeatureFixture {
  let store: Store
  let state: LuaState
  let scripted: ScriptedApp

  init(
    _ features: [any ScriptableFeature.Type], modules: [ScriptModule]? = nil,
    environment: ScriptEnvironment = ScriptEnvironment()
  ) throws {
    store = try Store(features: features)
    state = try LuaState()
    scripted = try ScriptedApp(
      in: state, store: store, modules: modules ?? features.map { ScriptModule($0) },
      environment: environment)
  }

  /// The results of code, as text.
  @discardableResult
  func run(_ code: String) async throws -> String { try await state.textOfResults(of: code) }

  /// The error of code that must fail.
  func failure(_ code: String) async -> LuaError? {
    do {
      try await run(code)
      return nil
    } catch {
      return error as? LuaError
    }
  }

  /// The texts of the actions in the history.
  func actions() throws -> [String] {
    try store.history().map { scripted.texts.text(of: $0.recorded.action) }
  }
}

extension LuaState {
  /// The results of code, which may wait, as text.
  func textOfResults(of code: String) async throws -> String {
    try await start(load(code, name: .text("test"))).value().map { try text(of: $0).description }
      .joined(separator: " ")
  }

  /// Checks what code gives, which may wait: its results, or the code and message of its error.
  func check(_ example: LuaCase) async throws {
    let outcome: String
    do {
      outcome = try await textOfResults(of: example.code)
    } catch let error as LuaError {
      outcome = "\(error.code): \(error.message)"
    }
    #expect(example.allows(outcome), "\(example.code) gives \(outcome)")
  }
}
