import DequeModule
import Dispatch
import Foundation
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

  /// The turns of short computations: one at a time, since the library uses all cores for it.
  ///
  /// Each takes a tenth of a second at most, so the next one doesn't wait for long.
  private static let shortTurns = ComputationCores(1)

  /// The cores that long computations share; a short one doesn't wait for them.
  private static let cores = ComputationCores(ProcessInfo.processInfo.activeProcessorCount)

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
    try Threads.check()
    guard computation.isLong else {
      return try await Self.shortTurns.use { _ in try await Self.run(computation) }
    }
    return try await Self.cores.use { cores in
      guard let helper else { return try await Self.run(computation) }
      return try await helper.answer(to: computation, cores: cores)
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

/// The processor's cores, shared among computations that take turns in the order of their arrival.
///
/// Running more computations at once than there are cores would finish none earlier, and take more memory.
final class ComputationCores: Sendable {
  private struct Shares {
    var free: Int
    var lastNumber = 0
    /// The numbers of the computations in the order of their arrival; cancelled ones are still there.
    var queue: Deque<Int> = []
    var waiters: [Int: CheckedContinuation<Int, any Error>] = [:]
    /// The computations that were cancelled before they began to wait.
    var cancelled: Set<Int> = []

    /// Removes and returns the next computation to serve, with its cores, if one waits and a core is free.
    mutating func takeNext() -> (waiter: CheckedContinuation<Int, any Error>, cores: Int)? {
      while free > 0, let number = queue.popFirst() {
        guard let waiter = waiters.removeValue(forKey: number) else { continue }
        let cores = max(1, free / (waiters.count + 1))
        free -= cores
        return (waiter, cores)
      }
      return nil
    }
  }

  private let shares: Mutex<Shares>

  /// Shares a number of cores, at least 1.
  init(_ count: Int) {
    shares = Mutex(Shares(free: max(count, 1)))
  }

  /// Runs a computation when a core is free for it.
  ///
  /// The computation gets the number of cores it may use: all free ones, or its share if others wait. It throws
  /// `CancellationError` if the task is cancelled while it waits.
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
    // A computation that is cancelled after it got its cores leaves its number behind.
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

  /// Gives free cores to the computations that wait.
  private func serve() {
    while let served = shares.withLock({ $0.takeNext() }) {
      served.waiter.resume(returning: served.cores)
    }
  }
}
