internal import CLuaTrampolines

/// What counts towards a limit of memory.
public enum CountedMemory: Sendable {
  /// The state's Lua objects.
  case luaObjects

  /// All that the process's heap grows by from now on: what the host keeps for scripts, too, such as the texts and records
  /// that they have it remember.
  ///
  /// For a process that runs one state, such as a command: what anything else in the process keeps counts as well.
  case process
}

/// What keeps Lua code within bounds. None costs anything when it isn't used.
extension LuaState {
  /// Makes what stops the state's code from outside, on any thread.
  ///
  /// - Throws: `state_closed`.
  public func interrupter() throws(LuaError) -> LuaInterrupter {
    LuaInterrupter(context: clua_get_context(try core.stack().pointer))
  }

  /// Limits how many instructions code may execute.
  ///
  /// Each function that Swift calls, runs or starts may execute so many, together with the tasks that it starts; then it
  /// is stopped, whatever it catches, with the error `instruction_limit`. The state can be used again at once. Counting
  /// makes Lua code about twice as slow. Instructions are counted by the hundred, and starting a coroutine counts as a
  /// hundred; what a function of the host or of a C library does isn't counted. Scripts can't set debug hooks then.
  ///
  /// - Parameter count: the limit, from the next function on; `nil` for none.
  public func limitInstructions(to count: Int?) {
    core.limits.instructions = count.map { Swift.max(0, $0) }
  }

  /// Limits how long code may take by the wall clock, its waits included.
  ///
  /// Each function that Swift calls, runs or starts may take so long, together with the tasks that it starts; then it is
  /// stopped, whatever it catches, with the error `time_limit`. The state can be used again at once. As an interrupt, it
  /// can't stop a function of the host or of a C library: the code stops when it returns.
  ///
  /// - Parameter time: the limit, from the next function on; `nil` for none.
  public func limitTime(to time: Duration?) { core.limits.time = time }

  /// Limits the memory that the state may take.
  ///
  /// Lua code that needs more gets the error `out_of_memory`, which it can catch, and the state goes on. What Swift makes
  /// in the state is never refused, but counts.
  ///
  /// - Parameters:
  ///   - bytes: the limit; `nil` for none.
  ///   - content: what counts. Measuring the process adds some nanoseconds to each call of a function of the host.
  /// - Throws: `state_closed`.
  public func limitMemory(to bytes: Int?, counting content: CountedMemory = .luaObjects)
    throws(LuaError)
  {
    let limit = bytes.map { Swift.max(0, $0) } ?? Int.max
    clua_limit_memory(
      clua_get_context(try core.stack().pointer), limit, bytes != nil && content == .process)
  }

  /// Looks whether the running code is to stop; for functions of the host that take long.
  ///
  /// - Throws: ``LuaError`` (`interrupted`, `time_limit` or `instruction_limit`) if it is: the function then ends, too;
  ///   `out_of_memory` where what it made doesn't fit in a limit that counts the process's memory; `state_closed`.
  public func checkStop() throws(LuaError) { try core.currentStack().checkStop() }

  /// How many bytes the state's Lua objects take.
  public func memoryUsed() throws(LuaError) -> Int {
    Int(clua_memory_used(clua_get_context(try core.stack().pointer)))
  }

  /// Collects all garbage at once.
  public func collectGarbage() throws(LuaError) {
    // A finalizer's errors don't get out of the collector: Lua turns them into warnings.
    clua_collect_garbage(try core.stack().pointer)
  }
}
