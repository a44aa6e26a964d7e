import Synchronization

/// One GET: what is asked for, and what becomes of it.
///
/// It ends once: by its reply, by a failure, or by the cancellation of the task that waits for it, which doesn't wait
/// until the connection is closed.
final class HTTPTransfer: Sendable {
  /// What to get.
  let address: WebAddress

  /// The largest body in bytes, once it is decompressed; the transfer stops when it is passed.
  let maximumSize: Int

  /// How long it may take, from when its turn has come.
  let timeLimit: Duration

  private struct State {
    var continuation: CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>?
    /// Set once, by whatever ends the transfer first; what comes after it changes nothing.
    var result: Result<HTTPReply, HTTPFailure>?
    var timeInQueue = Duration.zero
  }

  private let queued = ContinuousClock.now
  private let state = Mutex(State())

  /// Makes a transfer, and sends nothing yet.
  init(_ address: WebAddress, maximumSize: Int, timeLimit: Duration) {
    self.address = address
    self.maximumSize = maximumSize
    self.timeLimit = timeLimit
  }

  /// How long the transfer waited for its turn.
  var timeInQueue: Duration { state.withLock { $0.timeInQueue } }

  /// Whether nobody waits for a reply any more.
  var hasEnded: Bool { state.withLock { $0.result != nil } }

  /// Sends the request and waits for the whole reply, without following redirects.
  ///
  /// Cancelling the task closes the connection.
  ///
  /// - Parameter thread: The thread that does it.
  /// - Returns: The reply, whatever its status.
  /// - Throws: `HTTPFailure`.
  func reply(by thread: TransferThread) async throws(HTTPFailure) -> HTTPReply {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard waits(continuation) else { return }
        do throws(HTTPFailure) {
          try thread.enqueue(self)
        } catch {
          end(.failure(error))
        }
      }
    } onCancel: {
      if end(.failure(.cancelled)) { thread.noteCancellation() }
    }
    return try result.get()
  }

  /// Notes that the transfer's turn has come.
  func noteStart() {
    state.withLock { $0.timeInQueue = queued.duration(to: .now) }
  }

  /// Ends the transfer.
  ///
  /// - Returns: Whether it hadn't ended before.
  @discardableResult
  func end(_ result: Result<HTTPReply, HTTPFailure>) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      guard state.result == nil else {
        return (false, CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>?.none)
      }
      state.result = result
      defer { state.continuation = nil }
      return (true, state.continuation)
    }
    continuation?.resume(returning: result)
    return isFirst
  }

  /// Keeps who waits for the end, and says whether it is still to come.
  private func waits(
    _ continuation: CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>
  ) -> Bool {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { continuation.resume(returning: result) }
    return result == nil
  }
}
