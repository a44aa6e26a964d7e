import Synchronization

/// A clock that records each wait and ends it at once.
package final class RecordingClock: Clock {
  private let noted = Mutex<[Duration]>([])

  /// Time stands still, so that the recorded waits are exact.
  package let now = ContinuousClock.now

  package let minimumResolution = Duration.zero

  /// The waits so far, in order.
  package var waits: [Duration] { noted.withLock { $0 } }

  package init() {}

  package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    noted.withLock { $0.append(now.duration(to: deadline)) }
  }
}
