extension Suites {
  /// Objects of the host.
  static func objects() throws -> [Benchmark] {
    let account = "local account = bench.account()"
    return [
      try .loop("method call", limit: 1.2, setup: account, "account:deposit(i)"),
      try .loop(
        "method call, methods only", limit: 1.2, setup: "local meter = bench.meter()",
        "meter:add(i)"),
      try .loop(
        "object property, get", limit: 1.5, setup: account, "local _ = account.balance"),
      try .loop("object property, set", limit: 1.5, setup: account, "account.balance = i"),
      try .loop("create and drop an object", setup: "local new = bench.account", "new()"),
    ]
  }
}
