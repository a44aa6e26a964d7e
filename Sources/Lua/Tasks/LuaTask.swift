internal import CLua
internal import CLuaTrampolines

/// A Lua function that runs in its own coroutine, and may wait.
///
/// Tasks of one state take turns: one runs until it waits or ends.
public final class LuaTask: LuaExposed {
  /// The states of a task.
  public enum Status: String, Sendable {
    /// It runs now, or is about to continue.
    case running
    /// It waits for something.
    case waiting
    /// It returned.
    case done
    /// It raised an error.
    case failed
    /// It was cancelled.
    case cancelled
  }

  private let core: StateCore

  /// The order of the task's start among those of its state.
  let order: Int

  /// The number by which users know the task; the first of a state that is asked for one gets 1.
  package private(set) lazy var number = core.scheduler.makeTaskNumber()

  package let startTime = ContinuousClock.now
  /// The name of the function that the task waits in, such as "todo.fetch"; `nil` while it doesn't wait.
  package var waitingFunction: String? { pendingWait?.function }

  /// The task's own coroutine, kept alive until the task ends.
  private(set) var coroutine: LuaStack?
  private var reference: RegistryReference?

  private(set) var outcome: Result<[LuaValue], LuaError>?
  /// Whether it was cancelled, although it may not have ended yet.
  package private(set) var isCancelled = false

  /// The reason to stop the task, whatever it catches.
  private(set) var stopReason = clua_stop_none

  /// What is in effect while the task runs, the innermost last.
  private var contexts: [any LuaTaskContext] = []
  /// Whether the contexts aren't in effect, as the task waits.
  private var hasLeftContexts = false

  /// The task's remaining budget; `nil` where nothing is limited.
  var budget: Budget?

  /// The number of observers of the task's end: those who have seen it, and those who wait for it.
  private var observerCount = 0

  /// Called when the task ends, in the order of their numbers.
  private var endHandlers: [Int: () -> Void] = [:]
  private var endHandlerCount = 0

  /// The tasks that this one awaits; none of them awaits this one.
  private(set) var awaited: [LuaTask] = []
  private(set) var awaiterCount = 0

  /// The number of tasks that this one awaits together, and of those that have ended; `nil` unless it awaits several.
  package var progress: (ended: Int, count: Int)? {
    awaited.count > 1 ? (awaited.count { $0.outcome != nil }, awaited.count) : nil
  }

  /// Whether an interrupt of what the task awaited stops the task, too.
  private(set) var stopsWithAwaited = false
  private var pendingWait: PendingWait?

  init(popping stack: LuaStack, coroutine: OpaquePointer, order: Int) {
    core = stack.core
    self.order = order
    self.coroutine = LuaStack(coroutine)
    reference = stack.makeReference()
  }

  /// The task's state.
  public var status: Status {
    switch outcome {
    case nil: pendingWait == nil ? .running : .waiting
    case .success: .done
    case .failure(let error): error.is(.cancelled) ? .cancelled : .failed
    }
  }

  /// Cancels what the task waits for, which raises `cancelled` in it; without effect once it has ended.
  public func cancel() { core.performOnActor { self.cancelHere() } }

  private func cancelHere() {
    isCancelled = true
    pendingWait?.cancel()
  }

  /// Stops the task where it waits, whatever it catches: it ends with `interrupted`.
  public func stop() { core.performOnActor { self.stop(for: clua_stop_interrupt) } }

  func stop(for reason: clua_stop) {
    if stopReason == clua_stop_none { stopReason = reason }
    cancelHere()
  }

  /// The task's results, when it has ended.
  ///
  /// If the calling Swift task is cancelled, the Lua task is stopped.
  ///
  /// - Throws: What the task raised; `off_actor` if the state's tasks wait on another actor than the calling code's.
  public func value() async throws(LuaError) -> [LuaValue] {
    try await value(whenCancelled: { $0.stop() })
  }

  /// The task's results, as ``value()`` returns them, but if the calling Swift task is cancelled, the Lua task is
  /// cancelled: it can catch that, and its to-be-closed variables are closed.
  package func valueOrCancellation() async throws(LuaError) -> [LuaValue] {
    try await value(whenCancelled: { $0.cancel() })
  }

  private func value(whenCancelled end: (LuaTask) -> Void) async throws(LuaError) -> [LuaValue] {
    observe()
    if outcome == nil {
      try await core.scheduler.perform(from: #isolation) { await self.ended(whenCancelled: end) }
    }
    return try result.get()
  }

  /// Waits as ``value()`` does, but leaves the task alone when only the waiting is cancelled.
  ///
  /// - Throws: What the task raised, or `CancellationError`.
  func awaited(by waiter: LuaTask?) async throws -> [LuaValue] {
    observe()
    if outcome == nil {
      waiter?.startAwaiting(self)
      defer { waiter?.endAwaiting() }
      await untilEndedOrCancelled()
      if Task.isCancelled {
        stopObserving()
        throw CancellationError()
      }
      return try result.get()
    }
    do {
      return try result.get()
    } catch {
      // It ended before the running code waited for it.
      var error = error
      error.stopsWaiter = false
      throw error
    }
  }

  /// Records that this task awaits another one, which doesn't await this one.
  func startAwaiting(_ task: LuaTask) {
    awaited.append(task)
    task.awaiterCount += 1
  }

  func endAwaiting() {
    for task in awaited { task.awaiterCount -= 1 }
    awaited = []
  }

  /// Stops the task, whatever it catches: an interrupt stopped what it awaited, as if the task had called that.
  func stopWithAwaited() {
    stopsWithAwaited = true
    stop()
  }

  /// Counts an observer of how the task ends; a failure then isn't reported again.
  func observe() {
    observerCount += 1
    core.scheduler.forgetFailure(of: self)
  }

  private func stopObserving() {
    observerCount -= 1
    core.scheduler.recordFailure(of: self)
  }

  var isObserved: Bool { observerCount > 0 }

  /// Calls a function when the task has ended, or at once if it has; returns a function that cancels this.
  @discardableResult
  package func whenEnded(_ handler: @escaping () -> Void) -> () -> Void {
    guard outcome == nil else {
      handler()
      return {}
    }
    endHandlerCount += 1
    let number = endHandlerCount
    endHandlers[number] = handler
    return { [weak self] in self?.endHandlers[number] = nil }
  }

  fileprivate var result: Result<[LuaValue], LuaError> {
    outcome ?? .failure(LuaError(.stateClosed, "the Lua state is closed"))
  }

  /// Returns when the task has ended, and stops it if the calling Swift task is cancelled.
  ///
  /// Unlike ``value()``, it doesn't count as having seen how the task ended.
  package func ended(whenCancelled end: (LuaTask) -> Void = { $0.stop() }) async {
    guard outcome == nil else { return }
    await untilEndedOrCancelled()
    guard outcome == nil else { return }
    end(self)
    let operation = LuaOperation.current
    operation?.beginWaiting()
    await withCheckedContinuation { continuation in
      whenEnded {
        operation?.endWaiting()
        continuation.resume()
      }
    }
  }

  /// Returns at once when the calling Swift task is cancelled.
  private func untilEndedOrCancelled() async {
    let suspension = LuaSuspension()
    let forget = whenEnded { suspension.end() }
    defer { forget() }
    await suspension.wait()
  }

  func suspend(for wait: PendingWait) {
    pendingWait = wait
    if isCancelled { wait.cancel() }
  }

  /// Whether the task has suspended for a wait, and is to continue when that ends.
  func waits(for wait: PendingWait) -> Bool { pendingWait === wait }

  /// Records that the task continues.
  func resume() { pendingWait = nil }

  /// Leaves all contexts, as the task begins to wait.
  ///
  /// - Throws: The problem of the first that can't be left; all are left then, too.
  func leaveContexts() throws {
    guard !contexts.isEmpty, !hasLeftContexts else { return }
    hasLeftContexts = true
    var problem: (any Error)?
    for context in contexts.reversed() {
      do {
        try context.leave()
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
  }

  func enterContexts() {
    guard hasLeftContexts else { return }
    hasLeftContexts = false
    for context in contexts { context.enter() }
  }

  /// Whether a stack is that of the task's own coroutine, and not of one that its code has made.
  package func owns(_ stack: LuaStack) -> Bool { coroutine?.pointer == stack.pointer }

  /// Adds a context that is in effect.
  package func add(_ context: some LuaTaskContext) { contexts.append(context) }

  package func remove(_ context: some LuaTaskContext) {
    // Contexts end in the opposite order.
    if contexts.last === context {
      contexts.removeLast()
    } else {
      contexts.removeAll { $0 === context }
    }
  }

  func end(with outcome: Result<[LuaValue], LuaError>) {
    self.outcome = outcome
    pendingWait = nil
    coroutine = nil
    reference = nil
    budget = nil
    if !contexts.isEmpty {
      let isFailed = if case .failure = outcome { true } else { false }
      for context in contexts.reversed() { context.end(isFailed: isFailed) }
      contexts = []
    }
    let handlers = endHandlers.sorted { $0.key < $1.key }
    endHandlers = [:]
    for (_, handler) in handlers { handler() }
  }

  /// "task".
  public static var luaTypeName: String { "task" }

  /// Adds what scripts see of a task.
  public static func describe(_ members: LuaClass<LuaTask>) {
    members.asyncMethod(
      "await", help: "Waits for the task to end and returns its results, or raises its error.",
      example: "local x = t:await()"
    ) { (task: LuaTask) throws -> () async throws -> LuaVariadic in
      let waiter = try task.core.scheduler.waiter(for: [task])
      return { LuaVariadic(try await task.awaited(by: waiter)) }
    }
    members.method(
      "cancel", help: "Cancels the task's wait.", example: "t:cancel()"
    ) { task in task.cancel() }
    members.property(
      "status", help: "running, waiting, done, failed or cancelled.", example: "print(t.status)"
    ) { $0.status.rawValue }
    members.text { "task (\($0.status.rawValue))" }
  }
}

// MARK: - Starting tasks

extension LuaState {
  /// Calls a function that may wait, and returns all its results when it ends.
  ///
  /// Cancelling the calling Swift task stops the Lua code, whatever it catches.
  ///
  /// - Throws: ``LuaError`` for what the function raised; `off_actor` if tasks of the state wait on another actor than
  ///   the calling code's.
  @discardableResult
  public func run(_ function: LuaFunction, _ arguments: [any LuaPushable] = [])
    async throws(LuaError) -> [LuaValue]
  {
    let scheduler = core.scheduler
    let task = try await scheduler.perform(from: #isolation) { () async throws(LuaError) in
      let task = try scheduler.start(function, arguments)
      task.observe()
      await task.ended()
      return task
    }
    return try task.result.get()
  }

  /// Calls a function that may wait, like ``run(_:_:)``, and returns its first result as a type of Swift.
  ///
  /// - Throws: As ``run(_:_:)``, and `wrong_type` if the result isn't of the type.
  public func run<Value: LuaReadable>(
    _ function: LuaFunction, _ arguments: [any LuaPushable] = [], as type: Value.Type
  ) async throws(LuaError) -> Value {
    try await run(function, arguments).value(as: type)
  }

  /// Calls a function that may wait, like ``run(_:_:)``, and returns its first results as types of Swift.
  ///
  /// ```swift
  /// let (name, size) = try await state.run(download, [address], as: (String, Int).self)
  /// ```
  ///
  /// - Throws: As ``run(_:_:)``, and `wrong_type` if a result isn't of its type.
  public func run<each Value: LuaReadable>(
    _ function: LuaFunction, _ arguments: [any LuaPushable] = [],
    as types: (repeat each Value).Type
  ) async throws(LuaError) -> (repeat each Value) {
    try await run(function, arguments).values(as: types)
  }

  /// Starts a function as a task, which runs until it first waits, or ends.
  ///
  /// Outside any actor, what the task waits for goes on only while the state is awaited: by ``run(_:_:)``,
  /// ``LuaTask/value()`` or ``finishTasks()``.
  ///
  /// - Throws: `out_of_memory`; `off_actor` if tasks of the state wait on another actor.
  public func start(
    _ function: LuaFunction, _ arguments: [any LuaPushable] = [],
    isolation: isolated (any Actor)? = #isolation
  ) throws(LuaError) -> LuaTask {
    // A function that Lua calls is on the state's actor, although its source doesn't say so.
    if let isolation { try core.scheduler.adopt(isolation) }
    return try core.scheduler.start(function, arguments)
  }

  /// Waits for all tasks to end.
  ///
  /// Cancelling the calling Swift task stops them.
  ///
  /// - Returns: The failures of tasks that were never awaited.
  public func finishTasks() async -> [LuaError] {
    let scheduler = core.scheduler
    do throws(LuaError) {
      return try await scheduler.perform(from: #isolation) { await scheduler.finish() }
    } catch {
      return [error]
    }
  }

  package var runningTask: LuaTask? { core.scheduler.current }

  /// The tasks that haven't ended, in the order of their starts.
  package var tasks: [LuaTask] { core.scheduler.runningTasks }

  /// Stops all tasks where they wait.
  public func stopTasks() {
    let core = core
    core.performOnActor { core.scheduler.stopAll() }
  }

  /// The failures so far of tasks that were never awaited; each is returned once.
  public func takeTaskFailures() -> [LuaError] { core.scheduler.takeFailures() }
}

/// Something that is in effect while a task runs and not while it waits, such as a transaction.
package protocol LuaTaskContext: AnyObject {
  /// The task continues.
  func enter()

  /// The task begins to wait.
  ///
  /// - Throws: An error for the code that waits.
  func leave() throws

  /// The task has ended with the context still in effect.
  func end(isFailed: Bool)
}
