import Lua
import Scenarios
import Scripting
import StateStore

/// A scenario to start from, which passes in any app.
///
/// It repeats the example of the app's first function that changes the state, and expects what that changes.
@MainActor
struct FirstScenario {
  private let console: Console
  private let folder: ProjectFolder

  init(of console: Console, in folder: ProjectFolder) {
    (self.console, self.folder) = (console, folder)
  }

  func file() async throws -> ProjectFile {
    let introduction = """
      -- A first scenario: `\(console.testCommand(in: folder))` runs it in a fresh app. It has to mention every change of the state.

      """
    return ProjectFile(path: "first.scenario.lua", content: introduction + (try await code()))
  }

  private func code() async throws -> String {
    for (name, example) in try examples() {
      if let code = try await recording(of: example, named: "\(name) changes the state") {
        return code
      }
    }
    return """
      scenario("every app starts in the same state", function()
        expect.equal(store.state(), store.new().store.state())
      end)

      """
  }

  /// The examples of the features' functions that don't wait, with the functions' names.
  private func examples() throws -> [(name: String, example: String)] {
    try console.withSandboxedApp { app in
      let features = app.store.schema.featureNames
      return app.modules.filter { features.contains($0.name) }.flatMap { module in
        module.documentation.filter { $0.kind == .function(waits: false) }.map {
          (name: "\(module.name).\($0.name)", example: $0.example)
        }
      }
    }
  }

  /// The scenario of what an example changes in a fresh app; nil if it changes nothing there, or fails.
  private func recording(of example: String, named name: String) async throws -> String? {
    let state = try LuaState(libraries: .sandbox)
    defer { state.close() }
    let app = try console.sandboxedApp(in: state)
    try state.setGlobal("print", to: state.function("print") { (_: LuaVariadic) in })
    let initial = app.store.states
    do {
      try state.load(example, name: .text("example")).call(as: Void.self)
      guard !app.store.changes(since: initial).isEmpty else { return nil }
      let text = try await app.scenario(named: name).text
      // Without the comments that recordings begin with.
      return text.firstRange(of: "scenario(").map { String(text[$0.lowerBound...]) }
    } catch {
      // It needs something that a fresh app doesn't have, or an action that no call repeats.
      return nil
    }
  }
}
