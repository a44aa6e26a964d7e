import Testing

@MainActor
@Suite("Arguments of the functions of our modules")
struct ArgumentTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("that are integers accept a float without a fraction", arguments: ["7.0", "7", "0x7p0"])
  func wholeFloats(value: String) async throws {
    #expect(
      try await app.text(
        """
        favorites.add(\(value))
        return prime.is(\(value)), prime.next(\(value)), favorites[1], math.type(favorites[1]),
          favorites[1.0], counter.increment(\(value))
        """) == "true 11 7 integer 7 7")
  }

  @Test(
    "that are options are named in errors",
    arguments: [
      ("{source='moon'}", "source: 'local' or 'wolfram' expected, got 'moon'"),
      ("{source=1}", "source: 'local' or 'wolfram' expected, got 1"),
      ("'local'", #"{[source="local"|"wolfram"]} expected, got string"#),
    ])
  func options(options: String, problem: String) async {
    let error = await app.failure("counter.count = 1 counter.ask_nth_prime(\(options))")
    #expect(error?.code == "bad_argument")
    #expect(
      error?.message == "bad argument #1 to 'counter.ask_nth_prime' (options: \(problem))")
  }

  @Test(
    "that are positions are named in errors",
    arguments: [
      ("{1, 'x'}", "string at position 2"), ("{1.5}", "1.5 at position 1"), ("'1'", "string"),
      ("{2.0^63}", "9.223372036854776e+18 at position 1"), ("", "no value"),
    ])
  func positions(positions: String, got: String) async {
    let error = await app.failure("favorites.add(2) favorites.remove_at(\(positions))")
    #expect(
      error?.message
        == "bad argument #1 to 'favorites.remove_at' "
        + "(positions: integer|integer[] expected, got \(got))")
  }
}
