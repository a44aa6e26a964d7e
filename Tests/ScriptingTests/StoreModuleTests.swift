import SampleApp
import Testing
import TestSupport

@MainActor
@Suite("store")
struct StoreModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "in scripts",
    arguments: [
      LuaCase(
        "returns a copy of the whole state",
        """
        counter.count = 3 favorites.add(3) todo.add("milk")
        local s = store.state()
        counter.increment() favorites.clear()
        return s.counter.count, s.counter.loading, s.counter.alert, s.favorites[1], #s.favorites,
          s.todo.items[1].text, s.todo.query, s.todo.last_query
        """, "3 false nil 3 1 milk  milk"),
      LuaCase(
        "store.new() gives a table of all modules, each the same whenever it is read",
        """
        local a, own, fresh = store.new(), {}, {}
        for name in pairs(app) do own[#own + 1] = name end
        for name in pairs(a) do fresh[#fresh + 1] = name end
        table.sort(own) table.sort(fresh)
        return table.concat(own, " ") == table.concat(fresh, " "), a.counter == a.counter,
          a.counter ~= counter, a.nothing, a[1], a["\\xff"], #a
        """, "true true true nil nil nil 0"),
      LuaCase(
        "creates apps that share nothing with the session's",
        """
        local a, b = store.new(), store.new()
        a.counter.increment() a.favorites.add(2) a.todo.add("x")
        return counter.count, #favorites, #todo.items, b.counter.count, a.counter.count,
          a.store.state().counter.count, a.todo.items[1].id
        """, "0 0 0 0 1 1 1"),
      LuaCase(
        "has the session's own modules in app",
        """
        return app.counter == counter, app.favorites == favorites, app.store == store,
          app.todo == todo, app.oracle == oracle, app.persons == persons, app.signup == signup
        """, Array(repeating: "true", count: 7).joined(separator: " ")),
    ])
  func results(_ example: LuaCase) async throws {
    #expect(try await app.text(example.code) == example.result)
  }

  @Test("refuses an unknown path, and names the nearest one, or else lists all")
  func unknownPath() async {
    let error = await app.failure("store.subscribe('counter.cuont', print)")
    #expect(error?.code == "unknown_path")
    #expect(
      error?.message
        == "The state has nothing at \"counter.cuont\"; did you mean \"counter.count\"?")
    let other = await app.failure("store.subscribe('x', print)")
    #expect(other?.code == "unknown_path")
    #expect(other?.message.contains("observe one of counter, counter.count") == true)
  }
}
