import SampleApp
import Testing
import TestSupport

@MainActor
@Suite("store.history, undo, redo, jump and reset")
struct HistoryTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- list the actions with number, time, Lua text and changes
      counter.count = 7 favorites.add(7)
      local h = store.history()
      local e = h[2]
      return #h, h[1].number, h[1].action, h[1].changes["counter.count"].new,
        h[1].changes["counter.count"].old, h[1].undone, e.action,
        e.changes.favorites[1].edit, e.changes.favorites[1].value, math.type(e.time),
        math.abs(e.time - os.time()) < 60, #store.history(1), store.history(1)[1].number
      --> 2 1 counter.count = 7 7 0 false favorites.add(7) inserted 7 float true 1 2
      -- never ask a service again: its answers are actions
      counter.count = 17
      counter.ask_nth_prime()
      local texts = {}
      for i, e in ipairs(store.history()) do texts[i] = e.action end
      store.undo()
      local loading, alert = counter.loading, counter.alert
      store.redo()
      return table.concat(texts, "; "), loading, alert, counter.alert.title
      --> counter.count = 17; counter.ask_nth_prime(); counter.ask_nth_prime() --> 59 true nil The
      --> answer is 59
      -- belong to each app separately
      local a = store.new()
      a.counter.increment() counter.increment() counter.increment()
      a.store.undo()
      return a.counter.count, counter.count, #a.store.history(), #store.history() --> 0 2 1 2
      -- call on_action's function for each action, until it is cancelled
      local seen = {}
      local sub = store.on_action(function(a) seen[#seen + 1] = a.number .. " " .. a.action end)
      counter.increment() favorites.add(2) pcall(favorites.add, 8) store.undo()
      counter.increment(-3)
      sub:cancel()
      counter.increment()
      return table.concat(seen, "; ")
      --> 1 counter.increment(); 2 favorites.add(2); 2 counter.increment(-3)
      -- report the changes of a function, by path
      local changed = store.changes(function()
        counter.count = 17
        counter.ask_nth_prime()
        favorites.add(17) favorites.add(2)
        todo.query = "x" todo.query = ""
      end)
      local paths = {}
      for path in pairs(changed) do paths[#paths + 1] = path end
      table.sort(paths)
      return table.concat(paths, " "), changed["counter.count"], changed.favorites[2],
        changed["counter.alert"].title, next(store.changes(function() end))
      --> counter.alert counter.count favorites 17 2 The answer is 59 nil
      -- raise the error of the function passed to changes
      store.changes(function() favorites.add(8) end) --> not_prime: …
      store.changes(7) --> bad_argument: …
      """))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test(
    "refuse positions outside the history, and change nothing",
    arguments: [
      ("store.undo(4)", "nothing_to_undo", "Can't undo 4 actions: there are only 3."),
      ("store.undo(-1)", "nothing_to_undo", "Can't undo -1 actions: pass 0 or more."),
      ("store.redo()", "nothing_to_redo", "There is nothing to redo."),
      ("store.jump(4)", "out_of_history", "The history has no action 4: it goes from 0 to 3."),
      ("store.history_limit = -1", "bad_argument", "store.history_limit is 0 or more, not -1"),
    ])
  func refused(code: String, kind: String, message: String) async throws {
    try await app.run("for _ = 1, 3 do counter.increment() end")
    let error = await app.failure(code)
    #expect(error?.code.rawValue == kind)
    #expect(error?.message.hasPrefix(message) == true)
    #expect(try await app.text("return counter.count, #store.history()") == "3 3")
  }
}
