internal import CLua
internal import CLuaTrampolines

/// Runs a state's tasks: starts their coroutines, starts what they wait for, and delivers the results to them.
final class Scheduler: TaskRunner {
  private unowned let core: StateCore
  private var tasks: [ObjectIdentifier: LuaTask] = [:]
  private var taskCount = 0

  /// Tasks that failed and were never awaited, and the order of their failures.
  private var failed: [ObjectIdentifier: (order: Int, task: LuaTask)] = [:]
  private var failureCount = 0
  private(set) var current: LuaTask?

  /// Watches the operations that tasks wait for; `nil` unless the host asked for it.
  private var monitor: LuaWaitMonitor?

  /// The number of tasks that run, each started by the one before.
  private var depth = 0

  /// Lua counts the calls on the C stack only where Lua code starts the next task, not where `task.all` does.
  private static let maximumDepth = 100

  init(core: StateCore) { self.core = core }

  /// Starts a task and runs it until it first waits, or ends; `waiter` is the task that waits for it.
  ///
  /// It throws `runtime_error` if tasks start each other endlessly.
  func start(
    _ function: LuaFunction, _ arguments: [any LuaPushable], awaitedBy waiter: LuaTask? = nil
  ) throws(LuaError) -> LuaTask {
    guard depth < Self.maximumDepth else {
      throw LuaError(.runtime, "too many nested tasks start each other without waiting")
    }
    let stack = try core.currentStack()
    try stack.reserve(4)
    guard let coroutine = lua_newthread(stack.pointer) else {
      throw LuaError(.outOfMemory, "not enough memory for a coroutine")
    }
    taskCount += 1
    let task = LuaTask(popping: stack, coroutine: coroutine, number: taskCount)
    let own = LuaStack(coroutine)
    try own.reserve(Int32(clamping: arguments.count + 2))
    try function.push(to: own)
    var argumentCount: Int32 = 0
    for argument in arguments { argumentCount += try argument.pushResults(to: own) }
    task.budget = core.makeBudget()
    tasks[ObjectIdentifier(task)] = task
    waiter?.startAwaiting(task)
    run(task, argumentCount: argumentCount)
    return task
  }

  /// Waits for all tasks to end, and returns the failures that were never awaited.
  func finish() async -> [LuaError] {
    while let task = tasks.values.first {
      // Waiting for all tasks doesn't count as observing the end of each.
      await task.ended()
      if Task.isCancelled { stopAll() }
    }
    return takeFailures()
  }

  /// The failures of ended tasks that were never awaited, in the order they happened; each is returned once.
  func takeFailures() -> [LuaError] {
    let ended = failed.values.sorted { $0.order < $1.order }
    failed = [:]
    return ended.compactMap { _, task in
      guard case .failure(let error) = task.outcome else { return nil }
      return error
    }
  }

  /// The tasks that haven't ended, in the order of their starts.
  var runningTasks: [LuaTask] { tasks.values.sorted { $0.number < $1.number } }

  func stopAll() {
    for task in tasks.values { task.stop() }
  }

  func stopOverdue() {
    for task in tasks.values where task.budget?.isOverdue == true { task.stop(for: clua_stop_time) }
  }

  /// The running task, which is about to wait for others.
  ///
  /// - Throws: `cannot_wait` if one of them is that task, or waits for it.
  func waiter(for tasks: [LuaTask]) throws(LuaError) -> LuaTask? {
    guard let current else { return nil }
    if tasks.contains(where: { $0 === current }) {
      throw LuaError(.cannotWait, "a task can't wait for itself")
    }
    guard current.awaiterCount > 0 else { return current }
    // Each task is visited once, however many tasks wait for it.
    var seen: Set<ObjectIdentifier> = []
    var unseen = tasks
    while let task = unseen.popLast() {
      guard task !== current else {
        throw LuaError(
          .cannotWait, "a task can't wait for a task that waits for it: neither would ever end")
      }
      if seen.insert(ObjectIdentifier(task)).inserted { unseen += task.awaited }
    }
    return current
  }

  func forgetFailure(of task: LuaTask) { failed[ObjectIdentifier(task)] = nil }

  func cancelAll() {
    monitor?.end()
    monitor = nil
    let error = LuaError(.stateClosed, "the Lua state was closed while the task waited")
    for task in tasks.values {
      task.cancel()
      task.end(with: .failure(error))
    }
    tasks = [:]
    failed = [:]
  }

  /// Runs a task until it ends, or waits for something that isn't available at once.
  private func run(_ task: LuaTask, argumentCount: Int32) {
    guard let coroutine = task.coroutine else { return }
    let context = clua_get_context(coroutine.pointer)
    let outer = (task: current, budget: core.budget)
    current = task
    core.budget = task.budget
    depth += 1
    defer {
      depth -= 1
      current = outer.task
      core.budget = outer.budget
    }
    while true {
      if task.stopReason != clua_stop_none { clua_stop_next(context, task.stopReason) }
      var resultCount: Int32 = 0
      let status = clua_resume(
        coroutine.pointer, clua_get_running(context), argumentCount, &resultCount)
      switch status {
      case LUA_OK:
        let outcome = takeResults(resultCount, of: coroutine)
        clua_end(coroutine.pointer)
        return end(task, with: outcome)
      case LUA_YIELD:
        clua_take_wait(context)
        guard let request = core.waitRequest else { return }
        core.waitRequest = nil
        guard clua_get_stop(context) == clua_stop_none else {
          // Interrupted after its last instruction: it continues only to be stopped.
          deliver(.failure(LuaError(.interrupted, "interrupted")), to: request.waiter)
          continue
        }
        // What it starts may close the state.
        guard let result = start(request, for: task), task.outcome == nil else { return }
        deliver(result, to: request.waiter)
      default:
        let isInterrupted = clua_get_stop(context) == clua_stop_interrupt
        var failure = coroutine.popFailure(status: status)
        // Stopping a single task stops no other.
        failure.stopsWaiter =
          isInterrupted && (task.stopReason == clua_stop_none || task.stopsWithAwaited)
        clua_end(coroutine.pointer)
        return end(task, with: .failure(failure))
      }
    }
  }

  /// Pops a finished coroutine's results, which leaves it dead to scripts that refer to it.
  private func takeResults(_ count: Int32, of coroutine: LuaStack) -> Result<[LuaValue], LuaError> {
    Result { () throws(LuaError) in
      try coroutine.reserve(4)
      defer { coroutine.pop(count) }
      return coroutine.values(above: coroutine.count - count)
    }
  }

  /// Starts what a task waits for; returns the result if it is available at once, else `nil`: the task then continues
  /// later.
  private func start(_ request: WaitRequest, for task: LuaTask) -> Result<PushResults, any Error>? {
    let progress = WaitProgress()
    // No capture list: with one, the compiler (Swift 6.3) takes the closure off the actor.
    let operation = launch {
      // The operation of a cancelled task is cancelled from its start.
      if task.isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      let result: Result<PushResults, any Error>
      do {
        result = .success(try await request.operation())
      } catch {
        if let error = error as? LuaError, error.stopsWaiter { task.stopWithAwaited() }
        result = .failure(error)
      }
      guard progress.isStarted else {
        progress.result = result
        return
      }
      // The state may have been closed; then its tasks have ended.
      guard task.outcome == nil else { return }
      task.finishWaiting()
      self.deliver(result, to: request.waiter)
      self.run(task, argumentCount: 0)
    }
    guard let operation else {
      return .failure(Self.noActor)
    }
    progress.isStarted = true
    if let result = progress.result { return result }
    task.wait(for: operation, in: request.function)
    return nil
  }

  /// Starts an operation on the state's actor at once, and runs it until it first suspends; `nil` without an actor.
  ///
  /// Called on that actor.
  func launch(_ operation: @escaping () async -> Void) -> Task<Void, Never>? {
    guard let owner = core.owner else { return nil }
    // Without a monitor of its own, a state is watched by that of the operation whose code runs it. That operation
    // would otherwise pass for waiting when it awaits a task here, although what the task waits for works.
    let monitor = monitor ?? LuaOperation.current?.monitor
    return start(operation, as: monitor?.beginOperation(), on: owner)
  }

  /// Has a monitor watch the operations that start from now on.
  func monitor(with monitor: LuaWaitMonitor) {
    self.monitor?.end()
    self.monitor = monitor
  }

  static var noActor: LuaError {
    LuaError(.cannotWait, "the Lua state was created outside any actor, so it can't wait")
  }

  /// Starts an operation as a task of an actor, on which the caller runs already.
  ///
  /// - Parameters:
  ///   - operation: What to do.
  ///   - identity: What the monitor knows the operation as; `nil` if nothing watches it.
  ///   - owner: The actor.
  /// - Returns: The task.
  private func start(
    _ operation: @escaping () async -> Void, as identity: LuaOperation?, on owner: some Actor
  ) -> Task<Void, Never> {
    // Safe: the state lives on this actor, so its caller runs there now, and the task runs there too.
    nonisolated(unsafe) let operation = operation
    return owner.assumeIsolated { owner in
      Task.immediate {
        // Without the actor in each closure, the closure would leave it.
        _ = owner
        guard let identity else { return await operation() }
        await LuaOperation.$current.withValue(identity) {
          _ = owner
          await operation()
        }
        identity.end()
      }
    }
  }

  /// Puts an operation's results, or its error, on the stack of the coroutine that waited.
  private func deliver(_ result: Result<PushResults, any Error>, to waiter: LuaStack) {
    let bottom = waiter.count
    do {
      let count = try result.get()(waiter)
      clua_deliver(waiter.pointer, count, false)
    } catch {
      lua_settop(waiter.pointer, bottom)
      _ = waiter.raise(error)
      clua_deliver(waiter.pointer, 1, true)
    }
  }

  private func end(_ task: LuaTask, with outcome: Result<[LuaValue], LuaError>) {
    tasks[ObjectIdentifier(task)] = nil
    task.end(with: outcome)
    noteFailure(of: task)
  }

  /// Keeps a task that failed unobserved.
  func noteFailure(of task: LuaTask) {
    guard case .failure(let error) = task.outcome, !error.is(.cancelled), !task.isObserved else {
      return
    }
    failureCount += 1
    failed[ObjectIdentifier(task)] = (failureCount, task)
  }
}

extension StateCore {
  /// The scheduler, made on first use.
  var scheduler: Scheduler {
    if let scheduler = taskRunner as? Scheduler { return scheduler }
    let scheduler = Scheduler(core: self)
    taskRunner = scheduler
    return scheduler
  }
}

/// Whether a launched operation still runs within the call that launched it, and its result if it ended there.
private final class WaitProgress {
  var isStarted = false
  var result: Result<PushResults, any Error>?
}
