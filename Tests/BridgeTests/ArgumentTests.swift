import Testing

@MainActor
@Suite("Arguments of the functions of our modules")
struct ArgumentTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  /// Functions whose first argument is an integer, and its name; what else they take follows.
  private nonisolated static let integerFunctions = [
    "counter.increment by", "counter.decrement by", "favorites.add n", "favorites.remove n",
    "favorites.toggle n", "favorites.contains n", "prime.is n", "prime.nth n", "prime.count x",
    "prime.next n", "prime.previous n", "prime.factor n", "todo.complete id", "todo.reopen id",
    "todo.rename id", "todo.remove id", "wolfram.nth_prime n", "persons.get id",
    "persons.remove id", "persons.edit id", "landmarks.get id", "landmarks.toggle_favorite id",
    "landmarks.select id", "store.history n", "store.undo n", "store.redo n", "store.jump k",
  ]

  @Test("that are integers are all covered by these tests")
  func allIntegerFunctions() {
    let documented = Documented(app).calls.filter { $0.positions(of: "integer").contains(0) }
    #expect(
      Set(documented.map { "\($0.name) \($0.function.parameters[0].name)" })
        == Set(Self.integerFunctions))
  }

  private nonisolated static let fromLeastToGreatest =
    "integer from -9223372036854775808 to 9223372036854775807"

  @Test(
    "that are integers accept nothing else: nothing is rounded or parsed",
    arguments: integerFunctions,
    [
      ("1.5", "integer expected, got 1.5"),
      ("2.0^63", "\(fromLeastToGreatest) expected, got 9.223372036854776e+18"),
      ("-2.0^64", "\(fromLeastToGreatest) expected, got -1.8446744073709552e+19"),
      ("1/0", "\(fromLeastToGreatest) expected, got inf"),
      ("'7'", "integer expected, got string"), ("true", "integer expected, got boolean"),
      ("{}", "integer expected, got table"), ("print", "integer expected, got function"),
      ("store.new", "integer expected, got function"),
      ("task.spawn(type, 1)", "integer expected, got task"),
    ])
  func integers(function: String, value: (code: String, problem: String)) async throws {
    let words = function.split(separator: " ")
    let (name, parameter) = (words[0], words[1])
    let error = await app.failure("\(name)(\(value.code), 'text')")
    #expect(error?.code == "bad_argument")
    #expect(error?.message == "bad argument #1 to '\(name)' (\(parameter): \(value.problem))")
    #expect(error?.location == "test:1")
  }

  @Test("that are integers can be omitted only if they have a default")
  func missingIntegers() async throws {
    for call in Documented(app).calls where call.function.parameters.first?.type == "integer" {
      let error = await app.failure("\(call.name)()")
      let name = call.function.parameters[0].name
      #expect(
        error?.message
          == "bad argument #1 to '\(call.name)' (\(name): integer expected, got no value)")
    }
  }

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
    "that are text accept no numbers and only UTF-8, and errors name the function and the position",
    arguments: [
      ("todo.add(V)", "#1 to 'todo.add' (text: "),
      ("todo.rename(1, V)", "#2 to 'todo.rename' (text: "),
      ("todo.fetch(V)", "#1 to 'todo.fetch' (source: "),
      ("persons.fetch(V)", "#1 to 'persons.fetch' (source: "),
      ("landmarks.load(V)", "#1 to 'landmarks.load' (source: "),
      ("store.subscribe(V, print)", "#1 to 'store.subscribe' (path: "),
      ("wolfram.query(V)", "#1 to 'wolfram.query' (text: "),
      ("wolfram.short_answer(V)", "#1 to 'wolfram.short_answer' (text: "),
    ],
    [
      ("7", "string expected, got number)"),
      ("false", "string expected, got boolean)"),
      (#""\xff""#, "a string of valid UTF-8 expected, got other bytes)"),
      (#""a\xc0\x80""#, "a string of valid UTF-8 expected, got other bytes)"),
      (#""\xed\xa0\x80""#, "a string of valid UTF-8 expected, got other bytes)"),
    ])
  func text(
    call: (code: String, argument: String), value: (code: String, problem: String)
  ) async throws {
    let error = await app.failure(call.code.replacing("V", with: value.code))
    #expect(error?.code == "bad_argument")
    #expect(error?.message == "bad argument \(call.argument)\(value.problem)")
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
