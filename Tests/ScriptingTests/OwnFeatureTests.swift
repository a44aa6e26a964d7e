import Lua
import SampleApp
import Scripting
import StateStore
import Testing

@MainActor
@Suite("A feature from another package")
struct OwnFeatureTests {
  private let app: FeatureFixture

  init() throws { app = try FeatureFixture([ForeignNotes.self]) }

  @Test("has its module, the store with its history, and store.new()")
  func modules() async throws {
    let results = try await app.run(
      """
      notes.add("milk") notes.title = "Mine" store.undo()
      local other = store.new()
      other.notes.add("bread")
      return notes.title, #store.state().notes.all, #other.store.state().notes.all, app.notes == notes
      """)
    #expect(results == "Notes 1 1 true")
  }

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

  @Test("shows its actions in the history as calls of the functions that are named after them")
  func actions() async throws {
    let results = try await app.run(
      """
      notes.add("milk") notes.title = "My \\"notes\\"" notes.pin(1) notes.clear()
      local actions = {}
      for _, entry in ipairs(store.history()) do actions[#actions + 1] = entry.action end
      return table.unpack(actions)
      """)
    #expect(
      results == #"notes.add("milk") notes.rename("My \"notes\"") notes.pin(1) notes.clear()"#)
  }

  @Test("reports its fields and the edits of its lists to subscribers")
  func subscriptions() async throws {
    let results = try await app.run(
      """
      local seen = {}
      store.subscribe("notes.title", function(new, old) seen[#seen + 1] = old .. "->" .. new end)
      store.subscribe("notes.all", function(edits)
        for _, edit in ipairs(edits) do seen[#seen + 1] = edit.edit .. " " .. edit.position end
      end)
      store.subscribe("notes.all[1].is_pinned", function(new) seen[#seen + 1] = tostring(new) end)
      notes.title = "x" notes.add("milk") notes.pin(1)
      return table.concat(seen, ", ")
      """)
    #expect(results == "Notes->x, inserted 1, false, changed 1, true")
  }

  @Test("has functions for which stubs answer")
  func stubs() async throws {
    #expect(app.scripted.stubbable.first == "notes.count_words")
    #expect(try await app.run("return notes.count_words('a b')") == "2")
    let other = try LuaState()
    let stubs = LuaStubs(in: other)
    _ = try ScriptedApp(
      in: other, store: Store(features: [ForeignNotes.self]),
      modules: [ScriptModule(ForeignNotes.self)],
      environment: ScriptEnvironment(stubs: stubs))
    stubs.set(
      try other.load("return #(...)", name: .text("stub")), for: "notes.count_words")
    #expect(try await other.textOfResults(of: "return notes.count_words('a b')") == "3")
  }

  @Test("isn't recorded by a program that doesn't record scenarios")
  func notRecorded() async throws {
    let results = try await app.run("return select(2, pcall(store.export, 'x.scenario.lua')).code")
    #expect(results == "no_recording")
  }

  @Test("is in help, with its own example")
  func help() async throws {
    let help = try await app.run(
      "local text = '' print = function(line) text = text .. line end help() return text")
    #expect(help.hasPrefix("notes  Notes.\n"))
    #expect(help.contains("help(notes) lists a module, help(notes.add) describes a function"))
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
