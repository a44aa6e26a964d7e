internal import Dispatch
internal import Synchronization

/// A clock whose cancelled waits leave nothing behind.
///
/// A cancelled wait of `ContinuousClock` keeps its memory until its deadline (Swift 6.3 on Linux). A script that sets
/// a limit of a day for each of a million calls must not fill the memory.
public struct TimerClock: Clock {
  /// An instant of the clock.
  public typealias Instant = ContinuousClock.Instant

  /// Makes a clock; all clocks are the same.
  public init() {}

  /// The time now.
  public var now: Instant { ContinuousClock.now }

  /// The shortest time between two instants.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  /// Waits for an instant.
  ///
  /// - Throws: `CancellationError` at once when the calling task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let delay = now.duration(to: deadline)
    guard delay > .zero else {
      await Task.yield()
      return try Task.checkCancellation()
    }
    let wait = TimerWait()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait.start(for: delay, tolerance, resuming: $0) }
    } onCancel: {
      wait.end(with: .failure(CancellationError()))
    }
  }
}

/// A wait for a timer, which ends once.
private final class TimerWait: Sendable {
  private enum State {
    case notStarted
    case waiting(CheckedContinuation<Void, any Error>, cancelTimer: @Sendable () -> Void)
    case ended
  }

  private let state = Mutex(State.notStarted)

  private static let queue = DispatchQueue(label: "Lua timers")

  func start(
    for delay: Duration, _ tolerance: Duration?,
    resuming continuation: CheckedContinuation<Void, any Error>
  ) {
    // Safe: any thread may use a source of Dispatch's.
    nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: Self.queue)
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(clamping: delay.clampedNanoseconds)),
      leeway: .nanoseconds(Int(clamping: (tolerance ?? .zero).clampedNanoseconds)))
    timer.setEventHandler { [self] in end(with: .success(())) }
    let hasStarted = state.withLock { state in
      guard case .notStarted = state else { return false }
      state = .waiting(continuation, cancelTimer: { timer.cancel() })
      return true
    }
    // A timer must be activated before it is released.
    timer.activate()
    guard !hasStarted else { return }
    timer.cancel()
    continuation.resume(throwing: CancellationError())
  }

  func end(with result: Result<Void, any Error>) {
    let ended = state.withLock { state in
      let ended = state
      state = .ended
      return ended
    }
    guard case .waiting(let continuation, let cancelTimer) = ended else { return }
    cancelTimer()
    continuation.resume(with: result)
  }
}
