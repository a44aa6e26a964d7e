import Testing

@MainActor
@Suite("The tour")
struct TourTests {
  @Test("runs as written, but for undo and redo")
  func tour() async throws {
    let app = try AppInLua()
    async let text = app.text(
      """
      local out = {}
      local function print(...)
        local texts = {}
        for i = 1, select("#", ...) do texts[i] = tostring((select(i, ...))) end
        out[#out + 1] = table.concat(texts, " ")
      end

      counter.count = 7
      print(counter.increment(10))
      print(counter.ordinal, counter.is_prime)
      print(counter.ask_is_prime().text)
      counter.press_modal_button()
      print(#favorites, favorites[1])
      print(counter.ask_nth_prime())
      print(counter.alert.title)

      local seen = {}
      local sub = store.subscribe("counter.count", function(new, old) seen[#seen + 1] = old .. "->" .. new end)
      counter.increment(); counter.decrement(); counter.increment(); sub:cancel()
      print(table.concat(seen, " "))

      local t = task.spawn(todo.fetch)
      print(todo.loading); t:await(); print(todo.loading, #todo.items)

      local ok, err = pcall(favorites.add, 8)
      print(ok, err.code, tostring(err))
      return table.concat(out, "\\n")
      """)
    await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(2))
    #expect(
      try await text == """
        17
        17th true
        17 is prime 🎉
        1 17
        59
        The 17th prime is 59
        17->18 18->17 17->18
        true
        false 2
        false not_prime 8 is not prime
        """)
  }
}
