internal import CLua
internal import CLuaTrampolines

/// Runs a state's tasks: starts their coroutines, starts what they wait for, and delivers the results to them.
final class Scheduler: TaskRunner {
  private unowned let core: StateCore

  /// The state's actor, for code that may have left it.
  let owner: StateOwner
  private var tasks: [ObjectIdentifier: LuaTask] = [:]
  private var taskCount = 0
  private var numberedTaskCount = 0

  /// Tasks that failed and were never awaited, and the order of their failures.
  private var failed: [ObjectIdentifier: (order: Int, task: LuaTask)] = [:]
  private var failureCount = 0
  private(set) var current: LuaTask?

  /// Watches the operations that tasks wait for; `nil` unless the host asked for it.
  private var monitor: LuaWaitMonitor?

  /// The wait of the coroutine that is suspending.
  private var suspending: PendingWait?

  /// Waits whose operations start once the state's actor is known.
  private var unstarted: [PendingWait] = []

  /// The number of tasks that run, each started by the one before.
  private var depth = 0

  /// Lua counts the calls on the C stack only where Lua code starts the next task, not where `task.all` does.
  private static let maximumDepth = 50

  init(core: StateCore) {
    self.core = core
    owner = core.sharedOwner
  }

  /// Starts a task and runs it until it first waits, or ends; `waiter` is the task that waits for it.
  ///
  /// It throws `runtime_error` if tasks start each other endlessly.
  func start(
    _ function: LuaFunction, _ arguments: [any LuaPushable], awaitedBy waiter: LuaTask? = nil
  ) throws(LuaError) -> LuaTask {
    guard depth < Self.maximumDepth else {
      throw LuaError(.runtime, "too many nested tasks start each other without waiting")
    }
    return try core.withStack { stack throws(LuaError) in
      guard let coroutine = lua_newthread(stack.pointer) else {
        throw LuaError(.outOfMemory, "not enough memory for a coroutine")
      }
      taskCount += 1
      let task = LuaTask(popping: stack, coroutine: coroutine, order: taskCount)
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

  var runningTasks: [LuaTask] { tasks.values.sorted { $0.order < $1.order } }

  /// Numbers a task that a user sees: not those of inputs, which end before the next.
  func makeTaskNumber() -> Int {
    numberedTaskCount += 1
    return numberedTaskCount
  }

  func stopAll() {
    for task in tasks.values { task.stop(for: clua_stop_interrupt) }
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
    unstarted = []
    (core.owner as? HomeActor)?.finishCancelled()
  }

  /// Runs a task until it ends, or waits for something that isn't available at once.
  private func run(_ task: LuaTask, argumentCount: Int32) {
    guard let coroutine = task.coroutine else { return }
    let context = clua_get_context(coroutine.pointer)
    // A finalizer may start a task while the coroutine of another one is suspending.
    let outer = (task: current, budget: core.budget, suspending: suspending)
    current = task
    core.budget = task.budget
    suspending = nil
    depth += 1
    core.beginUse()
    defer {
      depth -= 1
      current = outer.task
      core.budget = outer.budget
      suspending = outer.suspending
      core.endUse()
    }
    while true {
      task.enterContexts()
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
        clua_clear_wait(context)
        guard let wait = suspending else { return }
        suspending = nil
        guard clua_get_stop(context) == clua_stop_none else {
          // Interrupted after its last instruction: it continues only to be stopped.
          wait.cancel()
          clua_deliver(wait.stack.pointer, 0, false)
          continue
        }
        guard wait.result != nil else { return task.suspend(for: wait) }
        clua_deliver(wait.stack.pointer, 0, false)
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

  func wait(
    on stack: LuaStack, in function: String, for operation: @escaping WaitingOperation
  ) throws -> Int32 {
    guard let task = current else {
      throw LuaError(.cannotWait, "\(function) waits, and no task runs that could be suspended")
    }
    // Also for an operation that ends at once: code does the same with a stub as with a service.
    try task.leaveContexts()
    defer { if suspending == nil { task.enterContexts() } }
    let bottom = stack.count
    var wait = PendingWait(of: task, in: function, on: stack, self, operation)
    if let owner = core.owner, (owner as? HomeActor)?.hasState != false {
      wait.start(on: owner, isOnActor: true)
      if !wait.hasBegun {
        wait.refuse()
        // Code that isn't a Swift task's, such as a job of the main queue, may be on the actor, and Swift not know it.
        guard withUnsafeCurrentTask(body: { $0 == nil }) else { throw Self.otherActor }
        wait = PendingWait(of: task, in: function, on: stack, self, operation)
        wait.start(on: owner, isOnActor: false)
      }
    } else {
      unstarted.append(wait)
    }
    if let result = wait.result {
      if task.stopReason == clua_stop_none { return try result.get() }
      // The task is to be stopped, and stops when it continues.
      lua_settop(stack.pointer, bottom)
    }
    suspending = wait
    return Int32(CLUA_WAIT)
  }

  func resume(_ wait: PendingWait, with result: Result<Int32, any Error>, above bottom: Int32) {
    wait.task.resume()
    switch result {
    case .success(let count): clua_deliver(wait.stack.pointer, count, false)
    case .failure(let error): deliver(error, to: wait.stack, above: bottom)
    }
    run(wait.task, argumentCount: 0)
  }

  /// Sets the monitor of the operations that start from now on.
  func monitor(with monitor: LuaWaitMonitor) {
    self.monitor?.end()
    self.monitor = monitor
  }

  // MARK: - Actors

  /// Assigns the state to the actor of the code that is about to wait for its tasks, or to one of its own where that
  /// code has none.
  ///
  /// While tasks wait on one of its own, it stays there: code on another actor lends it the state while it waits.
  ///
  /// - Throws: `off_actor` if tasks wait on another actor.
  func adopt(_ isolation: (any Actor)?) throws(LuaError) {
    if core.owner == nil || !isOwner(isolation) {
      if core.owner == nil || (!owner.hasOperations && monitor == nil) {
        core.setOwner(isolation ?? HomeActor(), isOwn: isolation == nil)
      } else if !(core.owner is HomeActor) {
        throw Self.otherActor
      }
    }
    guard !unstarted.isEmpty, let actor = core.owner else { return }
    let waits = unstarted
    unstarted = []
    for wait in waits { wait.start(on: actor, isOnActor: false) }
  }

  /// Whether the state belongs to an actor; to one of its own for `nil`.
  private func isOwner(_ isolation: (any Actor)?) -> Bool {
    isolation == nil ? core.owner is HomeActor : core.owner === isolation
  }

  /// Does something on the state's actor, for code that waits for it.
  func perform<Value>(
    from isolation: (any Actor)?, _ body: () async throws(LuaError) -> Value
  ) async throws(LuaError) -> Value {
    try adopt(isolation)
    guard let home = core.owner as? HomeActor else { return try await body() }
    // Other code of that actor must find meanwhile that it doesn't have the state.
    if isolation != nil { owner.beginOperation() }
    defer { if isolation != nil { owner.endOperation() } }
    return try await home.lend {
      do throws(LuaError) {
        return Result<Value, LuaError>.success(try await body())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Starts an operation beside that of a function that waits; called on the state's actor.
  func startOnActor(_ operation: @escaping () async -> Void) -> Task<Void, Never>? {
    guard let owner = core.owner else { return nil }
    guard let identity else { return ImmediateTask.start(on: owner, operation) }
    return ImmediateTask.start(on: owner) {
      await LuaOperation.$current.withValue(identity, operation: operation)
      identity.end()
    }
  }

  /// The identity of a new operation to its monitor; `nil` if nothing watches it.
  ///
  /// Without a monitor of its own, a state is watched by that of the operation whose code runs it. That operation would
  /// otherwise pass for waiting when it awaits a task here, although what the task waits for works.
  var identity: LuaOperation? {
    let monitor = monitor ?? (LuaWaitMonitor.isAnyUsed ? LuaOperation.current?.monitor : nil)
    return monitor?.beginOperation()
  }

  func isOnActor() -> Bool {
    guard let owner = owner.actor else { return true }
    if let home = owner as? HomeActor, !home.hasState { return !home.isPerforming }
    return ImmediateTask.runs(on: owner)
  }

  func performLater(_ body: @escaping () -> Void) {
    if let owner = owner.actor { ImmediateTask.start(on: owner) { body() } }
  }

  func returnToActor() async {
    if let owner = owner.actor { await ImmediateTask.hop(to: owner) }
  }

  private static var otherActor: LuaError {
    LuaError(
      .offActor,
      "the state's tasks wait on another actor than the code that uses the state now; in Swift 6.3 an async closure with a "
        + "capture list leaves its actor, and so does a local function")
  }

  static func offActor(_ function: String) -> LuaError {
    LuaError(
      .offActor,
      "\(function) left the state's actor: Swift 6.3 doesn't run an async closure with a capture list there, nor a local "
        + "function; write the list at the closure around it, or a closure instead of the function")
  }

  private func deliver(_ error: any Error, to waiter: LuaStack, above bottom: Int32) {
    lua_settop(waiter.pointer, bottom)
    _ = waiter.raise(error)
    clua_deliver(waiter.pointer, 1, true)
  }

  private func end(_ task: LuaTask, with outcome: Result<[LuaValue], LuaError>) {
    tasks[ObjectIdentifier(task)] = nil
    task.end(with: outcome)
    recordFailure(of: task)
  }

  /// Keeps a task that failed unobserved.
  func recordFailure(of task: LuaTask) {
    guard case .failure(let error) = task.outcome, !error.is(.cancelled), !task.isObserved else {
      return
    }
    failureCount += 1
    failed[ObjectIdentifier(task)] = (failureCount, task)
  }
}

extension StateCore {
  var scheduler: Scheduler {
    if let scheduler = taskRunner as? Scheduler { return scheduler }
    let scheduler = Scheduler(core: self)
    taskRunner = scheduler
    return scheduler
  }
}
