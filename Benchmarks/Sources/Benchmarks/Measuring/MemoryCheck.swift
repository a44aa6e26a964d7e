internal import Lua

/// Work after which memory has to be what it was before.
@MainActor
struct MemoryCheck {
  let name: String

  /// How often the work is done.
  let count: Int

  private let interpreter: LibraryInterpreter
  private let work: Benchmark.Work

  init(
    _ name: String, count: Int, interpreter: LibraryInterpreter, work: @escaping Benchmark.Work
  ) {
    self.name = name
    self.count = count
    self.interpreter = interpreter
    self.work = work
  }

  /// Measures how many bytes Lua and the process have more after the work than before.
  ///
  /// - Parameter divisor: does only that part of the work.
  /// - Returns: the growth.
  /// - Throws: what the work throws.
  func growth(divisor: Int) async throws -> MemoryGrowth {
    let count = count / divisor
    // As much work before: what Lua and the allocator keep for reuse is then there already.
    try await work(count)
    let before = try memory()
    try await work(count)
    let after = try memory()
    return MemoryGrowth(
      count: count, lua: after.lua - before.lua, process: after.process - before.process)
  }

  private func memory() throws -> (lua: Int, process: Int) {
    // The second collection frees what finalizers held.
    try interpreter.state.collectGarbage()
    try interpreter.state.collectGarbage()
    return (try interpreter.state.memoryUsed(), try ResidentMemory.bytes())
  }
}
