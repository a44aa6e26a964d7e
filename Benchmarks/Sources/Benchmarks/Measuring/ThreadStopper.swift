internal import Foundation
internal import Lua
internal import Synchronization

/// Interrupts Lua code that loops from another thread, and keeps when it did.
final class ThreadStopper: Sendable {
  private let interrupter: LuaInterrupter
  private let looping = DispatchSemaphore(value: 0)
  private let finished = DispatchSemaphore(value: 0)
  private let request = Mutex(ContinuousClock.now)

  /// So late that it is a failure, but the benchmarks continue.
  private let patience = DispatchTimeInterval.seconds(5)

  init(_ interrupter: LuaInterrupter) { self.interrupter = interrupter }

  /// Called by the code when it begins to loop.
  func noteLoop() { looping.signal() }

  /// Begins to wait for the loop; it is interrupted some time after it began.
  func stopLoop(after delay: Duration) {
    Thread.detachNewThread { [self] in
      looping.wait()
      Thread.sleep(forTimeInterval: delay / .seconds(1))
      request.withLock { $0 = .now }
      repeat {
        interrupter.interrupt()
      } while finished.wait(timeout: .now() + patience) == .timedOut
    }
  }

  /// Called when the loop has ended.
  ///
  /// - Returns: when it was first interrupted.
  func finish() -> ContinuousClock.Instant {
    finished.signal()
    return request.withLock { $0 }
  }
}
