extension Suites {
  /// Code that calls nothing of the host.
  static func luaCode() throws -> [Benchmark] {
    let limit = 1.03
    return [
      try .loop(
        "Lua: fib(20)", limit: limit,
        setup: "local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end",
        "fib(20)"),
      try .loop("Lua: loop", limit: limit, setup: "local sum = 0", "sum = sum + i % 7"),
      try .loop(
        "Lua: tables", limit: limit,
        "local t = {}; for k = 1, 100 do t[k] = k end; table.sort(t, function(a, b) return a > b end)"
      ),
      try .loop(
        "Lua: strings", limit: limit,
        "local t = {}; for k = 1, 100 do t[k] = k .. '-' .. i end; return_value = table.concat(t)"),
    ]
  }
}
