internal import CLuaTrampolines
internal import Synchronization

/// A Lua task's wait for an operation of a function of the host, on the state's actor.
final class PendingWait: ResultDestination {
  let task: LuaTask

  /// The name of the function, such as "todo.fetch".
  let function: String

  /// The stack of the coroutine that called the function; not always the task's own.
  let stack: LuaStack

  private let scheduler: Scheduler
  private let operation: WaitingOperation

  private var swiftTask: Task<Void, Never>?
  private var isCancelled: Bool

  /// The mark of the thread that starts the operation on the actor where it runs; `nil` if the operation may begin later.
  private var startingThread: UnsafeRawPointer?

  /// Whether the operation may not begin any longer.
  private let isRefused = Atomic<Bool>(false)

  /// Whether the operation has begun at once.
  private(set) var hasBegun = false

  /// The number of results, or the error, of an operation that ended before the task suspended.
  private(set) var result: Result<Int32, any Error>?

  /// The number of values on the stack before the results.
  private var bottom: Int32?

  init(
    of task: LuaTask, in function: String, on stack: LuaStack, _ scheduler: Scheduler,
    _ operation: @escaping WaitingOperation
  ) {
    (self.task, self.function, self.stack) = (task, function, stack)
    (self.scheduler, self.operation) = (scheduler, operation)
    isCancelled = task.isCancelled
  }

  /// Refuses an operation that hasn't begun at once; another thread may be about to begin it.
  func refuse() { isRefused.store(true, ordering: .relaxed) }

  func cancel() {
    isCancelled = true
    swiftTask?.cancel()
  }

  /// Starts the operation on the state's actor.
  ///
  /// With `isOnActor`, the calling code should be on the actor: the operation runs until it first suspends, or, if that
  /// is wrong, never begins.
  func start(on owner: any Actor, isOnActor: Bool) {
    startingThread = isOnActor ? clua_thread_mark() : nil
    // Safe: the wait belongs to the owner, and the task runs there.
    nonisolated(unsafe) let wait = self
    let task = ImmediateTask.assume(owner) { owner in
      Task.immediate {
        // Without the actor in the closure, the closure would leave it.
        _ = owner
        guard wait.begin() else { return }
        let identity = wait.scheduler.identity
        let home = owner as? HomeActor
        if identity == nil, home == nil { return await wait.perform() }
        await LuaOperation.$current.withValue(identity) {
          _ = owner
          await HomeActor.$performing.withValue(home) {
            _ = owner
            await wait.perform()
          }
        }
        identity?.end()
      }
    }
    swiftTask = task
    if isCancelled { task.cancel() }
  }

  /// Called by the Swift task; returns whether it may perform the operation.
  private func begin() -> Bool {
    if let startingThread {
      // Elsewhere, this wait belongs to another thread, which uses it now.
      guard startingThread == clua_thread_mark(), !isRefused.load(ordering: .relaxed) else {
        return false
      }
      hasBegun = true
    }
    // The operation of a cancelled task is cancelled from its start.
    if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
    return true
  }

  private func perform() async {
    scheduler.owner.beginOperation()
    defer { scheduler.owner.endOperation() }
    // The state may have been closed before it began.
    guard task.outcome == nil else { return }
    let result: Result<Int32, any Error>
    do {
      result = .success(try await operation(self))
    } catch {
      result = .failure(error)
    }
    guard isSuspended else {
      stopIfInterrupted(result)
      self.result = result
      return
    }
    await end(with: result)
  }

  private func stopIfInterrupted(_ result: Result<Int32, any Error>) {
    if case .failure(let error as LuaError) = result, error.stopsWaiter { task.stopWithAwaited() }
  }

  /// Whether the task has suspended, and is to continue when the operation has ended.
  private var isSuspended: Bool { task.waits(for: self) }

  var stackAtOnce: LuaStack? { isSuspended || task.outcome != nil ? nil : stack }

  func stackForResults() async throws -> LuaStack {
    // Before it first suspends, it can't have left.
    if isSuspended, !scheduler.isOnActor() {
      await scheduler.returnToActor()
      throw Scheduler.offActor(function)
    }
    // The state may have been closed; then its tasks have ended.
    guard task.outcome == nil else { throw CancellationError() }
    bottom = stack.count
    return stack
  }

  /// Continues the task.
  private func end(with result: Result<Int32, any Error>) async {
    var result = result
    if bottom == nil {
      // The operation failed, perhaps off the actor.
      do {
        bottom = try await stackForResults().count
      } catch {
        result = .failure(error)
      }
    }
    guard isSuspended else { return }
    stopIfInterrupted(result)
    scheduler.resume(self, with: result, above: bottom ?? stack.count)
  }
}
