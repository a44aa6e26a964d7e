extension LuaModule {
  /// The module `task`: functions that run beside each other.
  ///
  /// - Parameters:
  ///   - state: the state that the tasks belong to.
  ///   - clock: what `task.sleep` waits on.
  /// - Returns: the module, which is good for that state only.
  public static func task(for state: LuaState, clock: any Clock<Duration> = ContinuousClock())
    -> LuaModule
  {
    let core = state.core
    let module = LuaModule("task", help: "Functions that run beside each other and wait.")
    module.function(
      "spawn", "fn", "arguments",
      help: "Starts a function as a task, which runs until it first waits, and returns the task.",
      example: "local t = task.spawn(todo.fetch)"
    ) { [unowned core] (function: LuaFunction, arguments: LuaVariadic) in
      try core.scheduler.start(function, arguments.values)
    }
    module.asyncFunction(
      "sleep", "seconds", help: "Waits for a number of seconds.", example: "task.sleep(0.5)"
    ) { (seconds: Double) in { try await sleep(seconds, on: clock) } }
    return module
  }

  private static func sleep(_ seconds: Double, on clock: some Clock<Duration>) async throws {
    // A day's limit keeps the arithmetic of durations in range.
    guard (0...86_400).contains(seconds) else {
      throw LuaError(.numberOutOfRange, "task.sleep waits 0 to 86400 seconds, not \(seconds)")
    }
    try await clock.sleep(for: .seconds(seconds))
  }
}
