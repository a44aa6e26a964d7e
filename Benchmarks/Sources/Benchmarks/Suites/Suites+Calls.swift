internal import Lua

extension Suites {
  /// Functions, called in both directions.
  static func calls() throws -> [Benchmark] {
    [
      try .loop("call, 1 integer", limit: 1.5, setup: "local f = bench.successor", "f(i)"),
      try .loop("call, no argument", setup: "local f = bench.none", "f()"),
      try .loop("call, 3 integers", setup: "local f = bench.sum", "f(i, 2, 3)"),
      try .loop("call, string", setup: "local f = bench.greet", "f('the world of Lua')"),
      try .loop("module property, get", limit: 1.5, "local _ = bench.count"),
      try .loop("module property, set", limit: 1.5, "bench.count = i"),
      try callsOfLua(),
    ]
  }

  private static func callsOfLua() throws -> Benchmark {
    let name = "host calls Lua, 1 integer"
    let source = "return ... + 1"
    let plain = try PlainInterpreter().loadCallee(source)
    let state = try LuaState()
    let function = try state.load(source, name: .text("benchmark"))
    return Benchmark(
      name,
      reference: { count in
        guard plain(count) == sum(count) else { throw BenchmarkError.wrongResult(benchmark: name) }
      },
      ours: { count in
        let total = try withExtendedLifetime(state) { try callRepeatedly(function, count) }
        guard total == sum(count) else { throw BenchmarkError.wrongResult(benchmark: name) }
      })
  }

  /// Calls a function with every integer from 0 up to the count, and adds up what it returns.
  private static func callRepeatedly(_ function: LuaFunction, _ count: Int) throws -> Int64 {
    var total: Int64 = 0
    for number in 0..<count {
      if case .integer(let result)? = try function.call(number).first { total += result }
    }
    return total
  }

  /// The sum of the integers from 1 to the count.
  private static func sum(_ count: Int) -> Int64 { Int64(count) * Int64(count + 1) / 2 }
}
