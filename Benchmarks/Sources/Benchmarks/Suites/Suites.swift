/// All benchmarks, in the order they run: these lists are the place where one is added.
@MainActor
enum Suites {
  static func groups() throws -> [BenchmarkGroup] {
    [
      BenchmarkGroup(
        comparedWith: "plain C",
        try calls() + objects() + codable() + waiting() + states() + luaCode()),
      BenchmarkGroup(comparedWith: CommandInterpreter.lua.name, luaCommand()),
      BenchmarkGroup(comparedWith: CommandInterpreter.shell.name, starts()),
      BenchmarkGroup(comparedWith: "JSON", try json() + openings()),
      BenchmarkGroup(comparedWith: "no limit", try limits()),
      BenchmarkGroup(comparedWith: "1000 records", try scale()),
      BenchmarkGroup(comparedWith: "a store in Lua", try incrementingScripts()),
      BenchmarkGroup(comparedWith: "memory", sessions()),
      BenchmarkGroup(comparedWith: "psql", sharedSaves()),
      BenchmarkGroup(comparedWith: "file", sharedScripts()),
      BenchmarkGroup(comparedWith: "busted", scenarios()),
      BenchmarkGroup(comparedWith: "one job", scenarioJobs()),
      BenchmarkGroup(comparedWith: "Swift feature", declaredActions() + declaredScenarios()),
      BenchmarkGroup(comparedWith: "1,000 records", declaredScale()),
    ]
  }

  /// What may take a fixed time, whatever anything else takes.
  static func timeChecks(quick: Bool) -> [TimeCheck] {
    appTimeChecks(quick: quick) + sessionTimeChecks(quick: quick)
      + sharedTimeChecks(quick: quick) + scenarioTimeChecks()
      + promptTimeChecks() + declaredTimeChecks()
  }
}
