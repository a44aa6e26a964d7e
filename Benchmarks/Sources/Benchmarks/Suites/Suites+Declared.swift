/// Features that are declared in Lua, in the program that `make build` makes.
extension Suites {
  /// How much longer a declared feature's actions take than those of a Swift feature.
  static func declaredActions() -> [Benchmark] {
    func benchmark(
      _ name: String, limit: Double? = 3, _ reference: String, _ ours: String
    ) -> Benchmark {
      Benchmark(
        "declared: \(name)", limit: limit,
        measuredReference: { try await measure(reference, count: $0, in: .program) },
        measuredOurs: { try await measure(ours, count: $0, in: .shop) })
    }
    return [
      benchmark("cart.add(name, price)", "todo.add('item ' .. i)", "cart.add('item ' .. i, 1)"),
      benchmark("items[1].quantity = x", "persons[1].age = i % 150", "cart.items[1].quantity = i"),
      benchmark(
        "add, cart.clear()", "todo.remove(todo.add('pen').id)", "cart.add('pen', 1) cart.clear()"),
      // Without a limit: the Swift feature's changes nothing, and its history keeps one action, again and again.
      benchmark("cart.clear() of nothing", limit: nil, "favorites.clear()", "cart.clear()"),
    ]
  }

  /// How much longer adding to a million records takes than to a thousand.
  static func declaredScale() -> [Benchmark] {
    func add(_ count: Int, to records: Int) async throws -> Duration {
      try await measure(
        "cart.add('pen', i)", count: count, in: .shop, setup: "cart.fill(\(records))")
    }
    return [
      Benchmark(
        "declared: cart.add(name, price)", limit: 2,
        measuredReference: { try await add($0, to: 1000) },
        measuredOurs: { try await add($0, to: 1_000_000) })
    ] + ["total", "paid", "open", "days"].map(declaredQuery)
  }

  /// How much longer an action and a read of a query take with a million records than with a thousand.
  private static func declaredQuery(_ name: String) -> Benchmark {
    func read(_ count: Int, of records: Int) async throws -> Duration {
      let read = ["open", "days"].contains(name) ? "#ledger.\(name)" : "ledger.\(name)"
      return try await measure(
        "ledger.add('today') local _ = \(read)", count: count, in: .ledger,
        setup: "ledger.fill(\(records)) local _ = \(read)")
    }
    return Benchmark(
      "declared: an action, ledger.\(name)", limit: 3,
      measuredReference: { try await read($0, of: 1000) },
      measuredOurs: { try await read($0, of: 1_000_000) })
  }

  /// How much longer scenarios of a declared feature take than those of a Swift feature.
  static func declaredScenarios() -> [Benchmark] {
    func scenarios(_ body: String) -> String {
      (1...1000).map { "scenario(\"test \($0)\", function()\n  \(body)\nend)\n" }.joined()
    }
    let todo = scenarios("todo.add('pen') expect.equal(#todo.items, 1)")
    let cart = scenarios("cart.add('pen', 1) expect.equal(#cart.items, 1)")
    func total(_ count: Int, _ source: String, _ options: [String] = []) async throws -> Duration {
      try await Self.total(count) {
        try await ScenarioCommand.test(source, ["--jobs", "1"] + options, cores: "0")
      }
    }
    return [
      Benchmark(
        "declared: 1,000 scenarios", limit: 1.3,
        measuredReference: { try await total($0, todo) },
        measuredOurs: { try await total($0, cart, LuaApp.shop.arguments) })
    ]
  }

  /// What a declared feature may take, whatever anything else takes.
  static func declaredTimeChecks() -> [TimeCheck] {
    [
      TimeCheck("declared: start with --app", limit: .milliseconds(2), of: \.least) {
        try await differences(
          20, { try await CommandInterpreter.program.start() },
          { try await CommandInterpreter.shop.start() })
      },
      TimeCheck("declared: replay 10,000 actions", limit: .milliseconds(100), of: \.least) {
        try await times(10) {
          try await measure(
            "store.jump(last)", count: 1, in: .shop,
            setup: """
              local first = store.position
              for i = 1, 10000 do cart.add('item ' .. i, i) end
              local last = store.position
              store.jump(first)
              """)
        }
      },
      // About a month of four years.
      TimeCheck("declared: report of 1,500 among 50,000", limit: .milliseconds(100), of: \.least) {
        try await times(10) {
          try await measure(
            """
            local amounts = {}
            local month = ledger.entries:where(function(entry) return entry.day:sub(1, 6) == "day 12" end)
            for _, entry in ipairs(month) do
              amounts[entry.day] = (amounts[entry.day] or 0) + entry.amount
            end
            """, count: 1, in: .ledger, setup: "ledger.fill(50000)")
        }
      },
      TimeCheck("declared: import 50,000 rows of CSV", limit: .milliseconds(1500), of: \.least) {
        try await times(5) {
          try await measure(
            "ledger.import(csv.decode(text))", count: 1, in: .ledger,
            setup: """
              local rows = { "day,amount" }
              for i = 1, 50000 do rows[i + 1] = ("day %d,%d.5"):format(i % 365, i) end
              local text = table.concat(rows, "\\n")
              """)
        }
      },
      TimeCheck("declared: open 10,000 actions", limit: .milliseconds(300), of: \.least) {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let state = ["--state", folder.path(of: "session.sqlite")]
        let session = CommandInterpreter.program(LuaApp.shop.arguments + state)
        let actions = "for i = 1, 9999 do cart.add('item ' .. i, i) end"
        _ = try await session.run(["-e", actions])
        return try await differences(
          10, { try await CommandInterpreter.shop.start() }, { try await session.start() })
      },
    ]
  }

  /// The time of a loop in a script of the command.
  private static func measure(
    _ body: String, count: Int, in command: CommandInterpreter, setup: String = ""
  ) async throws -> Duration {
    try await command.measure(
      """
      local count = tonumber((...))
      persons.add { name = "Ada", age = 36 }
      if cart then cart.add("pen", 1) end
      \(setup)
      collectgarbage()
      local start = os.clock()
      for i = 1, count do \(body) end
      return os.clock() - start
      """, count: count)
  }

  private static func times(
    _ count: Int, _ measure: () async throws -> Duration
  ) async rethrows -> [Duration] {
    var times: [Duration] = []
    for _ in 0..<count { times.append(try await measure()) }
    return times
  }

  /// How much longer than the least time of a reference something takes; both take turns.
  static func differences(
    _ count: Int, _ reference: () async throws -> Duration, _ ours: () async throws -> Duration
  ) async rethrows -> [Duration] {
    var (references, others): ([Duration], [Duration]) = ([], [])
    for _ in 0..<count {
      references.append(try await reference())
      others.append(try await ours())
    }
    let least = references.min() ?? .zero
    return others.map { $0 - least }
  }
}
