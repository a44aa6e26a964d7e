extension Suites {
  /// What must not make memory grow.
  static func memoryChecks() throws -> [MemoryCheck] {
    [
      try memoryCheck("calls", count: 10_000_000, "bench.successor(i)"),
      try memoryCheck("objects created and dropped", count: 1_000_000, "bench.account()"),
      try memoryCheck("async calls, ready at once", count: 100_000, "bench.wait(i)"),
      try memoryCheck("async calls that suspend", count: 100_000, "bench.yield(i)"),
    ]
  }

  private static func memoryCheck(_ name: String, count: Int, _ body: String) throws -> MemoryCheck
  {
    let interpreter = try LibraryInterpreter()
    let work = try interpreter.loadTask(LuaLoop.source(setup: "", body: body))
    return MemoryCheck(name, count: count, interpreter: interpreter, work: work)
  }
}
