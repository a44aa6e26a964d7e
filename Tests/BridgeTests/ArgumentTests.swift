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

  @Test("can be a megabyte of text, and errors are still prompt")
  func hugeText() async throws {
    #expect(
      try await app.text(
        """
        local huge = ("x"):rep(1024 * 1024)
        local id = todo.add("milk").id
        todo.rename(id, huge)
        todo.query = huge
        local found = #todo.filtered()
        local function code(fn, ...)
          local ok, err = pcall(fn, ...)
          return not ok and err.code
        end
        return #todo.items[1].text, found, #store.state().todo.query,
          code(store.subscribe, huge, print), code(todo.fetch, huge),
          code(function() return counter[huge] end),
          code(function() counter[huge] = 1 end),
          code(function() return todo.items[huge] end),
          code(persons.fetch, huge), code(landmarks.load, huge),
          code(persons.add, { [huge] = 1 }), code(persons.add, { name = huge, age = huge }),
          #persons.add({ name = huge, age = 1 }).name
        """)
        == "1048576 1 1048576 unknown_path not_readable "
        + "unknown_field unknown_field unknown_field not_readable not_readable "
        + "unknown_field bad_argument 1048576")
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
    "that are options with another name are refused with the nearest one",
    arguments: [
      ("{sauce='local'}", "field 'sauce'; did you mean 'source'? It has: source"),
      ("{'local'}", "field with the key 1. It has: source"),
    ])
  func unknownOptions(options: String, problem: String) async {
    let error = await app.failure("counter.count = 1 counter.ask_nth_prime(\(options))")
    #expect(error?.code == "unknown_field")
    #expect(error?.message == "options has no \(problem)")
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
