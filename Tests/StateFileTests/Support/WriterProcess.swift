import Foundation
import PrimereplPlatform
import SampleFeatures
import Subprocess
import Synchronization
import Testing
import TestSupport

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// Runs `journal-writer`, which writes to a state file.
enum WriterProcess {
  /// Runs it to its end, and returns the lines that it printed.
  static func run(_ path: String, _ steps: String...) async throws -> [Substring] {
    try await run(path, steps)
  }

  /// Runs it to its end.
  static func run(_ path: String, _ steps: [String]) async throws -> [Substring] {
    let result = try await Subprocess.run(
      .path(FilePath(BuiltExecutable.path(of: "journal-writer"))),
      arguments: Arguments([path] + steps), output: .string(limit: 1 << 20),
      error: .string(limit: 1 << 20))
    try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
    return result.standardOutput.split(separator: "\n")
  }

  /// Runs it to add notes, kills it after a wait, and returns the last action that it announced, or 0.
  static func appendUntilKilled(
    _ path: String, after wait: @escaping @Sendable () async throws -> Void
  ) async throws -> Int {
    let configuration = Configuration(
      executable: .path(FilePath(try BuiltExecutable.path(of: "journal-writer"))),
      arguments: [path, "append=1000000"])
    let output = Mutex("")
    _ = try await Subprocess.run(
      configuration, input: .none, output: .sequence, error: .discarded
    ) { execution in
      let process = execution.processIdentifier.value
      // Its output is read meanwhile, so that it doesn't block.
      async let killing: Void = {
        try await wait()
        kill(process, SIGKILL)
      }()
      for try await buffer in execution.standardOutput {
        let text = buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        output.withLock { $0 += text }
      }
      try await killing
    }
    // The last line may be incomplete.
    let complete = output.withLock { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .dropLast()
    return complete.last.flatMap { Int($0) } ?? 0
  }
}
