import Foundation
import SampleFeatures
import Testing
import TestSupport

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
  func open(
    _ session: String? = nil, user: String = DatabaseServer.superuser,
    of schema: StoreSchema = Sample.schema, program: Program = SessionDatabaseFixture.program
  ) throws -> PostgresJournal {
    try PostgresJournal(of: schema, program: program, address: address(session, user: user))
  }

  /// Opens a session, as another process would.
  @discardableResult
  func openSession(
    _ session: String? = nil, of schema: StoreSchema = Sample.schema,
    program: Program = SessionDatabaseFixture.program
  ) throws -> JournaledSession {
    try JournaledSession(schema, in: open(session, of: schema, program: program))
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
          FOR i IN 1..60000 LOOP
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
    let deadline = ContinuousClock.now + .seconds(600)
    while try await query(held).isEmpty { try #require(ContinuousClock.now < deadline) }
    return task
  }

  private static let sessionTables = [
    "writes", "history", "identifiers", "fields", "lists", "records",
  ]

  /// Keeps a copy of all sessions.
  func backUp() async throws {
    try await query(
      (["sessions"] + Self.sessionTables)
        .map { "CREATE TABLE backup_\($0) AS TABLE \($0);" }.joined())
  }

  /// Puts the copy in the place of all sessions, with greater numbers on another server.
  func restoreBackup(numbering start: Int = 0) async throws {
    try await query(
      """
      DELETE FROM sessions;
      UPDATE backup_sessions SET id = id + \(start);
      INSERT INTO sessions OVERRIDING SYSTEM VALUE SELECT * FROM backup_sessions;
      """
        + Self.sessionTables.map { table in
          """
          UPDATE backup_\(table) SET session = session + \(start);
          INSERT INTO \(table) SELECT * FROM backup_\(table);
          """
        }.joined())
  }

  /// Expects that the tables have a state: all of it, and nothing else.
  func expectTables(_ states: States, session: String = "sample") async throws {
    let id = "(SELECT id FROM sessions WHERE name = '\(session)')"
    var found = SavedState()
    for row in try await query("SELECT path, value FROM fields WHERE session = \(id)") {
      found.values[row[0]] = row[1]
    }
    for row in try await query("SELECT path, count FROM lists WHERE session = \(id)") {
      let records = try await query(
        "SELECT value FROM records WHERE session = \(id) AND list = '\(row[0])' ORDER BY ordinal")
      found.lists[row[0]] = records.map { $0[0] }
      #expect(row[1] == "\(records.count)", "\(row[0])")
    }
    let expected = SavedState(try Sample.schema.savedChanges(of: states))
    // A request in its initial state may be there or not.
    func isKept(path: String, value: String) -> Bool {
      !path.hasSuffix("#request") || value != "{}"
    }
    #expect(found.values.filter(isKept) == expected.values.filter(isKept))
    #expect(Set(found.lists.keys) == Set(expected.lists.keys))
    for (path, records) in expected.lists { #expect(found.lists[path] == records, "\(path)") }
  }
}

extension PostgresJournal {
  /// Saves a write after the last one.
  @discardableResult
  func save(_ write: SessionWrite) throws -> JournalPoint {
    try #require(exchange(write, after: load().point).savedPoint)
  }
}

extension JournalReply {
  /// The last write, if everything is saved.
  var savedPoint: JournalPoint? { if case .saved(let point) = self { point } else { nil } }
}

extension SessionWrite {
  /// A write of actions that add notes, without what they change.
  static func notes(_ ids: Int..., after common: Int = 0) -> SessionWrite {
    let entries = ids.enumerated().map { index, id in
      SavedEntry(
        number: common + index + 1, time: Date(timeIntervalSince1970: 1_000),
        author: "anna@laptop", text: "notes.add(\"milk\")",
        action: #"{"action":{"add":{"id":\#(id),"text":"milk"}},"feature":"notes"}"#,
        changes: "[]")
    }
    return SessionWrite(
      common: common, entries: entries, extent: HistoryExtent(position: common + ids.count),
      changes: [])
  }
}
