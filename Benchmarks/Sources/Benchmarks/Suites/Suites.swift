/// All benchmarks, in the order they run: this list is the place where one is added.
@MainActor
enum Suites {
  static func groups() throws -> [BenchmarkGroup] {
    [
      BenchmarkGroup(
        comparedWith: "plain C",
        try calls() + objects() + codable() + waiting() + states() + luaCode()),
      BenchmarkGroup(comparedWith: CommandInterpreter.name, try luaCommand()),
      BenchmarkGroup(comparedWith: "JSON", try json()),
      BenchmarkGroup(comparedWith: "no limit", try limits()),
      BenchmarkGroup(comparedWith: "1000 records", try scale()),
    ]
  }
}
