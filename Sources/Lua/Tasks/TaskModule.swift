extension LuaModule {
  /// The module `task`: functions that run concurrently.
  public static func task(
    for state: LuaState, clock: any Clock<Duration> = TimerClock()
  ) -> LuaModule {
    LuaModule("task", help: "Tasks: functions that wait and run concurrently.") {
      [weak core = state.core] module in
      guard let core else { return }
      module.function(
        "spawn", "fn(...)", "arguments",
        help: "Starts a function as a task, which runs until it first waits, and returns the task.",
        example: "local t = task.spawn(print, \"hello\")"
      ) { [unowned core] (function: LuaFunction, arguments: LuaVariadic) in
        try core.scheduler.start(function, arguments.values)
      }
      module.asyncFunction(
        "sleep", "seconds", help: "Waits for a number of seconds.", example: "task.sleep(0.5)"
      ) { (seconds: Double) throws -> () async throws -> Void in
        let duration = try duration(seconds, for: "task.sleep")
        return { try await Scheduler.sleep(for: duration, on: clock) }
      }
      module.asyncFunction(
        "all", "tasks",
        help: "Waits for all tasks, and functions as tasks, and returns a table of their results.",
        example: "local r = task.all{a = function() return 1 end, b = t}"
      ) { [unowned core] (tasks: PlainTable) throws -> () async throws -> TaskResults in
        let group = try TaskGroup(tasks, in: core.scheduler)
        return { try await group.results() }
      }
      module.asyncFunction(
        "timeout", "seconds", "fn(...)", "arguments",
        help: "Calls a function that waits, and cancels it with an error at the time limit.",
        example: "task.timeout(2, function() task.sleep(1) end)"
      ) {
        [unowned core] (seconds: Double, function: LuaFunction, arguments: LuaVariadic) throws
          -> () async throws -> LuaVariadic in
        let duration = try duration(seconds, for: "task.timeout")
        let scheduler = core.scheduler
        let waiter = scheduler.current
        return {
          let task = try scheduler.start(function, arguments.values, awaitedBy: waiter)
          return LuaVariadic(
            try await scheduler.results(of: task, within: duration, on: clock, for: waiter))
        }
      }
    }
  }

  private static func duration(_ seconds: Double, for function: String) throws -> Duration {
    // A day's limit keeps the arithmetic of durations in range.
    guard (0...86_400).contains(seconds) else {
      throw LuaError(.numberOutOfRange, "\(function) needs 0 to 86400 seconds, not \(seconds)")
    }
    return .seconds(seconds)
  }
}

/// A clock that waits on its caller's actor, where `Clock.sleep` takes a detour through another thread.
package protocol DirectClock: Clock<Duration> {
  /// Throws `CancellationError` at once when the calling task is cancelled.
  func wait(for duration: Duration) async throws
}

extension Scheduler {
  fileprivate static func sleep(for duration: Duration, on clock: any Clock<Duration>) async throws
  {
    if let clock = clock as? any DirectClock {
      try await clock.wait(for: duration)
    } else {
      try await clock.sleep(for: duration)
    }
  }

  /// Waits for a task to end, and cancels it when it takes too long or the waiting is cancelled.
  ///
  /// - Throws: What the task raised, or `timeout`.
  fileprivate func results(
    of task: LuaTask, within limit: Duration, on clock: some Clock<Duration>, for waiter: LuaTask?
  ) async throws -> [LuaValue] {
    defer { waiter?.endAwaiting() }
    // Most calls end at once.
    guard task.outcome == nil else { return try await task.value() }
    var isOver = false
    let alarm = startOnActor {
      do {
        try await Self.sleep(for: limit, on: clock)
      } catch {
        // Cancelled: the task ended in time.
        return
      }
      isOver = true
      task.cancel()
    }
    defer { alarm?.cancel() }
    let results: Result<[LuaValue], any Error>
    do {
      results = .success(try await task.awaited(by: waiter))
    } catch {
      task.cancel()
      results = .failure(error)
    }
    guard !isOver else { throw LuaError(.timeout, "took longer than \(limit)") }
    return try results.get()
  }
}
