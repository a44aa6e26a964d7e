internal import Lua

/// A Lua state with the module `bench` bound by our library.
@MainActor
final class LibraryInterpreter {
  let state: LuaState

  init() throws {
    state = try LuaState()
    try state.setGlobal("bench", to: LuaModule.bench())
  }

  /// Compiles a chunk; the result runs it with an integer.
  func load(_ source: String) throws -> (Int) throws -> Void {
    let function = try state.load(source, name: .text("benchmark"))
    return { try self.call(function, $0) }
  }

  /// Keeps the state open for as long as someone holds the closure that calls this.
  private func call(_ function: LuaFunction, _ count: Int) throws { try function.call(count) }

  /// Compiles a chunk that measures itself; the result runs it with an integer.
  func loadMeasuring(_ source: String) throws -> (Int) throws -> Duration {
    let function = try state.load(source, name: .text("benchmark"))
    return { try self.measure(function, $0) }
  }

  private func measure(_ function: LuaFunction, _ count: Int) throws -> Duration {
    guard case .number(let seconds)? = try function.call(count).first else {
      throw BenchmarkError.wrongResult(benchmark: "a loop that measures itself")
    }
    return .seconds(seconds)
  }

  /// Compiles a chunk; the result runs it as a task.
  func loadTask(_ source: String) throws -> @MainActor (Int) async throws -> Void {
    let function = try state.load(source, name: .text("benchmark"))
    return { try await self.state.run(function, [$0]) }
  }
}
