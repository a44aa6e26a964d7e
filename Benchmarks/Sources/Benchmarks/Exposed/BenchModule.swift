internal import Lua

/// The state of the module `bench`.
private final class Record {
  let step = 1
  var count = 0
}

extension LuaModule {
  /// The module `bench`: the same members as in Module.c.
  static func bench() -> LuaModule {
    let record = Record()
    let module = LuaModule("bench", help: "What the benchmarks call.")
    addFunctions(to: module, record)
    addAsyncFunctions(to: module)
    module.property("name", help: "The name.", example: "bench.name") { "bench" }
    module.property("step", help: "The step.", example: "bench.step") { record.step }
    module.property(
      "count", help: "A count.", example: "bench.count = 1",
      get: { record.count }, set: { record.count = $0 })
    return module
  }

  private static func addFunctions(to module: LuaModule, _ record: Record) {
    module.function("none", help: "Counts.", example: "bench.none()") { record.count &+= 1 }
    module.function("successor", "n", help: "The next integer.", example: "bench.successor(1)") {
      (n: Int) -> Int in n &+ record.step
    }
    module.function("sum", "a", "b", "c", help: "A sum.", example: "bench.sum(1, 2, 3)") {
      (a: Int, b: Int, c: Int) -> Int in a &+ b &+ c &+ record.step
    }
    module.function("echo", "text", help: "The text.", example: "bench.echo('a')") {
      (text: String) in text
    }
    module.function("greet", "name", help: "A greeting.", example: "bench.greet('you')") {
      (name: String) in "Hello, \(name)!"
    }
    module.function("account", help: "A new account.", example: "bench.account()") { Account() }
    module.function("meter", help: "A new meter.", example: "bench.meter()") { Meter() }
  }

  private static func addAsyncFunctions(to module: LuaModule) {
    module.asyncFunction("wait", "n", help: "Is ready at once.", example: "bench.wait(1)") {
      (n: Int) in { n }
    }
    module.asyncFunction("yield", "n", help: "Suspends once.", example: "bench.yield(1)") {
      (n: Int) in { await yielded(n) }
    }
  }

  private static func yielded(_ n: Int) async -> Int {
    await Task.yield()
    return n
  }
}
