import StateStore
import Dispatch
import Foundation

/// Answers questions about primes on this machine, by libprimecount.
///
/// The library can't be stopped, so computations that may take long run in a child process that can
/// be killed, where there is a helper for that. The others, which are most, run on a thread of
/// their own in this process.
public struct LocalPrimes: PrimeSource {
  private let helper: PrimeHelper?

  /// Computations block their thread, so they take none from tasks.
  private static let queue = DispatchQueue(label: "primerepl.primes", attributes: .concurrent)

  /// Who does a short computation: one at a time, as the library uses all cores for it.
  ///
  /// It takes a tenth of a second at most, so that the next one doesn't wait for long.
  private static let shortTurns = ComputationCores(1)

  /// What long computations share; a short one doesn't wait for them.
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

  /// How many primes there are up to a number; 0 below 2.
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
