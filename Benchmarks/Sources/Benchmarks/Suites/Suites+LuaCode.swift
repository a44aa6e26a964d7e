extension Suites {
  /// What our states may take longer than others for the same Lua code.
  private static let limit = 1.03

  /// Loops that don't call the host.
  static let loops = [
    LuaLoop(
      name: "fib(20)",
      setup: "local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end",
      body: "fib(20)"),
    LuaLoop(name: "loop", setup: "local sum = 0", body: "sum = sum + i % 7"),
    LuaLoop(
      name: "tables", setup: "",
      body: """
        local t = {}; for k = 1, 100 do t[k] = k end; table.sort(t, function(a, b) return a > b end)
        """),
    LuaLoop(
      name: "strings", setup: "",
      body: "local t = {}; for k = 1, 100 do t[k] = k .. '-' .. i end; text = table.concat(t)"),
  ]

  /// Loops in a plain state and in ours, in the same process.
  static func luaCode() throws -> [Benchmark] {
    try loops.map { loop in
      let source = loop.measuringSource
      return Benchmark(
        "Lua: \(loop.name)", limit: limit,
        measuredReference: try Benchmark.inTurn { try PlainInterpreter().loadMeasuring(source) },
        measuredOurs: try Benchmark.inTurn { try LibraryInterpreter().loadMeasuring(source) })
    }
  }

  /// Loops in the `lua5.4` command and in ours, as `make build` makes it.
  static func luaCommand() -> [Benchmark] {
    loops.map { loop in
      let source = loop.measuringSource
      return Benchmark(
        "\(CommandInterpreter.lua.name): \(loop.name)", limit: limit,
        measuredReference: { try await CommandInterpreter.lua.measure(source, count: $0) },
        measuredOurs: { try await CommandInterpreter.program.measure(source, count: $0) })
    }
  }

  /// A run of code that does nothing, compared with one of a shell.
  static func starts() -> [Benchmark] {
    [
      Benchmark(
        "start of -e ''", limit: 4,
        measuredReference: { try await total($0) { try await CommandInterpreter.shell.start() } },
        measuredOurs: { try await total($0) { try await CommandInterpreter.program.start() } })
    ]
  }
}
