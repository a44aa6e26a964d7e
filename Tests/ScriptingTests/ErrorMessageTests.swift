import Lua
import StateStore
import Testing

@testable import Scripting

@MainActor
@Suite("An error of a service")
struct ErrorMessageTests {
  private struct Inside: Error { let token = "Zx9Secret" }

  @Test("shows scripts what people read of it, and nothing of its type and its values")
  func message() throws {
    let state = try LuaState()
    let app = try ScriptedApp(in: state, store: Store(StoreSchema(features: [])), modules: [])
    defer { withExtendedLifetime(app) {} }
    try state.setGlobal("ask", to: state.function("ask") { () throws -> Void in throw Inside() })
    let code =
      "local _, err = pcall(ask) return table.concat({ err.code, err.message, tostring(err) }, '|')"
    #expect(
      try state.load(code).call(as: String.self)
        == "error|an error without a description|an error without a description")
  }
}
