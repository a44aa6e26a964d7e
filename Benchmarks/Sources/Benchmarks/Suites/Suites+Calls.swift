internal import Lua

extension Suites {
  /// Functions, called in both directions.
  static func calls() throws -> [Benchmark] {
    try [
      .loop("call, 1 integer", limit: 1.5, setup: "local f = bench.successor", "f(i)"),
      .loop("call, no argument", setup: "local f = bench.none", "f()"),
      .loop("call, 3 integers", setup: "local f = bench.sum", "f(i, 2, 3)"),
      .loop(
        "call, string passed back", limit: 1.5, setup: "local f = bench.echo",
        "f('the world of Lua')"),
      .loop("call, string interpolated", setup: "local f = bench.greet", "f('the world of Lua')"),
      .loop("module property, get", limit: 1.5, "local _ = bench.count"),
      .loop("module property, set", limit: 1.5, "bench.count = i"),
    ] + callsOfLua()
  }

  /// A Lua function that Swift calls, as most code does, and with all its results as Lua values.
  private static func callsOfLua() throws -> [Benchmark] {
    [
      try callOfLua("host calls Lua, 1 integer", limit: 2) { function, number in
        try function.call(number, as: Int.self)
      },
      try callOfLua("host calls Lua, any results") { function, number in
        guard case .integer(let result)? = try function.call(number).first else { return 0 }
        return Int(result)
      },
    ]
  }

  /// Calls a function with every integer from 0 up to the count, and adds up what it returns.
  private static func callOfLua(
    _ name: String, limit: Double? = nil,
    _ call: @escaping (LuaFunction, Int) throws -> Int
  ) throws -> Benchmark {
    let source = "return ... + 1"
    let plain = try PlainInterpreter().loadCallee(source)
    let state = try LuaState()
    let function = try state.load(source, name: .text("benchmark"))
    return Benchmark(
      name, limit: limit,
      reference: { count in
        guard plain(count) == sum(count) else { throw BenchmarkError.wrongResult(benchmark: name) }
      },
      ours: { count in
        var total: Int64 = 0
        try withExtendedLifetime(state) {
          for number in 0..<count { total += Int64(try call(function, number)) }
        }
        guard total == sum(count) else { throw BenchmarkError.wrongResult(benchmark: name) }
      })
  }

  /// The sum of the integers from 1 to the count.
  private static func sum(_ count: Int) -> Int64 { Int64(count) * Int64(count + 1) / 2 }
}
