import Lua
import Testing

@MainActor
@Suite("Actions as Lua text")
struct ActionTextTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "are the equivalent calls and assignments",
    arguments: [
      "counter.increment()", "counter.increment(10)", "counter.increment(math.mininteger)",
      "counter.decrement()", "counter.decrement(-3)", "counter.count = -7",
      "counter.count = math.mininteger", "counter.ask_is_prime()", "favorites.add(7)",
      "favorites.toggle(7)",
      #"todo.add("milk")"#, #"todo.query = "a \"b\" \\ \n \x009 é""#,
      "store.reset()",
    ])
  func calls(code: String) async throws {
    #expect(try await app.text("\(code) return store.history()[1].action") == code)
  }

  @Test(
    "name their record or position",
    arguments: [
      "favorites.remove(2)", "favorites.clear()", "counter.dismiss_modal()",
      "counter.dismiss_alert()", "favorites.remove_at(1)", "favorites.remove_at({3, 1})",
      "todo.complete(1)", "todo.reopen(2)", #"todo.rename(1, "tea")"#, "todo.remove(1)",
      "todo.recover_last_query()",
    ])
  func records(code: String) async throws {
    #expect(
      try await app.text(
        """
        for _, n in ipairs({ 2, 3, 5 }) do favorites.add(n) end
        todo.add("milk") todo.add("bread")
        counter.count = 4 counter.ask_is_prime() counter.ask_nth_prime()
        \(code)
        return store.history(1)[1].action
        """) == code)
  }

  @Test("show a service's answer after an arrow")
  func answers() async throws {
    async let texts = app.text(
      """
      todo.fetch()
      pcall(todo.fetch, "missing.json")
      local texts = {}
      for i, e in ipairs(store.history()) do texts[i] = e.action end
      return table.concat(texts, "; ")
      """)
    await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(2))
    #expect(
      try await texts
        == "todo.fetch(); todo.fetch() --> 2 items; todo.fetch(\"missing.json\"); todo.fetch() --> failed: "
        + "missing.json: no such file: check the path and the working directory")
  }
}
