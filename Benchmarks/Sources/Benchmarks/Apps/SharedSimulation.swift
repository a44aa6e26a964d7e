internal import Foundation

/// Writers of 1,000 sessions on one server, who act as fast as it lets them.
///
/// Each saves an action by the procedure that processes use. If others have written to its session in between, it lets them
/// wait, gets their entries and tries again, as processes do. The writers share connections, each of which serves one of
/// them at a time; those of a session have different ones.
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
          pg_get_functiondef('journal_save'::regproc), $$\(old)$$, $$\(new)$$);
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
      INSERT INTO sessions (program, name, identity)
      SELECT 'simulation', number, gen_random_uuid()
      FROM generate_series(1, \(Self.sessions)) AS number RETURNING id;
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
      try connection.run(
        "DO $$ BEGIN EXECUTE 'LISTEN ' || journal_channel(\(session)); END $$")
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
  /// The last write that it knows, and its number, which is the number of the last action, too.
  var write = UUID().uuidString
  var sequence = 0
}

/// Writers that share a connection.
///
/// Safe to send: a single thread uses it.
private final class SimulatedClient: @unchecked Sendable {
  private let connection: LibpqConnection
  private var writers: [SimulatedWriter]
  /// Whether others wait for the writer that acts.
  private var hasTurn = false

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
      while try !save(by: &writers[index]) {
        conflicts += 1
        try reload(for: &writers[index])
      }
      actions += 1
    }
    let seconds = (.now - start) / .seconds(1)
    return Throughput(
      actionsPerSecond: Double(actions) / seconds, conflictsPerSecond: Double(conflicts) / seconds)
  }

  /// Saves an action; returns false if the writer doesn't know those of others.
  private func save(by writer: inout SimulatedWriter) throws -> Bool {
    let (write, number) = (UUID().uuidString, writer.sequence + 1)
    func state(_ count: Int) -> String { #"{\"count\":\#(count),\"isModalOpen\":false}"# }
    let entry = #"""
      [{"number":\#(number),"time":\#(Date().timeIntervalSince1970),"author":"user@host",\#
      "text":"counter.increment()",\#
      "action":"{\"action\":{\"increment\":{\"by\":1}},\"feature\":\"counter\"}",\#
      "changes":"[{\"state\":\"counter\",\"from\":\#(state(number - 1)),\"to\":\#(state(number))}]"}]
      """#
    let changes = #"""
      [{"path":"counter.count","value":"\#(number)"},\#
      {"path":"counter#state","value":"\#(state(number))"}]
      """#
    let rows = try connection.run(
      "CALL journal_save($1, $2, $3, $4, 'user@host', $2, 1, $5, 0, false, $6, $7, NULL)",
      writer.session, "\(writer.sequence)", writer.write, write, "\(number)", entry, changes)
    guard rows[0][0] == "0" else { return false }
    (writer.write, writer.sequence) = (write, number)
    if hasTurn {
      hasTurn = false
      try connection.run(
        "SELECT pg_advisory_unlock('history'::regclass::oid::integer, $1)", writer.session)
    }
    return true
  }

  /// Lets others wait, and gets their entries, as `PostgresJournal` does.
  private func reload(for writer: inout SimulatedWriter) throws {
    if !hasTurn {
      hasTurn =
        try connection.run(
          "SELECT pg_try_advisory_lock('history'::regclass::oid::integer, $1)", writer.session
        )[0][0] == "t"
    }
    let rows = try connection.run(
      """
      SELECT 0 AS part, sequence AS number, position::text, identity::text,
        (SELECT id::text FROM writes WHERE session = $1 AND writes.sequence = sessions.sequence),
        (SELECT min(number)::text FROM history WHERE session = $1), migration::text,
        EXISTS (SELECT FROM writes WHERE session = $1 AND writes.sequence = $2 AND id = $3)
      FROM sessions WHERE id = $1
      UNION ALL
      SELECT 1, number, extract(epoch FROM time)::text, author, text, action, changes, NULL
      FROM history WHERE session = $1 AND number > coalesce((
        SELECT number FROM history WHERE session = $1 AND sequence <= $2
        ORDER BY number DESC LIMIT 1), 0)
      ORDER BY part, number
      """, writer.session, "\(writer.sequence)", writer.write)
    (writer.write, writer.sequence) = (rows[0][4], Int(rows[0][1]) ?? writer.sequence)
  }
}
