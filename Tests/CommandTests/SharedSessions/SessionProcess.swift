import Foundation
import PrimereplPlatform
import Subprocess
import Synchronization
import TerminalSupport
import TestSupport

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A process that runs Lua code on a shared session, and whose lines are read as it prints them.
final class SessionProcess: Sendable {
  private let address: String
  private let code: String
  private let identifier = Mutex<pid_t?>(nil)
  private let output = Collector()
  private let error = Collector()

  init(on address: String, _ code: String) { (self.address, self.code) = (address, code) }

  /// Runs it to its end.
  func run() async throws -> TerminationStatus {
    let home = try TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    let configuration = Configuration(
      executable: .path(FilePath(try BuiltExecutable.path(of: "primerepl"))),
      arguments: ["--state", address, "-e", code],
      environment: CommandEnvironment.make(home: home.path, changes: [:]),
      workingDirectory: FilePath(home.path))
    return try await Subprocess.run(
      configuration, input: .none, output: .sequence, error: .sequence
    ) { [self] execution in
      identifier.withLock { $0 = execution.processIdentifier.value }
      async let errorEnd: Void = error.collect(execution.standardError)
      try await output.collect(execution.standardOutput)
      try await errorEnd
    }.terminationStatus
  }

  /// Kills it, once it has been started and as long as it runs.
  func kill() async throws {
    try await wait(for: "the start of a process") { identifier.withLock { $0 != nil } }
    identifier.withLock { if let process = $0 { _ = Foundation.kill(process, SIGKILL) } }
  }

  /// The lines that it has printed so far.
  var lines: [Substring] { Self.lines(output) }

  /// The messages that it has written to standard error so far.
  var messages: [Substring] { Self.lines(error) }

  // The last line may be incomplete.
  private static func lines(_ collector: Collector) -> [Substring] {
    collector.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }
}
