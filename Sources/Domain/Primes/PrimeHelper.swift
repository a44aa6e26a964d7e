import Foundation
import Subprocess

/// A command that does one computation with primes, so that it can be killed.
public struct PrimeHelper: Sendable {
  /// An answer is one number; anything longer than this is something else.
  private static let outputLimit = 1024
  private static let diagnosticLimit = 64 * 1024

  private static let timeForCancellation = Duration.seconds(5)

  private let executable: String
  private let arguments: [String]

  /// Makes a helper.
  ///
  /// - Parameters:
  ///   - executable: The path of the command.
  ///   - arguments: Its first arguments. After them come `nth N` or `count N`, and it prints the
  ///     answer on one line, as `run(arguments:)` gives it.
  public init(executable: String, arguments: [String] = []) {
    self.executable = executable
    self.arguments = arguments
  }

  /// The command's side: does a computation and gives the line to print.
  ///
  /// - Parameter arguments: `nth N` or `count N`.
  /// - Returns: The answer in decimal digits.
  /// - Throws: `PrimeError`.
  public static func run(arguments: [String]) async throws -> String {
    "\(try await LocalPrimes.run(PrimeComputation(arguments: arguments)))"
  }

  /// Has the command do a computation; cancelling the task kills it.
  ///
  /// - Throws: `PrimeError.helperFailed`, or `CancellationError`.
  func answer(to computation: PrimeComputation) async throws -> Int {
    let result: ExecutionResult<Void, StringOutput<UTF8>, StringOutput<UTF8>>
    do {
      result = try await Subprocess.run(
        .path(.init(executable)), arguments: .init(arguments + computation.arguments),
        output: .string(limit: Self.outputLimit), error: .string(limit: Self.diagnosticLimit))
    } catch {
      try Task.checkCancellation()
      throw PrimeError.helperFailed(reason: "\(executable): \(error)")
    }
    if result.terminationStatus == .signaled(SIGINT) {
      // Ctrl-C at a terminal is for the command, too, which may end before this task is cancelled.
      try await Task.sleep(for: Self.timeForCancellation)
    }
    // A killed command ends in one of several ways, all of which are the cancellation.
    try Task.checkCancellation()
    let output = result.standardOutput.trimmed
    guard result.terminationStatus.isSuccess else {
      let diagnostics = result.standardError.trimmed
      throw PrimeError.helperFailed(
        reason: "\(executable) ended with \(result.terminationStatus)"
          + (diagnostics.isEmpty ? "" : ": \(diagnostics)"))
    }
    guard let answer = Int(output) else {
      throw PrimeError.helperFailed(
        reason: "\(executable) answered \"\(output)\", which is not a number")
    }
    return answer
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
