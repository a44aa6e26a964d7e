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

/// Runs the built command as a process, and returns its output and exit status.
struct CommandRunner: Sendable {
  /// The command didn't end in time and was killed.
  struct TimeLimitExceeded: Error, CustomStringConvertible {
    let arguments: [String]
    let output: String
    let error: String

    var description: String {
      """
      primerepl \(arguments.joined(separator: " ")) didn't end in time. \
      Standard output so far: «\(output)». Standard error so far: «\(error)».
      """
    }
  }

  /// The name of a program that is built with the tests, or the path of another one.
  var program = "primerepl"

  /// Variables to set besides those of `CommandEnvironment`; nil unsets one.
  var environment: [String: String?] = [:]

  /// The command's working folder; nil for a new one.
  var workingDirectory: String?

  /// The folder used as the user's home, which several runs can share; nil for a new one for each run.
  var home: TemporaryFolder?

  /// Shell commands to run before the command, such as to set a limit.
  var preparation: String?

  /// The time limit of a run.
  ///
  /// It is generous, as it only has to catch hangs: long computations keep other tests waiting.
  var timeLimit: Duration = .seconds(300)

  /// Runs the command to its end.
  func run(_ arguments: [String] = [], input: [UInt8]) async throws -> CommandOutput {
    Self.handleBrokenPipes
    let home = try home ?? TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    let command = try program.hasPrefix("/") ? program : BuiltExecutable.path(of: program)
    let configuration = Configuration(
      executable: .path(FilePath(preparation == nil ? command : "/bin/sh")),
      arguments: Arguments(
        (preparation.map { ["-c", $0 + #" && exec "$0" "$@""#, command] } ?? []) + arguments),
      environment: CommandEnvironment.make(home: home.path, changes: environment),
      workingDirectory: FilePath(workingDirectory ?? home.path))
    let output = Collector()
    let error = Collector()
    return try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
      // Cancelling the first task kills the process.
      defer { group.cancelAll() }
      group.addTask {
        try await Self.run(configuration, input: input, output: output, error: error)
      }
      group.addTask {
        try await Task.sleep(for: timeLimit)
        return nil
      }
      guard let status = try await group.next().flatMap(\.self) else {
        throw TimeLimitExceeded(arguments: arguments, output: output.text, error: error.text)
      }
      return CommandOutput(
        status: status, outputBytes: output.bytes, errorBytes: error.bytes)
    }
  }

  /// Runs the command to its end, with text on its standard input.
  func run(_ arguments: [String] = [], input: String = "") async throws -> CommandOutput {
    try await run(arguments, input: Array(input.utf8))
  }

  /// Makes writing to a command that has ended an error: by default, SIGPIPE ends the tests.
  ///
  /// The signal isn't ignored, as the command would inherit that.
  private static let handleBrokenPipes: Void = { _ = signal(SIGPIPE) { _ in } }()

  private static func run(
    _ configuration: Configuration, input: [UInt8], output: Collector, error: Collector
  ) async throws -> TerminationStatus {
    try await Subprocess.run(
      configuration, input: .inputWriter, output: .sequence, error: .sequence
    ) { execution in
      async let errorEnd: Void = error.collect(execution.standardError)
      async let inputEnd: Void = write(input, to: execution.standardInputWriter)
      try await output.collect(execution.standardOutput)
      try await errorEnd
      try await inputEnd
    }.terminationStatus
  }

  /// Writes all of the input, unless the command ends before it has read it.
  ///
  /// Subprocess itself, given the input, ends the tests if the command has ended before it writes.
  private static func write(_ input: [UInt8], to writer: StandardInputWriter) async throws {
    do {
      _ = try await writer.write(input)
    } catch let error where error.code == .failedToWriteToSubprocess {
      // The command reads no more.
    }
    try await writer.finish()
  }
}

/// Bytes as they arrive, so that they can be shown if the rest never does.
final class Collector: Sendable {
  private let collected = Mutex<[UInt8]>([])

  var bytes: [UInt8] { collected.withLock { $0 } }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func collect(_ sequence: SubprocessOutputSequence) async throws {
    for try await buffer in sequence {
      let bytes = buffer.withUnsafeBytes(Array.init)
      collected.withLock { $0 += bytes }
    }
  }
}
