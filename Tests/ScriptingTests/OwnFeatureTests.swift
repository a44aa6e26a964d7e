import Lua
import SampleApp
import Scripting
import StateStore
import Testing
import TestSupport

@MainActor
@Suite("A feature from another package")
struct OwnFeatureTests {
  private let app: FeatureFixture

  init() throws { app = try FeatureFixture([ForeignNotes.self]) }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- has its module, the store with its history, and store.new()
      notes.add("milk") notes.title = "Mine" store.undo()
      local other = store.new()
      other.notes.add("bread")
      return notes.title, #store.state().notes.all, #other.store.state().notes.all, app.notes == notes
      --> Notes 1 1 true
      -- isn't recorded by a program that doesn't record scenarios
      return select(2, pcall(store.export, 'x.scenario.lua')).code --> no_recording
      """))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test("is released with its app, though its functions use its module")
  func released() async throws {
    try await app.run("weak = setmetatable({}, { __mode = 'k' }) weak[store.new().notes] = true")
    for _ in 0..<3 { try app.state.collectGarbage() }
    weak var released: Store?
    do {
      let other = try LuaState()
      let store = try Store(features: [ForeignNotes.self])
      released = store
      _ = try ScriptedApp(
        in: other, store: store, modules: [ScriptModule(ForeignNotes.self)])
      _ = try await other.run(other.load("notes.add('milk')", name: .text("test")))
      other.close()
    }
    #expect(released == nil)
    #expect(try await app.run("return next(weak)") == "nil")
  }

  @Test(
    "is refused if its name is taken, or isn't a Lua name",
    arguments: [
      ("notes", ScriptError.takenName("notes")),
      ("store", .takenName("store", hides: "a name that every app has")),
      ("string", .takenName("string", hides: "a name of Lua")),
      ("expect", .takenName("expect", hides: "a word of scenarios")),
      ("end", .noName("end")), ("two words", .noName("two words")), ("", .noName("")),
    ])
  func badNames(name: String, expected: ScriptError) throws {
    let module = ScriptModule(name, help: "Mine.") { _ in }
    #expect(throws: expected) {
      try ScriptedApp(
        in: LuaState(), store: Store(features: [ForeignNotes.self]),
        modules: [ScriptModule(ForeignNotes.self), module])
    }
  }
}
