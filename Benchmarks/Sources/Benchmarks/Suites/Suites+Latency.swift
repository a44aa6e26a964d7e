extension Suites {
  /// Code that must stop in time, even if it tries to continue.
  private static let endlessLoops = [
    ("empty loop", "stopwatch.start() while true do end"),
    ("loop of pcall", "stopwatch.start() \(catching)"),
    ("coroutine", "coroutine.wrap(function() stopwatch.start() \(catching) end)()"),
    ("metamethod", "local _ = setmetatable({}, {__index = \(function)}).field"),
    ("__gc", "setmetatable({}, {__gc = \(function)}) collectgarbage()"),
    ("__close", "do local x <close> = setmetatable({}, {__close = \(function)}) end"),
    ("strings", "stopwatch.start() local s = '' while true do s = s .. 'x' end"),
    ("host calls", "stopwatch.start() while true do bench.none() end"),
  ]

  private static let catching = "while true do pcall(function() while true do end end) end"
  private static let function = "function() stopwatch.start() while true do end end"

  /// Each of these loops, stopped by each means.
  static func latencyChecks() -> [LatencyCheck] {
    LatencyCheck.Means.allCases.flatMap { means in
      endlessLoops.map { name, source in LatencyCheck(name, source, stoppedBy: means) }
    }
  }
}
