internal import Foundation
internal import PostgresJournal
internal import PrimereplBridge
internal import PrimereplDomain
internal import StateStore
internal import Subprocess

/// A PostgreSQL server with its default settings and its own data, on a Unix socket and on the loopback.
///
/// It ends, and its files are removed, when this process ends.
@MainActor
final class DatabaseServer {
  /// The server that all benchmarks share.
  static let shared = Lazily { try DatabaseServer() }

  private let folder: String
  private let port = Int.random(in: 20_000..<30_000)
  private let programs: String
  /// The shell that stops the server as soon as its input ends.
  private let keeper: UnsafeMutablePointer<FILE>

  private static let patience = Duration.seconds(60)
  private static let outputLimit = 1024 * 1024

  private init() throws {
    guard let programs = Self.findPrograms() else {
      throw BenchmarkError.skipped(reason: "PostgreSQL isn't installed: apt-get install postgresql")
    }
    self.programs = programs
    // The path of a socket must be short.
    var path = Array("/tmp/pg-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { throw BenchmarkError.commandFailed("no temporary folder") }
    folder = String(decoding: path.dropLast().map(UInt8.init), as: UTF8.self)
    // PostgreSQL refuses to run as root.
    let user = geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups" : ""
    let script = """
      exec >\(folder)/log 2>&1; cd \(folder)
      [ -z "\(user)" ] || chown postgres .
      \(user) \(programs)/initdb --pgdata=data --username=bench --auth=trust --locale=C \
        --encoding=UTF8 &&
      \(user) \(programs)/pg_ctl start --silent --wait --pgdata=data --log=server-log --options="\
        -c unix_socket_directories=\(folder) -c listen_addresses=127.0.0.1 -c port=\(port) \
        -c max_connections=1100"
      echo $? >started
      cat >/dev/null
      \(user) \(programs)/pg_ctl stop --silent --wait --pgdata=data --mode=immediate
      rm -rf \(folder)
      """
    guard let keeper = popen(script, "we") else {
      throw BenchmarkError.commandFailed("no shell for PostgreSQL's server")
    }
    self.keeper = keeper
    try waitUntilStarted()
    // Makes the tables.
    _ = try session("first")
  }

  private func waitUntilStarted() throws {
    let end = ContinuousClock.now + Self.patience
    while .now < end {
      if let status = try? String(contentsOfFile: folder + "/started", encoding: .utf8),
        status.hasSuffix("\n")
      {
        guard status == "0\n" else { break }
        return
      }
      usleep(20_000)
    }
    throw BenchmarkError.commandFailed("PostgreSQL's server doesn't start: see \(folder)")
  }

  /// The folder of PostgreSQL's programs, as Debian has it, of the latest version.
  private static func findPrograms() -> String? {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return versions.compactMap { Int($0) }.max().map { "\(folder)/\($0)/bin" }
  }

  /// The address of the database, on the Unix socket or on the loopback.
  func address(usesTCP: Bool = false) -> String {
    usesTCP
      ? "postgresql://bench@127.0.0.1:\(port)/postgres?"
      : "postgresql://bench@/postgres?host=\(folder)&port=\(port)"
  }

  /// The address of a session.
  func address(session: String, usesTCP: Bool = false) -> String {
    "\(address(usesTCP: usesTCP))&session=\(session)"
  }

  /// Opens a session, as the program does.
  func session(_ name: String, usesTCP: Bool = false) throws -> JournaledSession {
    let journal = try PostgresJournal(
      of: App.schema, program: App.program, address: address(session: name, usesTCP: usesTCP))
    return try JournaledSession(App.schema, in: journal)
  }

  /// Runs SQL by psql, each statement in a transaction of its own.
  ///
  /// - Returns: the rows, a line for each.
  @discardableResult
  func run(_ sql: String) async throws -> [String] {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "statements.sql")
    try sql.write(toFile: file, atomically: false, encoding: .utf8)
    let result = try await Subprocess.run(
      .path(.init(programs + "/psql")),
      arguments: ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", address(), "-f", file],
      output: .string(limit: Self.outputLimit), error: .string(limit: Self.outputLimit))
    withExtendedLifetime(folder) {}
    guard result.terminationStatus.isSuccess else {
      throw BenchmarkError.commandFailed(result.standardError)
    }
    return result.standardOutput.split(separator: "\n").map(String.init)
  }
}
