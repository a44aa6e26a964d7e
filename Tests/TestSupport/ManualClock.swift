import Synchronization

/// A clock that stands still until it is advanced.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    package var offset = Duration.zero

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Storage {
    var now = Instant()
    var lastID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
  }

  private let storage = Mutex(Storage())

  package init() {}

  package var now: Instant { storage.withLock(\.now) }
  package var minimumResolution: Duration { .zero }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = storage.withLock { storage in
      storage.lastID += 1
      return storage.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let wakesAtOnce: Result<Void, any Error>? = storage.withLock { storage in
          if storage.cancelled.contains(id) { return .failure(CancellationError()) }
          if deadline <= storage.now { return .success(()) }
          storage.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return nil
        }
        if let wakesAtOnce { continuation.resume(with: wakesAtOnce) }
      }
    } onCancel: {
      let sleeper = storage.withLock { storage in
        storage.cancelled.insert(id)
        return storage.sleepers.removeValue(forKey: id)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the clock, and wakes the tasks that are due.
  package func advance(by duration: Duration) {
    let woken = storage.withLock { storage in
      storage.now = storage.now.advanced(by: duration)
      let due = storage.sleepers.filter { $0.value.deadline <= storage.now }
      for id in due.keys { storage.sleepers[id] = nil }
      return due.values
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// The number of tasks that sleep.
  package var sleeperCount: Int { storage.withLock { $0.sleepers.count } }

  /// Waits until at least that many tasks sleep.
  ///
  /// - Throws: ``TimeLimitExceeded`` after a minute.
  package func waitForSleepers(_ count: Int) async throws {
    try await wait(for: "sleeper \(count)") { sleeperCount >= count }
  }
}
