internal import Subprocess

/// A command that runs Lua code in a separate process.
struct CommandInterpreter {
  /// Lua's own command.
  static let lua = Self(name: "lua5.4", executable: .name("lua5.4"))

  /// The system's shell.
  static let shell = Self(name: "sh", executable: .name("sh"), nothing: ["-c", ":"])

  /// The release build of this repository's program.
  static let program = Self(
    name: "primerepl", executable: .path(.init(ReleaseProgram.path)))

  /// The program with an app that is declared in Lua.
  static let shop = program(LuaApp.shop.arguments)

  /// The program with an app that has queries.
  static let ledger = program(LuaApp.ledger.arguments)

  /// The program with options.
  static func program(_ options: [String]) -> Self {
    Self(name: program.name, executable: program.executable, options: options)
  }

  private static let outputLimit = 64 * 1024

  let name: String
  let executable: Executable
  /// The options of every run.
  var options: [String] = []
  /// The arguments with which it does nothing.
  var nothing = ["-e", ""]

  /// What a chunk that measures itself gives.
  ///
  /// - Parameters:
  ///   - source: the chunk, which takes a count and returns seconds.
  ///   - count: the count.
  /// - Returns: the time that the chunk measured.
  /// - Throws: ``BenchmarkError``; `skipped` where there is no such command.
  func measure(_ source: String, count: Int) async throws -> Duration {
    let script = "io.write(assert(load([==[\(source)]==]))(...))"
    let output = try await run(["-", "\(count)"], input: script)
    guard let seconds = Double(output) else { throw BenchmarkError.commandFailed(output) }
    return .seconds(seconds)
  }

  /// Runs the command with code that does nothing.
  ///
  /// - Returns: the time of the whole run.
  /// - Throws: ``BenchmarkError``; `skipped` where there is no such command.
  func start() async throws -> Duration {
    let start = ContinuousClock.now
    _ = try await run(nothing)
    return ContinuousClock.now - start
  }

  /// Runs the command, and returns what it writes.
  func run(_ arguments: [String], input: String = "") async throws -> String {
    let result: ExecutionResult<Void, StringOutput<UTF8>, StringOutput<UTF8>>
    do {
      result = try await Subprocess.run(
        executable, arguments: .init(options + arguments), input: .string(input),
        output: .string(limit: Self.outputLimit), error: .string(limit: Self.outputLimit))
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw BenchmarkError.skipped(reason: "there is no \(name)")
    }
    guard result.terminationStatus.isSuccess else {
      throw BenchmarkError.commandFailed(result.standardError + result.standardOutput)
    }
    return result.standardOutput
  }
}
