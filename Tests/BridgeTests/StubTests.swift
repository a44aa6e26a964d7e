import Testing

@MainActor
@Suite("The app's functions with stubs")
struct StubTests {
  @Test("are those that ask a service")
  func stubbable() throws {
    #expect(
      try Set(AppInLua().session.stubbable) == [
        "counter.ask_nth_prime", "todo.fetch", "persons.fetch", "landmarks.load", "prime.nth",
        "prime.count", "wolfram.query", "wolfram.short_answer", "wolfram.nth_prime", "http.get",
        "http.post", "http.request",
      ])
  }
}
