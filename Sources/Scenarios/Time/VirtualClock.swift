package import Lua
internal import PrimereplFoundation
internal import Scripting
internal import Synchronization

/// A clock for scenarios, on which waiting takes no real time.
///
/// Once it drives a state, its time stands still while anything works, and jumps to the next deadline when everything
/// waits. Sleepers wake one at a time, the earliest deadline first: the next one when all that the last one caused has
/// happened. Those with equal deadlines wake in the order they fell asleep; the real time that an operation worked
/// before it slept makes no difference.
///
/// An operation that waits for a Lua task is known to do so. One that waits for anything else, such as a file or a
/// child process, works: time doesn't pass until it ends. A woken one works until it sleeps again. An
/// operation with several child tasks waits as soon as one of them sleeps, so the others shouldn't work meanwhile.
package final class VirtualClock: AdvanceableClock, DirectClock {
  package struct Instant: InstantProtocol {
    /// The time since the clock was made.
    package var offset = Duration.zero

    /// The instant that is later by a duration, which is rounded to nanoseconds.
    ///
    /// A duration of 2.9 s that was made from a float is shorter by a fraction of that, and so wouldn't reach the end of
    /// 3 s together with 0.1 s.
    package func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration.inNanoseconds)
    }

    package func duration(to other: Instant) -> Duration { other.offset - offset }

    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    /// Whether those with the same deadline that fall asleep later wake earlier.
    let isLast: Bool
    /// The turn of the operation that sleeps; the least for what sleeps outside of any.
    let turn: Int
    let number: Int
    let suspension: LuaSuspension

    func wakes(before other: Sleeper) -> Bool {
      if deadline != other.deadline { return deadline < other.deadline }
      if isLast != other.isLast { return other.isLast }
      return (turn, number) < (other.turn, other.number)
    }
  }

  private struct Storage {
    var now = Instant()
    var lastNumber = 0
    /// The one that wakes next is at the end.
    var sleepers: [Sleeper] = []
    var monitor: LuaWaitMonitor?

    /// The index of a sleeper, or of where it belongs.
    func index(of sleeper: Sleeper) -> Int {
      sleepers.partitioningIndex { !sleeper.wakes(before: $0) }
    }

    mutating func remove(_ sleeper: Sleeper) {
      let index = index(of: sleeper)
      guard sleepers.indices.contains(index), sleepers[index].number == sleeper.number else {
        return
      }
      sleepers.remove(at: index)
    }
  }

  private let storage = Mutex(Storage())

  package init() {}

  package var now: Instant { storage.withLock(\.now) }

  package var minimumResolution: Duration { .nanoseconds(1) }

  package var elapsed: Duration { now.offset }

  package var sleeperCount: Int { storage.withLock(\.sleepers.count) }

  // MARK: - Driving a state

  /// Lets time pass whenever all that a state's tasks wait for waits for the clock, or for other tasks.
  ///
  /// Called once, on the state's actor, before the first task starts.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - whenStuck: Called on the state's actor when tasks wait for each other, and nothing can ever wake them. It
  ///     mustn't hold the state, which keeps it.
  /// - Throws: `cannot_wait` for a state that was made outside any actor.
  package func drive(_ state: LuaState, whenStuck: @escaping () -> Void) throws(LuaError) {
    let monitor = try state.monitorWaits { [weak self] operationCount in
      guard let self, !wakeNext(), operationCount > 0 else { return }
      whenStuck()
    }
    storage.withLock { $0.monitor = monitor }
    monitor.check()
  }

  /// Moves on to the next deadline, and wakes the one that sleeps until then; returns whether anybody slept.
  private func wakeNext() -> Bool {
    let (sleeper, monitor) = storage.withLock { storage -> (Sleeper?, LuaWaitMonitor?) in
      while let sleeper = storage.sleepers.popLast() {
        // One that was cancelled is about to remove itself.
        guard !sleeper.suspension.hasEnded else { continue }
        storage.now = max(storage.now, sleeper.deadline)
        return (sleeper, storage.monitor)
      }
      return (nil, nil)
    }
    guard let sleeper else { return false }
    sleeper.suspension.end()
    // A sleeper outside any operation, or one of several child tasks, may have changed nothing that is counted.
    monitor?.check()
    return true
  }

  // MARK: - Waiting

  /// Waits for an instant; if it has passed, until those wake that are to wake now.
  ///
  /// - Throws: `CancellationError` at once when the calling task is cancelled.
  package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline, isLast: false)
  }

  /// Waits for a duration, on the caller's actor.
  ///
  /// - Throws: `CancellationError` at once when the calling task is cancelled.
  package func wait(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), isLast: false)
  }

  /// Waits for a time to pass, and for all that falls due until then, in its order.
  ///
  /// - Throws: `CancellationError` at once when the calling task is cancelled.
  package func advance(by duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration), isLast: true)
  }

  private func sleep(until deadline: Instant, isLast: Bool) async throws {
    // First, or time could pass for a sleeper that is about to remove itself.
    try Task.checkCancellation()
    let suspension = LuaSuspension()
    // Sleeping begins on any thread, so the sleepers themselves may come in any order.
    let turn = suspension.turn
    let (sleeper, monitor) = storage.withLock { storage in
      storage.lastNumber += 1
      let sleeper = Sleeper(
        deadline: max(deadline, storage.now), isLast: isLast, turn: turn ?? 0,
        number: storage.lastNumber, suspension: suspension)
      storage.sleepers.insert(sleeper, at: storage.index(of: sleeper))
      return (sleeper, storage.monitor)
    }
    if turn == nil { monitor?.check() }
    await suspension.wait()
    // One that was woken is no longer there.
    storage.withLock { $0.remove(sleeper) }
    try Task.checkCancellation()
  }
}

extension Duration {
  /// The duration, rounded to the nearest nanosecond.
  fileprivate var inNanoseconds: Duration {
    let (seconds, attoseconds) = components
    let nanosecond: Int64 = 1_000_000_000
    let half = attoseconds < 0 ? -nanosecond / 2 : nanosecond / 2
    return Duration(
      secondsComponent: seconds,
      attosecondsComponent: (attoseconds + half) / nanosecond * nanosecond)
  }
}
