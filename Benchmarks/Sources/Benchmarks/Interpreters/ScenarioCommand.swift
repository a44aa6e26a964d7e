internal import Foundation
internal import Subprocess

/// The command that runs scenarios, as `make build` makes it, and busted, which it is compared with.
struct ScenarioCommand {
  private static let outputLimit = 1024 * 1024

  /// Runs `primerepl test` on a file with some content.
  ///
  /// - Parameters:
  ///   - source: the scenarios.
  ///   - arguments: further arguments.
  ///   - cores: the cores that the processes may use, as taskset takes them; nil for all.
  /// - Returns: the time of the whole run.
  /// - Throws: ``BenchmarkError``; `skipped` where the program isn't built.
  static func test(
    _ source: String, _ arguments: [String] = [], cores: String? = nil
  ) async throws -> Duration {
    try ReleaseProgram.requireBuilt()
    return try await run(
      [ReleaseProgram.path, "test", "--report", "tap"] + arguments, source, cores)
  }

  /// Runs busted on a file with some content; `skipped` where there is no busted.
  static func busted(_ source: String, cores: String? = nil) async throws -> Duration {
    try await run(["busted", "--output=plainTerminal"], source, cores)
  }

  private static func run(
    _ command: [String], _ source: String, _ cores: String?
  ) async throws -> Duration {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "bench.scenario.lua")
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    let pinned = (cores.map { ["taskset", "-c", $0] } ?? []) + command + [file]
    let start = ContinuousClock.now
    let result: ExecutionResult<Void, StringOutput<UTF8>, StringOutput<UTF8>>
    do {
      result = try await Subprocess.run(
        .name("env"), arguments: .init(pinned), output: .string(limit: outputLimit),
        error: .string(limit: outputLimit))
    }
    let duration = ContinuousClock.now - start
    withExtendedLifetime(folder) {}
    switch result.terminationStatus {
    case .exited(0), .exited(1): return duration
    case .exited(127):
      throw BenchmarkError.skipped(reason: "there is no \(command[0]) in PATH")
    default: throw BenchmarkError.commandFailed(result.standardError + result.standardOutput)
    }
  }
}
