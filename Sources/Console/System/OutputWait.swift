import Dispatch
import PrimereplFoundation
import PrimereplPlatform
import Synchronization

/// The main thread's waiting for a reader of its output, such as a pipe that is full: it is in a system call, where neither
/// a time limit nor Ctrl-C stops it.
enum OutputWait {
  /// The main thread doesn't write.
  private static let idle: UInt64 = 0
  /// The main thread isn't to return from its write.
  private static let abandoned = UInt64.max

  /// `idle`, `abandoned`, or the time when the main thread began to write.
  private static let state = Atomic<UInt64>(idle)

  /// Does something that may wait for a reader.
  static func around<Result, Failure>(
    _ write: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard SystemThread.isMain, state.load(ordering: .relaxed) == idle else { return try write() }
    state.store(now, ordering: .relaxed)
    defer {
      // From here on the session is another thread's, which ends the process.
      if state.exchange(idle, ordering: .acquiringAndReleasing) == abandoned {
        while true { pause() }
      }
    }
    return try write()
  }

  /// The time for which the main thread has been writing; nil if it isn't.
  static var duration: Duration? {
    let start = state.load(ordering: .relaxed)
    guard start != idle, start != abandoned else { return nil }
    return .nanoseconds(now - min(start, now))
  }

  /// Keeps the main thread in its write for good, when the process is about to end; returns false if it doesn't write.
  static func abandon() -> Bool {
    let start = state.load(ordering: .relaxed)
    guard start != idle, start != abandoned else { return start == abandoned }
    return state.compareExchange(
      expected: start, desired: abandoned, ordering: .acquiringAndReleasing
    ).exchanged
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
