internal import Dispatch
internal import Synchronization

/// The actor of a state that is used outside any actor.
///
/// Code without an actor, such as a detached task's, has the state for itself and uses it wherever that code runs. So
/// what the state's tasks wait for may continue only while that code awaits the state: meanwhile the state is lent to
/// this actor, which runs nothing before and after.
actor HomeActor {
  private nonisolated let executor = LendingExecutor()

  /// Whether the state is lent to the actor.
  nonisolated var hasState: Bool { executor.isOpen }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The actor whose operation the running Swift code belongs to.
  @TaskLocal static var performing: HomeActor?

  /// Whether the running code belongs to an operation of this actor; it has left the actor if that doesn't have the state.
  nonisolated var isPerforming: Bool { Self.performing === self }

  /// Does something on this actor, to which the state is lent meanwhile.
  ///
  /// Called by the code that has the state, which continues when the body has returned.
  nonisolated func lend<Result>(_ body: () async -> Result) async -> Result {
    executor.open()
    // Safe: the caller waits for it.
    nonisolated(unsafe) let body = body
    return await perform(body).value
  }

  /// Lets what was cancelled come to its end; called by the code that has the state, which is being closed.
  ///
  /// An operation that doesn't end at once, because it continues elsewhere first, is never continued: it would run in
  /// parallel with that code.
  nonisolated func finishCancelled() { executor.runJobsHere() }

  private func perform<Result>(_ body: () async -> Result) async -> TransferredResult<Result> {
    // Without a call here that needs the actor, Swift 6.3 calls the body elsewhere.
    preconditionIsolated()
    defer { executor.close() }
    return TransferredResult(value: await body())
  }

  /// A result on its way back to the code that has the state.
  // Safe: only that code gets it, and nothing runs here after that.
  private struct TransferredResult<Value>: @unchecked Sendable {
    let value: Value
  }
}

/// A serial executor whose jobs run only while it is open.
private final class LendingExecutor: SerialExecutor {
  private struct Storage {
    var jobs: [UnownedJob] = []
    /// The number of calls of `open` without one of `close`.
    var openCount = 0
    /// Whether a thread runs jobs, or is about to.
    var isRunning = false

    var isOpen: Bool { openCount > 0 }

    /// Returns whether the caller must start a thread that runs the jobs.
    mutating func claim() -> Bool {
      guard isOpen, !isRunning, !jobs.isEmpty else { return false }
      isRunning = true
      return true
    }
  }

  private let storage = Mutex(Storage())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isClaimed = storage.withLock { storage in
      storage.jobs.append(job)
      return storage.claim()
    }
    if isClaimed { runJobsLater() }
  }

  var isOpen: Bool { storage.withLock(\.isOpen) }

  func open() {
    let isClaimed = storage.withLock { storage in
      storage.openCount += 1
      return storage.claim()
    }
    if isClaimed { runJobsLater() }
  }

  /// Called in a job, or by the code that has the state.
  func close() { storage.withLock { $0.openCount -= 1 } }

  private func runJobsLater() {
    DispatchQueue.global().async { self.runJobs() }
  }

  /// Runs jobs until there is none, or the executor is closed.
  func runJobs() {
    while let job = nextJob() { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func nextJob() -> UnownedJob? {
    storage.withLock { storage in
      guard storage.isOpen, !storage.jobs.isEmpty else {
        storage.isRunning = false
        return nil
      }
      return storage.jobs.removeFirst()
    }
  }

  /// Runs the jobs that are there on the calling thread, unless a thread does already.
  func runJobsHere() {
    let isClaimed = storage.withLock { storage in
      guard !storage.isOpen, !storage.isRunning, !storage.jobs.isEmpty else { return false }
      storage.openCount += 1
      return storage.claim()
    }
    guard isClaimed else { return }
    runJobs()
    close()
  }
}
