import Collections
import Synchronization

/// The processor's cores, shared among computations that wait for their turn in the order in which they came.
///
/// More computations at a time than cores would finish no earlier, and take more memory.
final class ComputationCores: Sendable {
  fileprivate struct Shares {
    var free: Int
    var lastNumber = 0
    /// The numbers of those that came, the first of them first; those that gave up are still there.
    var queue: Deque<Int> = []
    var waiters: [Int: CheckedContinuation<Int, any Error>] = [:]
    /// Those that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let shares: Mutex<Shares>

  /// Shares a number of cores, which is 1 or more.
  init(_ count: Int) {
    shares = Mutex(Shares(free: max(count, 1)))
  }

  /// Does a computation when there is a core for it.
  ///
  /// - Parameter body: The computation, which is given the number of cores it may use: all that are free, or its part of
  ///   them where others wait.
  /// - Returns: What the computation gives.
  /// - Throws: What the computation throws, or `CancellationError` if the task is cancelled while it waits.
  func use<Result>(_ body: (_ cores: Int) async throws -> Result) async throws -> Result {
    let cores = try await take()
    defer { give(back: cores) }
    return try await body(cores)
  }

  private func take() async throws -> Int {
    let number = shares.withLock { shares in
      shares.lastNumber += 1
      return shares.lastNumber
    }
    // One that is cancelled when it has got its cores leaves its number behind.
    defer { shares.withLock { _ = $0.cancelled.remove(number) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = shares.withLock { shares in
          if shares.cancelled.contains(number) { return true }
          shares.queue.append(number)
          shares.waiters[number] = continuation
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { serve() }
      }
    } onCancel: {
      let waiter = shares.withLock { shares in
        shares.cancelled.insert(number)
        return shares.waiters.removeValue(forKey: number)
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func give(back cores: Int) {
    shares.withLock { $0.free += cores }
    serve()
  }

  /// Gives free cores to those who wait.
  private func serve() {
    while let served = shares.withLock({ $0.takeNext() }) {
      served.waiter.resume(returning: served.cores)
    }
  }
}

extension ComputationCores.Shares {
  /// Takes the one that is served next, if one waits and a core is free, with its cores.
  fileprivate mutating func takeNext() -> (waiter: CheckedContinuation<Int, any Error>, cores: Int)?
  {
    while free > 0, let number = queue.popFirst() {
      guard let waiter = waiters.removeValue(forKey: number) else { continue }
      let cores = max(1, free / (waiters.count + 1))
      free -= cores
      return (waiter, cores)
    }
    return nil
  }
}
