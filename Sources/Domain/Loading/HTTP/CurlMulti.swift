import StateStore
internal import CCurl
import Foundation

/// A multi handle of libcurl: the transfers that are under way together.
///
/// Safe to send: `wake` may be called on any thread, as libcurl promises; all else happens on one thread.
final class CurlMulti: @unchecked Sendable {
  let library: CurlLibrary
  let handle: UnsafeMutableRawPointer

  /// The longest sleep, so that milliseconds fit libcurl's type.
  private static let longestSleep = Duration.seconds(86_400)

  /// Makes a handle that can be woken.
  ///
  /// - Throws: `HTTPFailure.unavailable`.
  init(library: CurlLibrary) throws(HTTPFailure) {
    guard let handle = library.multiInit() else { throw Self.cannotStart }
    // Without file descriptors for it, libcurl makes a handle that never wakes.
    guard library.wake(handle) == CURLM_OK else {
      _ = library.multiCleanup(handle)
      throw Self.cannotStart
    }
    self.library = library
    self.handle = handle
  }

  private static var cannotStart: HTTPFailure {
    .unavailable(
      OpenDescriptors.areExhausted ? .tooManyOpenFiles : .library("it gave no handle"))
  }

  /// Frees a handle that no thread uses.
  func destroy() {
    _ = library.multiCleanup(handle)
  }

  /// Ends the sleep of the thread, or its next one.
  func wake() {
    // A failure means that a wake-up is pending already.
    _ = library.wake(handle)
  }

  /// Does what can be done without waiting.
  ///
  /// - Parameter active: The transfers that are under way; those that end are taken out.
  /// - Returns: Whether one has ended.
  func perform(_ active: inout [ActiveTransfer]) -> Bool {
    let count = active.count
    var running: Int32 = 0
    guard library.perform(handle, &running) == CURLM_OK else {
      for transfer in active { transfer.finish(.failure(.connection(.other))) }
      active = []
      return count > 0
    }
    var remaining: Int32 = 0
    while let message = library.nextMessage(handle, &remaining)?.pointee {
      guard message.msg == CURLMSG_DONE,
        let index = active.firstIndex(where: { $0.handle == message.easy_handle })
      else { continue }
      active.remove(at: index).finish(message.data.result)
    }
    let now = ContinuousClock.now
    active.removeAll { transfer in
      guard transfer.deadline <= now else { return false }
      transfer.finish(.failure(.timedOut))
      return true
    }
    return active.count < count
  }

  /// Sleeps until something happens on a connection, `wake` is called, or a time has come.
  func sleep(until deadline: ContinuousClock.Instant?) {
    let limit = min(
      deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.longestSleep, Self.longestSleep)
    // Rounded up, as sleeping too short would only mean to sleep again.
    let milliseconds = max(0, Int32(limit / .milliseconds(1))) + 1
    if library.poll(handle, nil, 0, milliseconds, nil) != CURLM_OK {
      // Without memory for it: a pause is better than a loop at full load.
      usleep(100_000)
    }
  }
}
