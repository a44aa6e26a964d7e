import Testing

@MainActor
@Suite("counter")
struct CounterModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("counts up and down, by one or by an amount, and returns the count")
  func counts() async throws {
    #expect(
      try await app.text(
        """
        return counter.count, counter.increment(), counter.increment(10), counter.decrement(),
          counter.decrement(20), counter.increment(nil), counter.count
        """) == "0 1 11 10 -10 -9 -9")
  }

  @Test("sets the count by assignment, to any integer, and to a float without a fraction")
  func assigns() async throws {
    #expect(
      try await app.text(
        """
        counter.count = math.mininteger
        local least = counter.count
        counter.count = 2.0
        return least, counter.count, math.type(counter.count)
        """) == "-9223372036854775808 2 integer")
  }

  @Test(
    "refuses to overflow, and the count stays",
    arguments: [
      ("counter.count = math.maxinteger", "counter.increment()"),
      ("counter.count = math.mininteger", "counter.decrement()"),
      ("counter.count = -1", "counter.decrement(math.maxinteger) counter.decrement(2)"),
      ("counter.count = 0", "counter.decrement(math.mininteger)"),
      ("counter.count = 1", "counter.increment(math.maxinteger)"),
    ])
  func overflows(before: String, code: String) async throws {
    try await app.run(before)
    let error = await app.failure(code)
    #expect(error?.code == "overflow")
  }

  @Test("has the ordinal, and whether the count is prime")
  func properties() async throws {
    #expect(
      try await app.text(
        "counter.count = 1002 local o = counter.ordinal counter.count = 17 return o, counter.is_prime"
      ) == "1002nd true")
  }

  @Test("opens the card, presses its button, and closes it for good")
  func card() async throws {
    #expect(
      try await app.text(
        """
        counter.count = 17
        local card = counter.ask_is_prime()
        local pressed = counter.press_modal_button()
        counter.increment()
        local followed = counter.modal
        counter.dismiss_modal()
        counter.increment()
        return card.number, card.is_prime, card.text, card.is_favorite, card.button,
          pressed.button, pressed.is_favorite, favorites[1],
          followed.text, followed.button, counter.modal
        """)
        == "17 true 17 is prime 🎉 false Save to favorite primes "
        + "Remove from favorite primes true 17 18 is not prime :( nil nil")
  }

  @Test("has no button to press on a closed card, nor for a number that isn't prime")
  func noButton() async throws {
    #expect(await app.failure("counter.press_modal_button()")?.code == "no_modal")
    #expect(
      await app.failure("counter.count = 4 counter.ask_is_prime() counter.press_modal_button()")?
        .code == "no_button")
  }

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

  @Test("asks for the count-th prime, which becomes an alert until it is dismissed")
  func nthPrime() async throws {
    #expect(
      try await app.text(
        """
        counter.count = 17
        local prime = counter.ask_nth_prime()
        local title = counter.alert.title
        counter.dismiss_alert()
        return prime, title, counter.alert, counter.loading
        """) == "59 The 17th prime is 59 nil false")
  }

  @Test("asks in a task as well, from a named source")
  func nthPrimeInTask() async throws {
    #expect(
      try await app.text(
        """
        counter.count = 17
        local t = task.spawn(counter.ask_nth_prime, { source = "local" })
        return t:await(), counter.loading
        """) == "59 false")
  }

  @Test("refuses to ask for a prime before the first")
  func outOfRange() async {
    let error = await app.failure("counter.count = -1 counter.ask_nth_prime()")
    #expect(error?.code == "out_of_range")
  }

  @Test("leaves no alert beside a refusal, not even an earlier one")
  func refusedQuestion() async throws {
    try await app.run("counter.count = 5 counter.ask_nth_prime() counter.count = 0")
    #expect(await app.failure("counter.ask_nth_prime()")?.code == "out_of_range")
    #expect(try await app.text("return counter.alert") == "nil")
  }

  @Test("asks Wolfram|Alpha only with an app id")
  func wolframWithoutAppID() async throws {
    let error = await app.failure("counter.count = 1 counter.ask_nth_prime({source='wolfram'})")
    #expect(error?.code == "no_app_id")
    #expect(try await app.text("return counter.loading, counter.alert") == "false nil")
  }

  @Test(
    "refuses options it doesn't know",
    arguments: ["{source='else'}", "{source=1}", "'wolfram'"])
  func options(options: String) async {
    let error = await app.failure("counter.count = 1 counter.ask_nth_prime(\(options))")
    #expect(error?.code == "bad_argument")
    #expect(error?.message.contains("counter.ask_nth_prime") == true)
  }

  @Test(
    "refuses to assign what can't be assigned",
    arguments: ["ordinal", "is_prime", "modal", "alert", "loading", "increment"])
  func readOnly(field: String) async {
    #expect(await app.failure("counter.\(field) = 1")?.code == "read_only_field")
  }

  @Test("suggests the dot when it is called with a colon")
  func colon() async {
    let error = await app.failure("counter:increment(1)")
    #expect(error?.message.contains("call it with a dot, not a colon") == true)
  }
}
