internal import CCurl
import DequeModule
import Dispatch
import PrimereplFoundation
import PrimereplPlatform
import Synchronization

/// The thread for all transfers: it starts with the first request, and sleeps while nothing happens.
///
/// The number of transfers in progress is limited, since each takes a file descriptor and the memory of its body; the
/// others wait for their turn.
final class TransferThread: Sendable {
  /// The process's only transfer thread: libcurl's connections belong to it.
  static let shared = TransferThread()

  /// The maximum number of transfers in progress: three times as many as browsers allow for one server.
  static let maximumTransfers = 16

  private struct Requests {
    var multi: CurlMulti?
    var waiting: Deque<HTTPTransfer> = []
  }

  private let requests = Mutex(Requests())
  private let isStopping = Atomic(false)
  private let hasStopped = DispatchSemaphore(value: 0)

  private init() {}

  /// Runs a transfer when its turn comes.
  ///
  /// - Throws: `HTTPFailure.unavailable` if libcurl can't be loaded or the thread can't be started.
  func enqueue(_ transfer: HTTPTransfer) throws(HTTPFailure) {
    let multi = try requests.withLock { requests throws(HTTPFailure) in
      if requests.multi == nil { requests.multi = try start() }
      requests.waiting.append(transfer)
      return requests.multi
    }
    multi?.wake()
  }

  /// Makes the thread look for cancelled transfers and close their connections.
  func wake() {
    requests.withLock(\.multi)?.wake()
  }

  private func start() throws(HTTPFailure) -> CurlMulti {
    let multi = try CurlMulti(library: .loaded())
    do throws(SystemThread.Unavailable) {
      // The signal for writing to a connection that the server has closed isn't needed, either: the error is enough.
      try SystemThread.start { [self] in run(multi) }
    } catch {
      multi.destroy()
      throw .unavailable(.noThread)
    }
    // Exit handlers run in the reverse order of their registration, so the thread stops before OpenSSL, which was
    // loaded earlier, frees what the thread uses.
    atexit { TransferThread.shared.stop() }
    return multi
  }

  /// Stops the thread when the process exits.
  private func stop() {
    guard let multi = requests.withLock({ $0.multi }) else { return }
    isStopping.store(true, ordering: .releasing)
    multi.wake()
    // Limited, since nothing may keep a process from ending.
    _ = hasStopped.wait(timeout: .now() + .seconds(1))
  }

  // MARK: - On the thread

  private func run(_ multi: CurlMulti) {
    var active: [ActiveTransfer] = []
    while !isStopping.load(ordering: .acquiring) {
      active.removeAll { $0.closeIfCancelled() }
      for transfer in nextTransfers(beside: active.count) {
        if let started = ActiveTransfer(transfer, in: multi) { active.append(started) }
      }
      // When a transfer has ended, another may start.
      if !multi.perform(&active) { multi.sleep(until: active.map(\.deadline).min()) }
    }
    hasStopped.signal()
  }

  /// Removes and returns the transfers that may start now.
  private func nextTransfers(beside activeCount: Int) -> [HTTPTransfer] {
    requests.withLock { requests in
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

/// A request and its result.
///
/// It ends once: with its reply, a failure, or the cancellation of the task that waits for it. Cancellation doesn't
/// wait for the connection to close.
final class HTTPTransfer: Sendable {
  let request: WebRequest
  let address: WebAddress

  /// The largest body in bytes, decompressed; the transfer stops if it is exceeded.
  let maximumSize: Int
  let memory: MemoryAllowance

  /// The time that it may take once its turn has come.
  let timeLimit: Duration

  private struct State {
    var continuation: CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>?
    /// Set once, by whatever ends the transfer first; later results are dropped.
    var result: Result<HTTPReply, HTTPFailure>?
    var timeInQueue = Duration.zero
  }

  private let queued = ContinuousClock.now
  private let state = Mutex(State())

  init(
    _ request: WebRequest, to address: WebAddress, maximumSize: Int,
    memory: @escaping MemoryAllowance, timeLimit: Duration
  ) {
    (self.request, self.address) = (request, address)
    (self.maximumSize, self.memory) = (maximumSize, memory)
    self.timeLimit = timeLimit
  }

  var timeInQueue: Duration { state.withLock { $0.timeInQueue } }

  /// Whether the reply is no longer awaited.
  var hasEnded: Bool { state.withLock { $0.result != nil } }

  /// Sends the request and waits for the whole reply, whatever its status, without following redirects.
  ///
  /// Cancelling the task closes the connection.
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
      if end(.failure(.cancelled)) { thread.wake() }
    }
    return try result.get()
  }

  func beginTurn() {
    state.withLock { $0.timeInQueue = queued.duration(to: .now) }
  }

  /// Ends the transfer; returns false if it had already ended.
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

  /// Keeps the continuation until the transfer ends; returns false if it has already ended.
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
