import Foundation
import Lua
import SampleFeatures
import StateStore
import Testing

@testable import Scripting

@MainActor
@Suite("An error of a service")
struct ErrorMessageTests {
  private struct Inside: Error { let token = "Zx9Secret" }
  private struct Localized: LocalizedError { let errorDescription: String? = "the shop is closed" }

  nonisolated private static var decoding: any Error {
    do {
      _ = try JSONDecoder().decode([String: Int].self, from: Data("[]".utf8))
      return CancellationError()
    } catch {
      return error
    }
  }

  /// The error of a file that isn't there.
  nonisolated private static var noFile: any Error {
    do {
      _ = try Data(contentsOf: URL(filePath: "/nowhere/list.txt"))
      return CancellationError()
    } catch {
      return error
    }
  }

  @Test(
    "shows scripts what it says itself, and nothing of its type and its values",
    arguments: [
      (Localized(), "the shop is closed"), (Inside(), "an error without a description"),
      (noFile, "/nowhere/list.txt: No such file or directory"),
      (decoding, "expected an object"),
    ] as [(any Error, String)])
  func message(error: any Error, message: String) throws {
    let state = try LuaState()
    let app = try ScriptedApp(in: state, store: Store(StoreSchema(features: [])), modules: [])
    defer { withExtendedLifetime(app) {} }
    try state.setGlobal("ask", to: state.function("ask") { () throws -> Void in throw error })
    let code =
      "local _, err = pcall(ask) return table.concat({ err.code, err.message, tostring(err) }, '|')"
    #expect(try state.load(code).call(as: String.self) == "error|\(message)|\(message)")
  }
}
