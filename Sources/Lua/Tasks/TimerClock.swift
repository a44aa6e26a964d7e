internal import Dispatch

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
    // Of no operation, as real time isn't a wait that a monitor ends.
    let suspension = LuaSuspension(of: nil)
    // Safe: any thread may use a source of Dispatch's.
    nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: Self.queue)
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(clamping: delay.clampedNanoseconds)),
      leeway: .nanoseconds(Int(clamping: (tolerance ?? .zero).clampedNanoseconds)))
    timer.setEventHandler { suspension.end() }
    timer.activate()
    defer { timer.cancel() }
    await suspension.wait()
    try Task.checkCancellation()
  }

  private static let queue = DispatchQueue(label: "Lua timers")
}
