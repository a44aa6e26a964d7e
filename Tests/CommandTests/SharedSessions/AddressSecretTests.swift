import Foundation
import Testing
import TestSupport

@Suite(
  "The password of a server's address",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct AddressSecretTests {
  private let folder: TemporaryFolder
  private let runner: CommandRunner

  init() throws {
    folder = try TemporaryFolder()
    runner = CommandRunner(workingDirectory: folder.path)
  }

  private static let addresses = [
    "postgresql://anna:Zx/9Q@127.0.0.1:1/db", "postgresql://anna:Zx@9Q@127.0.0.1:1/db",
    "postgresql://anna:Zx%2F9Q@127.0.0.1:1/db", "PostgreSQL://anna:Zx9Q@127.0.0.1:1/db",
    "POSTGRES://anna:Zx9Q@127.0.0.1:1/db", " postgresql://anna:Zx9Q@127.0.0.1:1/db",
    "postgresql://127.0.0.1:1/db?sslpassword=Zx9Q", "postgresql://127.0.0.1:1/db?pass%77ord=Zx9Q",
    "postgresql://127.0.0.1:Zx9Q/db", "postgresql://anna:Zx%9Q@127.0.0.1:1/db",
    "postgresql:anna:Zx9Q@127.0.0.1", "postgresqll://anna:Zx9Q@127.0.0.1:1/db",
    "host=127.0.0.1 port=1 password=Zx9Q",
  ]

  /// Expects that a run fails without showing the password, and makes no file with it.
  private func expectSecrecy(
    of arguments: [String], environment: [String: String?] = [:]
  ) async throws {
    var runner = runner
    runner.environment = environment
    let result = try await runner.run(arguments)
    #expect(result.status != .exited(0), "\(arguments)")
    let texts = [result.output, result.error] + folder.files("")
    #expect(texts.allSatisfy { !$0.contains(/Zx|9Q/) }, "\(arguments): \(texts)")
  }

  @Test("is in no message, and makes no file", arguments: addresses)
  func messages(address: String) async throws {
    try await expectSecrecy(of: ["--state=\(address)", "-e", "print(1)"])
    try await expectSecrecy(of: ["sessions", address])
  }

  @Test(
    "is in no message of any command",
    arguments: [
      ["--state", addresses[0], "-q"], ["--copy-to", addresses[0], "--state", "x"],
      ["--copy-to", "x", "--state", addresses[0]], ["--state", addresses[0], "--bogus"],
      ["--state", addresses[0], "missing.lua"], [addresses[0], "x"],
    ])
  func commands(arguments: [String]) async throws { try await expectSecrecy(of: arguments) }

  @Test(
    "is in no message if the environment has the address",
    arguments: [["sessions"], ["-e", "print(1)"]])
  func environment(arguments: [String]) async throws {
    try await expectSecrecy(of: arguments, environment: ["PRIMEREPL_STATE": Self.addresses[0]])
  }

  #if os(Linux)
    @Test(
      "isn't in the list of processes; a script still gets its own arguments",
      arguments: addresses.filter { $0.lowercased().contains("postgres") && !$0.contains("qll") })
    func processes(address: String) async throws {
      let code = "print(..., arg[1]) print(io.open('/proc/self/cmdline'):read('a'))"
      _ = try folder.write(code, to: "script.lua")
      let lines = try await runner.run(["script.lua", address]).output.split(separator: "\n")
      #expect(lines.first == "\(address)\t\(address)")
      #expect(lines.count == 2 && lines.last?.contains(/Zx|9Q/) == false, "\(lines)")
    }
  #endif

  @Test("of a letter leaves messages as they are")
  func short() async throws {
    let result = try await runner.run([
      "--state", "postgresql://anna:e@127.0.0.1:1/db", "-e", "print(1)",
    ])
    #expect(
      result.error.hasPrefix(
        "primerepl: postgresql://anna@127.0.0.1:1/db: connection to server at \"127.0.0.1\""))
  }
}
