internal import Synchronization

/// An operation that a Lua task waits for, in a state whose waits are monitored.
///
/// An operation works, unless it waits for something that only the passing of time or another Lua task can end. One
/// that waits in a child task counts as waiting, whatever its other child tasks do. If its code runs tasks of another
/// state, what these wait for are operations, too.
package final class LuaOperation: Sendable {
  private struct Storage {
    var waitCount = 0
    var hasEnded = false
    var turn: Int
  }

  /// The operation that the running Swift code belongs to; nil outside of any, and where waits aren't monitored.
  @TaskLocal package static var current: LuaOperation?

  let monitor: LuaWaitMonitor
  private let storage: Mutex<Storage>

  fileprivate init(in monitor: LuaWaitMonitor, turn: Int) {
    self.monitor = monitor
    storage = Mutex(Storage(turn: turn))
  }

  /// The number of the operation's turn: a greater one than those of all operations that began, or continued after
  /// waiting, before this one did.
  ///
  /// Turns have the same order in each run, however long the operations take.
  package var turn: Int { storage.withLock(\.turn) }

  /// Records that the operation begins to wait; each call needs one of ``endWaiting()``.
  package func beginWaiting() {
    let isFirst = storage.withLock { storage in
      storage.waitCount += 1
      return storage.waitCount == 1 && !storage.hasEnded
    }
    if isFirst { monitor.changeWorkers(by: -1) }
  }

  /// Records that what the operation waited for has happened; called before the operation is resumed.
  package func endWaiting() {
    let turn = monitor.nextTurn()
    let isLast = storage.withLock { storage in
      storage.waitCount -= 1
      storage.turn = turn
      return storage.waitCount == 0 && !storage.hasEnded
    }
    if isLast { monitor.changeWorkers(by: 1) }
  }

  func end() {
    let worked = storage.withLock { storage in
      storage.hasEnded = true
      return storage.waitCount == 0
    }
    monitor.endOperation(worked: worked)
  }
}

/// Watches the operations that a state's tasks wait for, and says when none of them works.
///
/// A clock of virtual time needs it: time may pass only while everything waits for it. It polls nothing: it counts the
/// operations as they start, wait, continue and end.
package final class LuaWaitMonitor: Sendable {
  private struct Storage {
    var operationCount = 0
    /// The number of operations that don't wait.
    var workerCount = 0
    /// Whether a job of the actor is about to check whether everything waits.
    var isCheckDue = false
    var hasEnded = false
    var lastTurn = 0
  }

  private let storage = Mutex(Storage())
  private let owner: any Actor

  // Safe: it is called on the state's actor only.
  nonisolated(unsafe) private let whenAllWait: (_ operationCount: Int) -> Void

  private static let isUsed = Atomic<Bool>(false)

  /// Whether the process has had a monitor; to ask for the running code's takes longer.
  static var isAnyUsed: Bool { isUsed.load(ordering: .relaxed) }

  fileprivate init(on owner: any Actor, _ whenAllWait: @escaping (_ operationCount: Int) -> Void) {
    Self.isUsed.store(true, ordering: .relaxed)
    self.owner = owner
    self.whenAllWait = whenAllWait
  }

  /// Makes the state's actor check whether everything waits, once it is free.
  ///
  /// The end of the last work does so anyway; this is for other waits, such as a sleeper outside any operation.
  package func check() {
    change { _ in }
  }

  func beginOperation() -> LuaOperation {
    let turn = storage.withLock { storage in
      storage.operationCount += 1
      storage.workerCount += 1
      storage.lastTurn += 1
      return storage.lastTurn
    }
    return LuaOperation(in: self, turn: turn)
  }

  fileprivate func nextTurn() -> Int {
    storage.withLock { storage in
      storage.lastTurn += 1
      return storage.lastTurn
    }
  }

  fileprivate func endOperation(worked: Bool) {
    change { storage in
      storage.operationCount -= 1
      if worked { storage.workerCount -= 1 }
    }
  }

  fileprivate func changeWorkers(by difference: Int) {
    change { $0.workerCount += difference }
  }

  func end() { storage.withLock { $0.hasEnded = true } }

  /// Changes the counts, and lets the actor check them if nothing works: after the jobs that it has already.
  private func change(_ change: (inout Storage) -> Void) {
    let becomesDue = storage.withLock { storage in
      change(&storage)
      guard storage.workerCount == 0, !storage.isCheckDue, !storage.hasEnded else { return false }
      storage.isCheckDue = true
      return true
    }
    guard becomesDue else { return }
    // Any other actor's job begins on another thread; of this one's it can be said where it begins.
    if owner === MainActor.shared {
      Task { @MainActor in callIfAllWait() }
    } else {
      Task { await callIfAllWait(on: owner) }
    }
  }

  private func callIfAllWait(on owner: isolated any Actor) { callIfAllWait() }

  /// Called on the state's actor.
  private func callIfAllWait() {
    let operationCount = storage.withLock { storage in
      storage.isCheckDue = false
      return storage.hasEnded || storage.workerCount > 0 ? nil : storage.operationCount
    }
    if let operationCount { whenAllWait(operationCount) }
  }
}

extension LuaState {
  /// Calls a function whenever everything that the state's tasks wait for waits itself.
  ///
  /// The function is called when no Lua code runs and no operation works, with the number of operations. It is kept until
  /// the state closes, so it must not hold the state.
  ///
  /// Called once, on the state's actor, before the first task starts.
  ///
  /// - Throws: `cannot_wait` for a state that was made outside any actor.
  package func monitorWaits(_ whenAllWait: @escaping (_ operationCount: Int) -> Void)
    throws(LuaError) -> LuaWaitMonitor
  {
    let scheduler = core.scheduler
    guard let owner = core.owner else {
      throw LuaError(.cannotWait, "the state's waits can't be monitored before it has an actor")
    }
    let monitor = LuaWaitMonitor(on: owner, whenAllWait)
    scheduler.monitor(with: monitor)
    return monitor
  }
}

/// A suspension that ends when ``end()`` is called, or when its Swift task is cancelled.
///
/// To the monitor of its operation, if it has one, it is a wait.
package final class LuaSuspension: Sendable {
  private enum State {
    case notStarted
    case suspended(CheckedContinuation<Void, Never>)
    case ended
  }

  private let operation: LuaOperation?
  private let state = Mutex(State.notStarted)

  package init(of operation: LuaOperation? = .current) { self.operation = operation }

  package var turn: Int? { operation?.turn }

  /// Whether the suspension has ended, or its task was cancelled.
  package var hasEnded: Bool {
    state.withLock { state in
      if case .ended = state { true } else { false }
    }
  }

  /// Suspends until the end, unless that was before.
  package func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      // Without the actor here, the closure would leave it.
      _ = isolation
      await withCheckedContinuation { continuation in
        let isSuspended = state.withLock { state in
          guard case .notStarted = state else { return false }
          state = .suspended(continuation)
          operation?.beginWaiting()
          return true
        }
        if !isSuspended { continuation.resume() }
      }
    } onCancel: {
      end()
    }
  }

  /// Ends the suspension; without effect if it has ended.
  package func end() {
    let ended = state.withLock { state in
      let ended = state
      state = .ended
      return ended
    }
    guard case .suspended(let continuation) = ended else { return }
    operation?.endWaiting()
    continuation.resume()
  }
}
