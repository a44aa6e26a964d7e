internal import Foundation

/// Writers of 1,000 sessions on one server, who act as fast as it lets them.
///
/// Each appends an entry with the change of a field, by the function that processes use. If others have written to its
/// session in between, it first gets their entries and tries again. The writers share connections, each of which serves one
/// of them at a time; those of a session have different ones.
@MainActor
struct SharedSimulation {
  /// What differs from a server with its default settings, to show what limits it.
  enum Variant: String {
    case none = ""
    case notifyBeforeCommit = "NOTIFY in the transaction"
    case withoutNotify = "no NOTIFY"
    case asynchronous = "synchronous_commit=off"
    case withoutSync = "fsync=off"
    case listening = "500 followers"

    fileprivate var change: String {
      switch self {
      case .none, .listening: ""
      case .notifyBeforeCommit: Self.replacement(of: "COMMIT;", by: "PERFORM 'no commit';")
      case .withoutNotify: Self.replacement(of: "PERFORM pg_notify(", by: "PERFORM concat(")
      case .asynchronous: "ALTER DATABASE postgres SET synchronous_commit = off;"
      case .withoutSync: "ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf() \\g /dev/null"
      }
    }

    fileprivate var reversal: String {
      switch self {
      case .none, .listening: ""
      case .notifyBeforeCommit: Self.replacement(of: "PERFORM 'no commit';", by: "COMMIT;")
      case .withoutNotify: Self.replacement(of: "PERFORM concat(", by: "PERFORM pg_notify(")
      case .asynchronous: "ALTER DATABASE postgres RESET synchronous_commit;"
      case .withoutSync: "ALTER SYSTEM RESET fsync; SELECT pg_reload_conf() \\g /dev/null"
      }
    }

    private static func replacement(of old: String, by new: String) -> String {
      """
      DO $code$ BEGIN
        EXECUTE replace(
          pg_get_functiondef('journal_append'::regproc), $$\(old)$$, $$\(new)$$);
      END $code$;
      """
    }
  }

  let name: String
  private let connections: Int
  private let variant: Variant

  private static let sessions = 1000
  private static let writersPerSession = 5

  init(connections: Int, _ variant: Variant = .none) {
    let suffix = variant == .none ? "" : ", \(variant.rawValue)"
    name = "simulation: \(connections) connections\(suffix)"
    self.connections = connections
    self.variant = variant
  }

  /// Lets the writers act for a time.
  func throughput(for time: Duration) async throws -> Throughput {
    let server = try DatabaseServer.shared.value()
    try await server.run(variant.change)
    let sessions = try await server.run(
      """
      DELETE FROM sessions WHERE program = 'simulation';
      VACUUM;
      CHECKPOINT;
      INSERT INTO sessions (program, name)
      SELECT 'simulation', number FROM generate_series(1, \(Self.sessions)) AS number RETURNING id;
      """)
    let writers = sessions.flatMap { session in
      (0..<Self.writersPerSession).map { _ in SimulatedWriter(session: session) }
    }
    let clients = try (0..<connections).map { number in
      SimulatedClient(
        try LibpqConnection(server.address()),
        writers.indices.filter { $0 % connections == number }.map { writers[$0] })
    }
    let followers = try sessions.prefix(variant == .listening ? 500 : 0).map { session in
      let connection = try LibpqConnection(server.address())
      try connection.run("LISTEN journal_\(session)")
      return connection
    }
    let throughput = try await withThrowingTaskGroup(of: Throughput.self) { group in
      for client in clients { group.addTask { try await client.act(for: time) } }
      var sum = Throughput()
      for try await throughput in group { sum = sum + throughput }
      return sum
    }
    withExtendedLifetime(followers) {}
    try await server.run(variant.reversal)
    return throughput
  }
}

/// The number of actions that clients did at the same time.
struct Throughput {
  var actionsPerSecond = 0.0
  var conflictsPerSecond = 0.0

  static func + (left: Throughput, right: Throughput) -> Throughput {
    Throughput(
      actionsPerSecond: left.actionsPerSecond + right.actionsPerSecond,
      conflictsPerSecond: left.conflictsPerSecond + right.conflictsPerSecond)
  }
}

/// A process that writes to a session, as far as the server can see.
private struct SimulatedWriter {
  let session: String
  let id = UUID().uuidString
  var head = 0
}

/// Writers that share a connection.
///
/// Safe to send: a single thread uses it.
private final class SimulatedClient: @unchecked Sendable {
  private let connection: LibpqConnection
  private var writers: [SimulatedWriter]

  init(_ connection: LibpqConnection, _ writers: [SimulatedWriter]) {
    (self.connection, self.writers) = (connection, writers)
  }

  /// Lets the writers act in random order, on a thread of its own: the connection waits for the server.
  func act(for time: Duration) async throws -> Throughput {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try self.act(for: time) }) }.start()
    }
  }

  private func act(for time: Duration) throws -> Throughput {
    let start = ContinuousClock.now
    var (actions, conflicts) = (0, 0)
    while .now - start < time {
      let index = Int.random(in: writers.indices)
      while try !append(by: &writers[index]) {
        conflicts += 1
        try getChanges(for: &writers[index])
      }
      actions += 1
    }
    let seconds = (.now - start) / .seconds(1)
    return Throughput(
      actionsPerSecond: Double(actions) / seconds, conflictsPerSecond: Double(conflicts) / seconds)
  }

  /// Appends an entry; returns false if the writer doesn't know those of others.
  private func append(by writer: inout SimulatedWriter) throws -> Bool {
    let entry = """
      [{"writer":"\(writer.id)","author":"user@host","time":\(Date().timeIntervalSince1970),"count":1,\
      "kind":"action","content":"{\\"counter\\":{\\"increment\\":{\\"amount\\":1}}}"}]
      """
    let change = #"[{"path":"counter.count","value":"\#(writer.head + 1)"}]"#
    let rows = try connection.run(
      "CALL journal_append($1, $2, $3, $4, $5, $6, $7, NULL)", writer.session, "\(writer.head)",
      writer.id, UUID().uuidString, "user@host", entry, change)
    guard let head = Int(rows[0][0]), head >= 0 else { return false }
    writer.head = head
    return true
  }

  /// Gets the entries of others, as `PostgresJournal` does.
  private func getChanges(for writer: inout SimulatedWriter) throws {
    let rows = try connection.run(
      """
      SELECT 0 AS part, head AS number, NULL, NULL, NULL, NULL, NULL FROM sessions WHERE id = $1
      UNION ALL
      SELECT 1, head, NULL, NULL, NULL, NULL, CASE WHEN $2::bigint IS NULL THEN content END
      FROM checkpoints WHERE session = $1
      UNION ALL
      SELECT 2, number, writer::text, author, extract(epoch FROM time)::text, count::text, content
      FROM entries WHERE session = $1 AND ($2::bigint IS NULL OR number > $2)
      ORDER BY part, number
      """, writer.session, "\(writer.head)")
    writer.head = Int(rows[0][1]) ?? writer.head
  }
}
