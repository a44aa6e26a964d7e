import StateStore
import Foundation
import Subprocess
import SystemPackage

/// A command that does one computation with primes, so that it can be killed.
///
/// It ends with the process that asked, whatever ended that: its standard input is a socket whose other end only that
/// process has, so that it reads the end of the input then. (Linux could also send a signal when a parent ends, but does so
/// when its thread ends, and not if the parent ended before it was asked for.)
public struct PrimeHelper: Sendable {
  /// An answer is one number; anything longer than this is something else.
  private static let outputLimit = 1024
  private static let diagnosticLimit = 64 * 1024

  private let executable: String
  private let arguments: [String]
  private let memoryLimit: Int?

  /// Makes a helper.
  ///
  /// - Parameters:
  ///   - executable: The path of the command.
  ///   - arguments: Its first arguments. After them come those of `PrimeHelperTask`, and it prints the answer on one
  ///     line, as `PrimeHelperTask.run()` gives it.
  ///   - memoryLimit: How many bytes a computation may use; nil for any number.
  public init(executable: String, arguments: [String] = [], memoryLimit: Int? = nil) {
    self.executable = executable
    self.arguments = arguments
    self.memoryLimit = memoryLimit
  }

  /// Has the command do a computation; cancelling the task kills it.
  ///
  /// - Parameters:
  ///   - computation: The computation.
  ///   - cores: How many cores it may use.
  /// - Returns: The answer.
  /// - Throws: `PrimeError.helperFailed` or `PrimeError.outOfMemory`, or `CancellationError`.
  func answer(to computation: PrimeComputation, cores: Int) async throws -> Int {
    let task = PrimeHelperTask(computation: computation, cores: cores, memoryLimit: memoryLimit)
    var result = try await run(task)
    if result.terminationStatus == .signaled(SIGINT) {
      // Ctrl-C at a terminal is for the command, too, and came before it could ignore it. Whether it is for this
      // computation is for this process to say.
      result = try await run(task)
    }
    // A killed command ends in one of several ways, all of which are the cancellation.
    try Task.checkCancellation()
    let output = result.standardOutput.trimmed
    guard result.terminationStatus.isSuccess else {
      let diagnostics = result.standardError.trimmed
      if let memoryLimit, task.isOutOfMemory(diagnostics) {
        throw PrimeError.outOfMemory(limit: memoryLimit)
      }
      throw failure(
        "ended with \(result.terminationStatus)"
          + (diagnostics.isEmpty ? "" : ": \(ExternalText.quoted(String(diagnostics)))"))
    }
    guard let answer = Int(output) else {
      throw failure("answered \"\(ExternalText.quoted(String(output)))\", which is not a number")
    }
    return answer
  }

  private func run(
    _ task: PrimeHelperTask
  ) async throws -> ExecutionResult<Void, StringOutput<UTF8>, StringOutput<UTF8>> {
    let lifeline = try lifeline()
    // The child has it as long as this process keeps its end.
    defer { close(lifeline.kept) }
    do {
      return try await Subprocess.run(
        .path(.init(executable)), arguments: .init(arguments + task.arguments),
        input: .fileDescriptor(
          FileDescriptor(rawValue: lifeline.given), closeAfterSpawningProcess: true),
        output: .string(limit: Self.outputLimit), error: .string(limit: Self.diagnosticLimit))
    } catch {
      try Task.checkCancellation()
      throw failure("\(error)")
    }
  }

  /// Two connected sockets, of which this process keeps one.
  ///
  /// No other child gets either.
  private func lifeline() throws -> (kept: Int32, given: Int32) {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
      // Not a pipe, which could be closed on execution only a moment later, when another thread may have made a child.
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw failure(SystemFailure.reason) }
    #if !os(Linux)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    return (ends[0], ends[1])
  }

  private func failure(_ reason: String) -> PrimeError {
    PrimeError.helperFailed(reason: "\(executable): \(reason)")
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    let length = start.reversed().drop(while: \.isWhitespace).count
    return start.prefix(length)
  }
}
