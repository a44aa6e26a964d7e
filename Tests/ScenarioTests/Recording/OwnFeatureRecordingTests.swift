import Lua
import SampleApp
import Scenarios
import Scripting
import StateStore
import Testing

@MainActor
@Suite("A recorded scenario of another package's feature")
struct OwnFeatureRecordingTests {
  private let app: ScriptedApp
  private let state: LuaState

  init() throws {
    state = try LuaState()
    app = try ScriptedApp(
      in: state, store: Store(features: [ForeignNotes.self]),
      modules: [ScriptModule(ForeignNotes.self)])
  }

  @Test("has calls of the functions that its actions are named after")
  func calls() async throws {
    _ = try await state.run(
      state.load("notes.add('milk') notes.pin(1)", name: .text("test")))
    let text = try await app.scenario(named: "notes").text
    #expect(
      text.contains(
        #"""
          expect.changes(function()
            notes.add("milk")
          end, {
            ["notes.all[1]"] = { id = 1, text = "milk", is_pinned = false },
          })
          expect.changes(function() notes.pin(1) end, { ["notes.all[1].is_pinned"] = true })
        """#), "\(text)")
  }

  @Test("is refused, with a code, if no function repeats an action")
  func notRecorded() async throws {
    try app.store.send(.rename("Mine"), to: ForeignNotes.self)
    await #expect { try await app.scenario(named: "notes") } throws: { error in
      (error as? any CodedError)?.code == "not_recordable"
    }
  }
}
