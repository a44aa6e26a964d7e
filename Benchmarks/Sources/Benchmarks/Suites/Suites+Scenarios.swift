extension Suites {
  private static let trivialScenarios = (1...1000).map {
    "scenario(\"test \($0)\", function()\n  expect.equal(1 + 1, 2)\nend)\n"
  }.joined()

  private static let trivialTests =
    "describe(\"x\", function()\n"
    + (1...1000).map { "  it(\"test \($0)\", function()\n    assert.equals(2, 1 + 1)\n  end)\n" }
    .joined() + "end)\n"

  /// What fresh states cost, compared with tests that share one.
  static func scenarios() -> [Benchmark] {
    [
      Benchmark(
        "1,000 scenarios, one core", limit: 1,
        measuredReference: {
          try await total($0) { try await ScenarioCommand.busted(trivialTests, cores: "0") }
        },
        measuredOurs: {
          try await total($0) {
            try await ScenarioCommand.test(trivialScenarios, ["--jobs", "1"], cores: "0")
          }
        })
    ]
  }

  /// What a second process gains.
  static func scenarioJobs() -> [Benchmark] {
    [
      Benchmark(
        "1,000 scenarios, --jobs 2", limit: 0.6,
        measuredReference: {
          try await total($0) {
            try await ScenarioCommand.test(trivialScenarios, ["--jobs", "1"], cores: "0")
          }
        },
        measuredOurs: {
          try await total($0) {
            try await ScenarioCommand.test(trivialScenarios, ["--jobs", "2"], cores: "0,1")
          }
        })
    ]
  }

  /// What may take a fixed time more than a run of a scenario that does nothing.
  static func scenarioTimeChecks() -> [TimeCheck] {
    func check(_ name: String, limit: Duration, _ source: String) -> TimeCheck {
      TimeCheck("scenarios: \(name)", limit: limit, of: \.least) {
        try await differences(
          5, { try await ScenarioCommand.test("scenario(\"nothing\", function() end)") },
          { try await ScenarioCommand.test(source) })
      }
    }
    return [
      check(
        "an hour in 1,000 sleeps", limit: .milliseconds(50),
        """
        scenario("sleeps", function()
          for _ = 1, 1000 do task.sleep(3.6) end
          expect.near(clock.now(), 3600)
        end)
        """),
      check(
        "200 runs of 50 actions", limit: .seconds(1),
        """
        property("undo restores", { actions = { "counter", "favorites" }, runs = 200, length = 50 }, function(trace)
          local first = store.state()
          trace:run()
          store.undo(store.position)
          expect.equal(store.state(), first)
        end)
        """),
      check(
        "50 actions shrunk to 3", limit: .seconds(2),
        """
        property("shrinks", { actions = { "favorites" }, runs = 200, length = 50 }, function()
          invariant(function() return #favorites < 3 end)
        end)
        """),
    ]
  }

  static func total(
    _ count: Int, _ measure: () async throws -> Duration
  ) async rethrows -> Duration {
    var duration = Duration.zero
    for _ in 0..<count { duration += try await measure() }
    return duration
  }
}
