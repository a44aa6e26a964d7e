import Testing

@MainActor
@Suite("counter")
struct CounterModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("returns no card if an observer of the button closes it")
  func closedByObserver() async throws {
    #expect(
      try await app.text(
        """
        counter.count = 17
        counter.ask_is_prime()
        store.subscribe("favorites", function() counter.dismiss_modal() end)
        return counter.press_modal_button(), favorites[1]
        """) == "nil 17")
  }
}
