import Foundation
import Subprocess
import TerminalSupport
import Testing
import TestSupport

/// The processes that compute large primes, which the command starts.
@Suite("Prime helper processes", .serialized, .timeLimit(.minutes(5)))
struct PrimeHelperProcessTests {
  /// A number that no other test asks for, and a computation of hours.
  private func ordinal() -> Int { 200_000_000_000_000_000 - Int.random(in: 0..<1_000_000_000) }

  /// The helpers that compute one of the ordinals.
  private func helpers(_ ordinals: [Int]) async throws -> [pid_t] {
    let result = try await Subprocess.run(
      .name("pgrep"),
      arguments: [
        "-f", "__prime-helper nth (\(ordinals.map(String.init).joined(separator: "|")))( |$)",
      ],
      output: .string(limit: 100_000), error: .discarded)
    return result.standardOutput.split(separator: "\n").compactMap { pid_t($0) }
  }

  private func wait(_ what: Comment, until isReached: () async throws -> Bool) async throws {
    for _ in 0..<1_000 {
      if try await isReached() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record(what)
  }

  @Test(
    "end with their parent process, however that ends",
    arguments: [SIGKILL, SIGTERM, SIGHUP, SIGINT])
  func endWithParent(signal: Int32) async throws {
    let ordinal = ordinal()
    let command = try BuiltExecutable.path(of: "primerepl")
    _ = try await Subprocess.run(
      .path(.init(command)), arguments: ["-e", "prime.nth(\(ordinal))"], input: .none,
      output: .discarded, error: .discarded
    ) { execution in
      try await wait("it has begun") { try await !helpers([ordinal]).isEmpty }
      kill(execution.processIdentifier.value, signal)
    }
    try await wait("it has ended") { try await helpers([ordinal]).isEmpty }
  }

  @Test(
    "end with os.exit, and with other children still there",
    arguments: ["os.exit(3)", "os.exit(3, true)", #"os.execute("sleep 20 >&- 2>&- &") os.exit(3)"#])
  func endWithExit(exit: String) async throws {
    let ordinal = ordinal()
    let result = try await CommandRunner().run([
      "-e", "task.spawn(prime.nth, \(ordinal)) task.sleep(0.5) \(exit)",
    ])
    #expect(result.status == .exited(3))
    try await wait("it has ended") { try await helpers([ordinal]).isEmpty }
  }

  @Test("end at the time limit")
  func endWithTimeLimit() async throws {
    let ordinals = (0..<6).map { _ in ordinal() }
    let result = try await CommandRunner().run([
      "--sandbox", "--max-time", "1", "-e",
      ordinals.map { "task.spawn(prime.nth, \($0))" }.joined(separator: " "),
    ])
    #expect(result.status == .exited(1))
    try await wait("they have ended") { try await helpers(ordinals).isEmpty }
  }

  @Test("survive a Ctrl-C that discards a line")
  func ctrlC() async throws {
    let ordinal = ordinal()
    try await PseudoTerminal.prompt([]) { terminal in
      try await terminal.send("t = task.spawn(prime.nth, \(ordinal))\n", showing: "\n> ")
      try await wait("it has begun") { try await !helpers([ordinal]).isEmpty }
      try await terminal.send("x\u{03}", showing: "^C\n> ")
      try await Task.sleep(for: .milliseconds(200))
      try await terminal.send("t.status\n", showing: "\n> ")
      #expect(try await helpers([ordinal]).count == 1)
      try await terminal.send("t:cancel()\n", showing: "\n> ")
    }
    try await wait("it has ended") { try await helpers([ordinal]).isEmpty }
  }

  #if os(Linux)
    @Test("that exceed the memory limit are an error")
    func memory() async throws {
      let code = "local ok, err = pcall(prime.nth, \(ordinal())) print(ok, err.code)"
      let result = try await CommandRunner().run([
        "--sandbox", "--max-memory", "8M", "--max-time", "60", "-e", code,
      ])
      #expect(result.output == "false\tout_of_memory\n")
    }
  #endif
}
