internal import Lua

extension Suites {
  /// What limits cost that aren't reached.
  static func limits() throws -> [Benchmark] {
    try loops.flatMap { loop in
      [
        try limited("time limit, \(loop.name)", loop) { $0.limitTime(to: .seconds(3600)) },
        try limited("instruction limit, \(loop.name)", loop) {
          $0.limitInstructions(to: .max)
        },
      ]
    }
  }

  private static func limited(_ name: String, _ loop: LuaLoop, by limit: (LuaState) -> Void)
    throws -> Benchmark
  {
    let source = loop.measuringSource
    return Benchmark(
      "cost of \(name)",
      measuredReference: try Benchmark.inTurn { try LibraryInterpreter().loadMeasuring(source) },
      measuredOurs: try Benchmark.inTurn {
        let interpreter = try LibraryInterpreter()
        limit(interpreter.state)
        return try interpreter.loadMeasuring(source)
      })
  }
}
