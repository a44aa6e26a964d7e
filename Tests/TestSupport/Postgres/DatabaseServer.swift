import FlyingSocks
import Foundation
import Subprocess
import Synchronization

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A real PostgreSQL server with its own data, on a Unix socket.
///
/// It ends, and its files are removed, with its last reference or with the process, even one that is killed.
/// Everybody on this machine who can reach it may log in, as `tests` or as a role that a test creates.
package final class DatabaseServer: Sendable {
  /// The server or a query failed.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether PostgreSQL's server is installed.
  package static var isInstalled: Bool { programs != nil }

  /// Why tests that need a server are left out; for `.enabled(if:)`.
  package static let missingReason = "PostgreSQL isn't installed: apt-get install postgresql"

  /// The superuser of every server.
  package static let superuser = "tests"

  /// The path of the folder with the server's socket, log and data.
  ///
  /// It is short: the path of a socket has at most 107 bytes.
  package let folder: String

  /// The port on 127.0.0.1; nil without TCP.
  package let port: UInt16?

  private let programs: String
  private let orders: AsyncStream<Order>.Continuation
  private let databaseCount = Atomic(0)

  /// Starts a new server, which doesn't wait for disks: it survives all crashes but the operating system's.
  ///
  /// - Parameter usesTCP: Whether it also listens on a free port of 127.0.0.1.
  /// - Throws: `Failure`, with the end of the log.
  package init(usesTCP: Bool = false) async throws {
    guard let programs = Self.programs else { throw Failure(description: Self.missingReason) }
    self.programs = programs
    port = usesTCP ? try Self.freePort() : nil
    let owner = try Self.owner()
    folder = try Self.makeFolder(owner: owner)
    let settings = [
      "unix_socket_directories": folder, "port": "\(port ?? Self.defaultPort)",
      "listen_addresses": usesTCP ? "127.0.0.1" : "", "max_connections": "200", "fsync": "off",
    ]
    // The inner quotes are for the shell by which pg_ctl starts the server.
    let options = settings.map { name, value in
      "-c '\(name)=\(value.replacing("'", with: #"'\''"#))'"
    }.joined(separator: " ")
    var platform = PlatformOptions()
    // Ctrl-C at the terminal doesn't reach another session: the test process decides when the server ends.
    platform.createSession = true
    // A child can't change its groups before it is another program: in it, glibc would wait for this process's threads.
    let identity = owner.map {
      ["setpriv", "--reuid=\($0.user)", "--regid=\($0.group)", "--clear-groups"]
    }
    let command =
      (identity ?? []) + ["/bin/sh", "-c", Self.keeperScript, "sh", folder, programs, options]
    let keeper = Configuration(
      executable: .path("/usr/bin/env"), arguments: Arguments(command),
      environment: Self.environment, workingDirectory: FilePath(folder), platformOptions: platform)
    let (stream, orders) = AsyncStream.makeStream(of: Order.self)
    self.orders = orders
    Task { await Self.run(keeper, orders: stream) }
    try await carryOut("create")
    try await start()
  }

  deinit { orders.finish() }

  /// The server that the tests of this process share.
  ///
  /// Each test makes its own database, and none stops the server.
  package static func shared() async throws -> DatabaseServer { try await sharedServer.value }

  private static let sharedServer = Task { try await DatabaseServer() }

  /// Starts the server again, with its data and at its addresses.
  package func start() async throws {
    try await carryOut("start")
  }

  /// Ends all connections and stops the server.
  ///
  /// - Parameter immediate: Whether it stops as in a crash, without saving anything, so that the next start recovers.
  /// - Throws: `Failure`, with the end of the log.
  package func stop(immediate: Bool = false) async throws {
    try await carryOut(immediate ? "stop immediate" : "stop fast")
  }

  // MARK: - Addresses

  /// The path of the server's Unix socket.
  var socketPath: String { "\(folder)/.s.PGSQL.\(port ?? Self.defaultPort)" }

  /// An address on the Unix socket: `postgresql://tests@/db?host=/folder&session=name`.
  ///
  /// - Parameters:
  ///   - database: The name of the database.
  ///   - session: The name of the session; nil for an address without one.
  ///   - user: The name of the role.
  /// - Returns: The address, with escapes.
  package func address(
    database: String, session: String? = nil, user: String = superuser
  ) -> String {
    let place = port.map { [("host", folder), ("port", "\($0)")] } ?? [("host", folder)]
    return Self.address("", database, place, session, user)
  }

  /// An address on a TCP port: `postgresql://tests@127.0.0.1:port/db?session=name`.
  ///
  /// - Parameters:
  ///   - port: The server's own port, or a proxy's.
  ///   - database: The name of the database.
  ///   - session: The name of the session; nil for an address without one.
  ///   - user: The name of the role.
  /// - Returns: The address, with escapes.
  package static func address(
    port: UInt16, database: String, session: String? = nil, user: String = superuser
  ) -> String {
    address("127.0.0.1:\(port)", database, [], session, user)
  }

  private static func address(
    _ host: String, _ database: String, _ place: [(String, String)], _ session: String?,
    _ user: String
  ) -> String {
    let parameters = (place + (session.map { [("session", $0)] } ?? []))
      .map { "\($0)=\(escaped($1))" }.joined(separator: "&")
    return "postgresql://\(escaped(user))@\(host)/\(escaped(database))"
      + (parameters.isEmpty ? "" : "?" + parameters)
  }

  private static func escaped(_ text: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
  }

  // MARK: - Queries

  /// Creates an empty database, and returns its name.
  package func newDatabase() async throws -> String {
    let name = "test_\(databaseCount.add(1, ordering: .relaxed).newValue)"
    _ = try await query("CREATE DATABASE \(name)", database: "postgres")
    return name
  }

  /// Runs SQL as the superuser, by psql.
  ///
  /// - Parameters:
  ///   - sql: One or more statements, of which one may return rows. Several are one transaction.
  ///   - database: The name of the database.
  /// - Returns: The rows, as text; null is an empty text.
  /// - Throws: `Failure`, with psql's message.
  @discardableResult
  package func query(_ sql: String, database: String) async throws -> [[String]] {
    let (field, record): (Character, Character) = ("\u{1F}", "\u{1E}")
    let result = try await Subprocess.run(
      .path(FilePath(programs + "/psql")),
      arguments: [
        "-X", "-A", "-t", "-q", "-F", "\(field)", "-R", "\(record)", "-v", "ON_ERROR_STOP=1",
        "-d", address(database: database), "-c", sql,
      ],
      environment: Self.environment, output: .string(limit: 1 << 26),
      error: .string(limit: 1 << 20))
    guard result.terminationStatus.isSuccess else {
      throw Failure(description: result.standardError)
    }
    // The last row ends with a newline.
    guard !result.standardOutput.isEmpty else { return [] }
    let rows = result.standardOutput.dropLast()
      .split(separator: record, omittingEmptySubsequences: false)
    return rows.map { row in
      row.split(separator: field, omittingEmptySubsequences: false).map(String.init)
    }
  }

  // MARK: - The keeper

  /// A line for the keeper, and the continuation that waits for its exit status.
  private struct Order: Sendable {
    let line: String
    let answer: CheckedContinuation<Int32, any Error>
  }

  /// A script that carries out orders until its input ends, at the latest with the test process.
  ///
  /// Then it stops the server and removes its folder. Its arguments are this folder, that of PostgreSQL's programs, and the
  /// server's options.
  private static let keeperScript = """
    # When the test process is gone, writing the status mustn't end the script.
    trap : PIPE
    while read -r order mode; do
      case $order in
      create)
        "$2/initdb" --pgdata="$1/data" --username=\(superuser) --auth=trust --locale=C \\
          --encoding=UTF8 --no-sync
        ;;
      start) "$2/pg_ctl" start --silent --wait --pgdata="$1/data" --log="$1/log" --options="$3" ;;
      stop) "$2/pg_ctl" stop --silent --wait --pgdata="$1/data" --mode="$mode" ;;
      esac </dev/null >>"$1/log" 2>&1
      echo $?
    done
    "$2/pg_ctl" stop --silent --wait --pgdata="$1/data" --mode=immediate >/dev/null 2>&1
    rm -rf "$1"
    """

  private static func run(_ keeper: Configuration, orders: AsyncStream<Order>) async {
    var failure = Failure(description: "the shell that keeps PostgreSQL's server has ended")
    do {
      _ = try await Subprocess.run(
        keeper, input: .inputWriter, output: .sequence, error: .discarded
      ) { execution in
        var replies = execution.standardOutput.makeAsyncIterator()
        for await order in orders {
          do {
            _ = try await execution.standardInputWriter.write(order.line + "\n")
            order.answer.resume(returning: try await status(from: &replies))
          } catch {
            order.answer.resume(throwing: error)
          }
        }
        try await execution.standardInputWriter.finish()
      }
    } catch {
      failure = Failure(description: "\(error)")
    }
    // Only if the keeper couldn't be started are there any.
    for await order in orders { order.answer.resume(throwing: failure) }
  }

  /// The exit status in the keeper's next line.
  private static func status(
    from replies: inout SubprocessOutputSequence.AsyncIterator
  ) async throws -> Int32 {
    var line = ""
    while !line.hasSuffix("\n") {
      guard let buffer = try await replies.next() else {
        throw Failure(description: "the shell that keeps PostgreSQL's server has ended")
      }
      line += buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
    return Int32(line.dropLast()) ?? -1
  }

  private func carryOut(_ line: String) async throws {
    let status = try await withCheckedThrowingContinuation { answer in
      // A stream that has ended drops the order with its continuation, but it ends only with this object.
      orders.yield(Order(line: line, answer: answer))
    }
    guard status == 0 else {
      let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "(no log)"
      let end = log.split(separator: "\n").suffix(20).joined(separator: "\n")
      throw Failure(description: "PostgreSQL: \(line) failed. The end of its log:\n\(end)")
    }
  }

  // MARK: - The system

  private static let defaultPort: UInt16 = 5432

  /// The folder of PostgreSQL's programs, of the latest version: Debian's, Homebrew's, or one in `PATH`.
  private static let programs: String? = {
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    let homebrew = ProcessInfo.processInfo.environment["HOMEBREW_PREFIX"] ?? "/opt/homebrew"
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders =
      versions.compactMap { Int($0) }.sorted(by: >).map { "\(debian)/\($0)/bin" }
      + ["\(homebrew)/opt/postgresql@17/bin"] + path.split(separator: ":").map(String.init)
    return folders.first { folder in
      ["initdb", "pg_ctl", "postgres", "psql"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
      }
    }
  }()

  /// Without variables that configure PostgreSQL (`PGPORT`, `PGOPTIONS`), and with messages in English.
  private static let environment = Environment.custom([
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C",
  ])

  /// The account that runs the server; nil for the current one.
  ///
  /// PostgreSQL refuses to run as root.
  private static func owner() throws -> (user: uid_t, group: gid_t)? {
    guard geteuid() == 0 else { return nil }
    guard let account = getpwnam("postgres") ?? getpwnam("nobody") else {
      throw Failure(
        description: "PostgreSQL doesn't run as root, and there is no user postgres or nobody")
    }
    return (account.pointee.pw_uid, account.pointee.pw_gid)
  }

  private static func makeFolder(owner: (user: uid_t, group: gid_t)?) throws -> String {
    // Not TMPDIR, whose path is long on macOS.
    var path = Array("/tmp/pg-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil, owner.map({ chown(path, $0.user, $0.group) }) ?? 0 == 0 else {
      throw Failure(description: "no folder for PostgreSQL: \(String(cString: strerror(errno)))")
    }
    return String(decoding: path.dropLast().map(UInt8.init), as: UTF8.self)
  }

  private static func freePort() throws -> UInt16 {
    let socket = try Socket(domain: AF_INET)
    defer { try? socket.close() }
    try socket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: 0))
    guard case .ip4(_, let port) = try socket.sockname() else {
      throw SocketError.unsupportedAddress
    }
    return port
  }
}
