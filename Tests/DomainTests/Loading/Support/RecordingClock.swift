import Synchronization

/// A clock that records each wait and ends it at once.
final class RecordingClock: Clock {
  private let noted = Mutex<[Duration]>([])

  /// Time stands still, so that what is noted is exactly what was asked for.
  let now = ContinuousClock.now

  let minimumResolution = Duration.zero

  /// The waits so far, in order.
  var waits: [Duration] { noted.withLock { $0 } }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    noted.withLock { $0.append(now.duration(to: deadline)) }
  }
}
