/// All benchmarks, in the order they run: this list is the place where one is added.
@MainActor
enum Suites {
  static func benchmarks() throws -> [Benchmark] {
    try calls() + objects() + waiting() + states() + luaCode()
  }
}
