internal import Subprocess

/// A command that runs Lua code in a separate process.
struct CommandInterpreter {
  static let name = "lua5.4"

  private static let outputLimit = 64 * 1024

  /// What a chunk that measures itself gives.
  ///
  /// - Parameters:
  ///   - source: the chunk, which takes a count and returns seconds.
  ///   - count: the count.
  /// - Returns: the time that the chunk measured.
  /// - Throws: ``BenchmarkError``; `skipped` where there is no such command.
  func measure(_ source: String, count: Int) async throws -> Duration {
    let script = "io.write(assert(load([==[\(source)]==]))(...))"
    let result: ExecutionResult<Void, StringOutput<UTF8>, StringOutput<UTF8>>
    do {
      result = try await Subprocess.run(
        .name(Self.name), arguments: ["-", "\(count)"], input: .string(script),
        output: .string(limit: Self.outputLimit), error: .string(limit: Self.outputLimit))
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw BenchmarkError.skipped(reason: "there is no \(Self.name) in PATH")
    }
    guard result.terminationStatus.isSuccess, let seconds = Double(result.standardOutput) else {
      throw BenchmarkError.commandFailed(result.standardError + result.standardOutput)
    }
    return .seconds(seconds)
  }
}
