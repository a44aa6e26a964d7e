import Dispatch
import PrimereplFoundation
import StateStore
import Synchronization

/// Answers questions about primes on this machine, with libprimecount.
///
/// The library can't be stopped, so computations that may take long run in a child process that can be killed, if
/// there is a helper. The others, which are most, run on their own thread in this process.
public struct LocalPrimes: PrimeSource {
  private let helper: PrimeHelper?

  /// Computations block their thread, so they don't use the threads of tasks.
  private static let queue = DispatchQueue(label: "primerepl.primes", attributes: .concurrent)

  /// The turns of short computations, which take a tenth of a second at most; none of them waits for a long one.
  private static let shortTurns = ComputationTurns()

  private static let longTurns = ComputationTurns()

  /// Makes a source.
  ///
  /// - Parameter helper: The command that does the long computations; nil does all in this process,
  ///   where cancelling has no effect once a computation has begun.
  public init(helper: PrimeHelper? = nil) {
    self.helper = helper
  }

  /// The nth prime, for n from 1 to 216289611853439384.
  ///
  /// - Throws: `PrimeError`, or `CancellationError`.
  public func nthPrime(_ n: Int) async throws -> Int {
    try await answer(to: .nth(checking: n))
  }

  /// The number of primes up to a number; 0 below 2.
  ///
  /// - Throws: `PrimeError`, or `CancellationError`.
  public func count(upTo x: Int) async throws -> Int {
    try await answer(to: .count(upTo: x))
  }

  private func answer(to computation: PrimeComputation) async throws -> Int {
    return try await (computation.isLong ? Self.longTurns : Self.shortTurns).perform {
      guard computation.isLong, let helper else { return try await Self.run(computation) }
      return try await helper.answer(to: computation)
    }
  }

  /// Runs a computation in this process, off the caller's thread.
  private static func run(_ computation: PrimeComputation) async throws -> Int {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try computation.run() })
      }
    }
  }
}

/// Runs computations one at a time, in the order of their arrival.
///
/// The library uses all cores for a computation: more at once would finish none earlier, and take more memory.
final class ComputationTurns: Sendable {
  private struct Queue {
    var isBusy = false
    var lastNumber = 0
    var waiters: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let queue = Mutex(Queue())

  var waitingCount: Int { queue.withLock { $0.waiters.count } }

  /// Runs a computation when its turn has come.
  ///
  /// It throws `CancellationError` if the task is cancelled while it waits.
  func perform<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await wait()
    defer { startNext() }
    return try await body()
  }

  private func wait() async throws {
    let number = queue.withLock { queue in
      queue.lastNumber += 1
      return queue.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Swift.Result<Void, any Error>? = queue.withLock { queue in
          // A task that is cancelled later finds its continuation.
          if Task.isCancelled { return .failure(CancellationError()) }
          if !queue.isBusy {
            queue.isBusy = true
            return .success(())
          }
          queue.waiters.append((number, continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = queue.withLock { queue in
        queue.waiters.firstIndex { $0.number == number }.map { queue.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  private func startNext() {
    let next = queue.withLock { queue in
      if queue.waiters.isEmpty {
        queue.isBusy = false
        return nil as CheckedContinuation<Void, any Error>?
      }
      return queue.waiters.removeFirst().continuation
    }
    next?.resume()
  }
}
