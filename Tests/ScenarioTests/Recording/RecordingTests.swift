import Lua
import PrimereplLoading
import SampleApp
import Scripting
import StateStore
import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("A recorded scenario")
struct RecordingTests {
  private let folder: TemporaryFolder
  private let app: AppInLua

  init() throws {
    folder = try TemporaryFolder()
    app = try AppInLua(documents: DocumentAccess())
    app.session.enableScenarioExport()
  }

  /// The scenario recorded after some Lua code, without its leading comments.
  private func recorded(_ source: String) async throws -> String {
    try await app.run(source)
    try await app.run("store.export(\(folder.path(of: "x.scenario.lua").luaLiteral))")
    let text = try folder.read("x.scenario.lua")
    #expect(try await FileRun(text).failures().map(\.message) == [])
    return text.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
  }

  /// The lines within the scenario recorded after some Lua code, as the result of a case.
  private func body(_ source: String) async throws -> String {
    let lines = try await recorded(source).split(separator: "\n").dropFirst().dropLast()
    return lines.map { $0.dropFirst(2) }.joined(separator: " ")
  }

  @Test(
    "of a session",
    arguments: LuaCase.list(
      #"""
      -- has the actions in effect as calls, each with all that it changed
      counter.count = 7 counter.ask_is_prime() counter.increment() store.undo()
      favorites.add(7) counter.dismiss_modal()
      --> expect.changes(function() counter.count = 7 end, { ["counter.count"] = 7 })
      --> expect.changes(function()
      -->   counter.ask_is_prime()
      --> end, {
      -->   ["counter.modal"] = { number = 7, text = "7 is prime 🎉", is_favorite = false },
      --> })
      --> expect.changes(function()
      -->   favorites.add(7)
      --> end, {
      -->   ["counter.modal.is_favorite"] = true,
      -->   ["favorites[1]"] = 7,
      --> })
      --> expect.changes(function() counter.dismiss_modal() end,
      --> { ["counter.modal"] = expect.none })
      -- is empty without actions
      local nothing -->
      -- has stubs for the answers of services
      counter.count = 3 counter.ask_nth_prime()
      --> expect.changes(function() counter.count = 3 end, { ["counter.count"] = 3 })
      --> stub(counter.ask_nth_prime, function()
      -->   return 5
      --> end)
      --> expect.changes(function()
      -->   counter.ask_nth_prime()
      --> end, {
      -->   ["counter.alert"] = { title = "The answer is 5" },
      --> })
      -- fails where a service did
      pcall(todo.fetch, 'no such file')
      --> stub(todo.fetch, function()
      -->   error({ code = "recorded_failure", message = "no such file: no such file" })
      --> end)
      --> expect.changes(function()
      -->   expect.error(function() todo.fetch("no such file") end, { code = "recorded_failure" })
      --> end, {
      -->   ["todo.error"] = "no such file: no such file",
      --> })
      -- undoes a call in a loop where many ids were used up, whatever the size of the state
      for i = 1, 12 do todo.add('a') end store.undo(12) todo.add('b') todo.add('c')
      --> …for _ = 1, 12 do
      -->   todo.add("b")
      -->   store.undo()
      --> end …["todo.items[1]"] = { id = 14, text = "c", done = false }…
      """#))
  func session(example: LuaCase) async throws {
    let body = try await body(example.code)
    #expect(example.allows(body), "\(body)")
  }

  @Test("has the actions of a group one by one")
  func group() async throws {
    try app.session.store.group {
      try app.session.store.send(.set(count: 7), to: Counter.self)
      try app.session.store.send(.increment(by: 2), to: Counter.self)
    }
    let text = try await recorded("history = store.history()[1].action")
    #expect(
      text == #"""
        scenario("recorded x", function()
          expect.changes(function() counter.count = 7 end, { ["counter.count"] = 7 })
          expect.changes(function() counter.increment(2) end, { ["counter.count"] = 9 })
        end)
        """#)
    #expect(try await app.text("return history") == "counter.count = 7; counter.increment(2)")
  }

  @Test("leaves a request pending while other things are done, and ends one without an answer")
  func pending() async throws {
    let text = try await recorded(
      """
      local first, second = task.spawn(todo.fetch), task.spawn(todo.fetch)
      counter.increment()
      """)
    #expect(
      text == #"""
        scenario("recorded x", function()
          local requests = {}
          stub(todo.fetch, function()
            task.sleep(86400)
          end)
          expect.changes(function()
            requests[1] = task.spawn(function() todo.fetch() end)
          end, {
            ["todo.loading"] = true,
          })
          stub(todo.fetch, function()
            task.sleep(86400)
          end)
          expect.changes(function() requests[2] = task.spawn(function() todo.fetch() end) end, {})
          expect.changes(function() counter.increment() end, { ["counter.count"] = 1 })
          requests[1]:cancel()
          pcall(requests[1].await, requests[1])
          requests[2]:cancel()
          pcall(requests[2].await, requests[2])
        end)
        """#)
    try await app.clock.waitForSleepers(2)
    app.clock.advance(by: .seconds(2))
    _ = await app.state.finishTasks()
    let answered = try await recorded("")
    #expect(
      answered.contains(
        #"""
          stub(todo.fetch, function()
            task.sleep(1)
            return { { done = false, text = "first item" }, { done = false, text = "second item" } }
          end)
        """#), "\(answered)")
    #expect(answered.contains("    requests[2]:await()\n"))
    #expect(answered.contains("  requests[1]:cancel()\n"))
    #expect(!answered.contains("requests[2]:cancel()"))
  }

  @Test("has placeholders for passwords, equal ones for equal passwords")
  func passwords() async throws {
    let text = try await recorded(
      """
      signup.data.email = "ann@example.com" 
      signup.data.password = "hunter2" signup.data.password_confirmation = "hunter3"
      signup.submit() signup.data.password_confirmation = "hunter2" signup.submit()
      """)
    #expect(!text.contains("hunter"))
    #expect(text.contains(#"signup.data.password = "secret 1""#))
    #expect(text.contains(#"signup.data.password_confirmation = "secret 2""#))
    #expect(text.contains("The passwords differ."))
    #expect(text.contains(#"["signup.submitted"] = true"#))
  }

  @Test("imports what was imported, and the state in which the history begins")
  func imports() async throws {
    let path = folder.path(of: "state.json").luaLiteral
    let text = try await recorded(
      """
      counter.count = 5 todo.add("milk") store.export(\(path)) store.reset()
      store.import(\(path)) todo.items[1].done = true
      """)
    #expect(text.contains("      store.import(path)\n    end, {\n"))
    #expect(text.contains(#"["todo.items[1].done"] = true"#))
    let later = try await recorded(
      "store.history_limit = 1 for _ = 1, 300 do counter.increment() end")
    #expect(later.contains("  file:close()\n    store.import(path)\n  end\n"))
    #expect(later.contains("      counter = { count = 304, loading = false, "))
    #expect(later.contains(#"["counter.count"] = 305"#))
  }

  @Test("is refused, with a code, if no function repeats an action")
  func notRecordable() async throws {
    let state = try LuaState()
    defer { state.close() }
    let app = try ScriptedApp(
      in: state, store: Store(features: [ForeignNotes.self]),
      modules: [ScriptModule(ForeignNotes.self)])
    try app.store.send(.rename("Mine"), to: ForeignNotes.self)
    await #expect { try await app.scenario(named: "notes") } throws: { error in
      (error as? any CodedError)?.code == "not_recordable"
    }
  }
}
