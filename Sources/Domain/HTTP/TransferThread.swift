internal import CCurl
import Collections
import Dispatch
import Foundation
import StateStore
import Synchronization

/// The thread that talks with servers: it sleeps while nothing happens, and starts with the first request.
///
/// Only so many transfers are under way at once, since each takes a file descriptor and the memory of its body; the others
/// wait for their turn.
final class TransferThread: Sendable {
  /// The process's only one: libcurl's connections belong to it.
  static let shared = TransferThread()

  /// Transfers under way at once: three times what browsers allow for one server.
  static let maximumTransfers = 16

  /// What other threads ask of this one.
  private struct Requests {
    var multi: CurlMulti?
    var waiting: Deque<HTTPTransfer> = []
    /// The number of transfers that were cancelled since those were last taken out of the waiting ones.
    var cancelledCount = 0
  }

  private let requests = Mutex(Requests())
  private let isStopping = Atomic(false)
  private let hasStopped = DispatchSemaphore(value: 0)

  private init() {}

  /// Does a transfer when its turn comes.
  ///
  /// - Throws: `HTTPFailure.unavailable` if libcurl can't be loaded, or the thread not started.
  func enqueue(_ transfer: HTTPTransfer) throws(HTTPFailure) {
    let multi = try requests.withLock { requests throws(HTTPFailure) in
      if requests.multi == nil { requests.multi = try start() }
      requests.waiting.append(transfer)
      return requests.multi
    }
    multi?.wake()
  }

  /// Makes the thread look for transfers that were cancelled, and close their connections.
  func noteCancellation() {
    let multi = requests.withLock { requests in
      requests.cancelledCount += 1
      return requests.multi
    }
    multi?.wake()
  }

  private func start() throws(HTTPFailure) -> CurlMulti {
    let multi = try CurlMulti(library: .loaded())
    let context = Unmanaged.passRetained(multi)
    do {
      // A signal for writing to a connection that the server has closed isn't needed, either: the error is enough.
      try Threads.detach(TransferThread.main, context.toOpaque())
    } catch {
      context.release()
      multi.destroy()
      throw .unavailable(.noThread)
    }
    // Handlers run in the opposite order of their registration: so the thread has stopped before OpenSSL, which was loaded
    // before, takes away what it uses.
    atexit { TransferThread.shared.stop() }
    return multi
  }

  /// Stops the thread for good, when the process exits.
  private func stop() {
    guard let multi = requests.withLock({ $0.multi }) else { return }
    isStopping.store(true, ordering: .releasing)
    multi.wake()
    // A bound, as nothing may keep a process from its end.
    _ = hasStopped.wait(timeout: .now() + .seconds(1))
  }

  // MARK: - On the thread

  private static let main: Threads.Body = { context in
    #if !canImport(Darwin)
      guard let context else { return nil }
    #endif
    shared.run(Unmanaged<CurlMulti>.fromOpaque(context).takeRetainedValue())
    return nil
  }

  private func run(_ multi: CurlMulti) {
    var active: [ActiveTransfer] = []
    while !isStopping.load(ordering: .acquiring) {
      active.removeAll { $0.closeIfCancelled() }
      for transfer in nextTransfers(beside: active.count) {
        if let started = ActiveTransfer(transfer, in: multi) { active.append(started) }
      }
      // When one has ended, another may have its turn.
      if !multi.perform(&active) { multi.sleep(until: active.map(\.deadline).min()) }
    }
    hasStopped.signal()
  }

  /// Takes as many transfers as may be started.
  private func nextTransfers(beside activeCount: Int) -> [HTTPTransfer] {
    requests.withLock { requests in
      // Most of those that wait may have been cancelled: then they are forgotten before their turn.
      if requests.cancelledCount > requests.waiting.count / 2 {
        requests.waiting.removeAll(where: \.hasEnded)
        requests.cancelledCount = 0
      }
      var next: [HTTPTransfer] = []
      while activeCount + next.count < Self.maximumTransfers,
        let transfer = requests.waiting.popFirst()
      {
        if !transfer.hasEnded { next.append(transfer) }
      }
      return next
    }
  }
}

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

  init(_ address: WebAddress, maximumSize: Int, timeLimit: Duration) {
    self.address = address
    self.maximumSize = maximumSize
    self.timeLimit = timeLimit
  }

  /// How long the transfer waited for its turn.
  var timeInQueue: Duration { state.withLock { $0.timeInQueue } }

  /// Whether the reply isn't awaited any more.
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

  /// Keeps the continuation until the end, and says whether that is still to come.
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
