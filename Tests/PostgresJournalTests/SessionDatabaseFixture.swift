import Foundation
import SampleFeatures
import TestSupport
import Testing

@testable import PostgresJournal
@testable import StateStore

/// A database of its own on the server that all tests share.
struct SessionDatabaseFixture: Sendable {
  static let program = Program("sample")

  let server: DatabaseServer
  let name: String

  init() async throws {
    server = try await DatabaseServer.shared()
    name = try await server.newDatabase()
  }

  /// The address of a session, for the superuser or another role.
  func address(_ session: String? = nil, user: String = DatabaseServer.superuser) -> String {
    server.address(database: name, session: session, user: user)
  }

  /// Opens a session's journal, as another process would.
  func open(_ session: String? = nil, user: String = DatabaseServer.superuser) throws
    -> PostgresJournal
  {
    try PostgresJournal(
      of: Sample.schema, program: Self.program, address: address(session, user: user))
  }

  @discardableResult
  func query(_ sql: String) async throws -> [[String]] {
    try await server.query(sql, database: name)
  }

  /// Runs SQL that writes to the table of sessions, and holds its locks until somebody waits for one.
  ///
  /// - Parameters:
  ///   - sql: One or more statements, which have run when the function returns.
  ///   - end: Statements after the wait.
  /// - Returns: The end of the transaction.
  /// - Throws: Why the locks can't be waited for.
  func holdLocks(of sql: String, then end: String = "") async throws -> Task<Void, any Error> {
    let database = self
    let task = Task {
      _ = try await database.query(
        """
        \(sql);
        DO $$ BEGIN
          FOR i IN 1..6000 LOOP
            EXIT WHEN EXISTS (
              SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
              WHERE NOT granted AND datname = current_database());
            PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
          END LOOP;
        END $$;
        \(end)
        """)
    }
    let held = """
      SELECT 1 FROM pg_locks WHERE relation = to_regclass('sessions') AND mode = 'RowExclusiveLock'
      """
    let deadline = ContinuousClock.now + .seconds(60)
    while try await query(held).isEmpty { try #require(ContinuousClock.now < deadline) }
    return task
  }

  /// Expects that the tables for people show a state.
  func expectTables(_ states: States, session: String = "sample") async throws {
    for field in Sample.schema.fields {
      let id = "(SELECT id FROM sessions WHERE name = '\(session)')"
      let rows =
        field.isList
        ? try await query(
          "SELECT value FROM records WHERE session = \(id) AND list = '\(field.path)' ORDER BY ordinal"
        )
        : try await query(
          "SELECT value FROM fields WHERE session = \(id) AND path = '\(field.path)'")
      let expected = field.elements(in: states)?.map(\.json) ?? [field.value(in: states).json]
      #expect(rows.map { $0[0] } == expected, "\(field.path)")
    }
  }
}

extension JournalBatch {
  /// A batch of actions that add notes.
  static func notes(_ ids: Int..., text: String = "milk", writer: UUID = UUID()) -> JournalBatch {
    JournalBatch(
      entries: ids.map { id in
        JournalEntry(
          .action(.notes(.add(id: id, text: text))), time: Date(timeIntervalSince1970: 1_000),
          writer: writer, author: "anna@laptop")
      }, changes: [])
  }
}
