extension Suites {
  /// Functions that wait; in plain C a coroutine that its driver resumes at once.
  static func waiting() throws -> [Benchmark] {
    let ready = LuaLoop.source(setup: "local wait = bench.wait", body: "wait(i)")
    let suspending = LuaLoop.source(setup: "local wait = bench.yield", body: "wait(i)")
    let plain = try PlainInterpreter().loadCoroutine(ready)
    let interpreter = try LibraryInterpreter()
    return [
      Benchmark(
        "async call, ready at once", reference: { plain($0) }, ours: try interpreter.loadTask(ready)
      ),
      Benchmark(
        "async call, suspends once", reference: { plain($0) },
        ours: try interpreter.loadTask(suspending)),
    ]
  }
}
