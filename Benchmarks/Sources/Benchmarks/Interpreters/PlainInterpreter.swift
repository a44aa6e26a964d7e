internal import PlainC

/// A Lua state with the module `bench` bound by hand.
final class PlainInterpreter {
  let state: OpaquePointer

  init() throws {
    guard let state = plain_open() else { throw BenchmarkError.outOfMemory }
    self.state = state
  }

  deinit { plain_close(state) }

  /// Compiles a chunk; the result runs it with an integer.
  func load(_ source: String) -> (Int) -> Void {
    let chunk = plain_load(state, source)
    return { plain_run(self.state, chunk, Int64($0)) }
  }

  /// Compiles a chunk that measures itself; the result runs it with an integer.
  func loadMeasuring(_ source: String) -> (Int) -> Duration {
    let chunk = plain_load(state, source)
    return { .seconds(plain_run_measuring(self.state, chunk, Int64($0))) }
  }

  /// Compiles a chunk; the result runs it in a coroutine that is resumed whenever it waits.
  func loadCoroutine(_ source: String) -> (Int) -> Void {
    let chunk = plain_load(state, source)
    return { plain_run_resuming(self.state, chunk, Int64($0)) }
  }

  /// Compiles a chunk; the result calls it, with an integer and for an integer, a number of times.
  func loadCallee(_ source: String) -> (Int) -> Int64 {
    let function = plain_load(state, source)
    return { plain_call_repeatedly(self.state, function, Int64($0)) }
  }
}
