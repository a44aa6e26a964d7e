import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import PostgresJournal
@testable import StateStore

@Suite(
  "A session's journal on a server",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct PostgresJournalTests {
  private let database: SessionDatabaseFixture

  init() async throws {
    database = try await SessionDatabaseFixture()
  }

  // MARK: - Writes

  // It takes a minute if PostgreSQL reads the list for each record.
  @Test("adds and removes many records of a new database", .timeLimit(.minutes(2)))
  func manyRecords() async throws {
    let session = try database.openSession()
    for id in 1...10_000 { try session.store.send(.notes(.add(id: id, text: "milk"))) }
    try session.save()
    try await database.expectTables(session.store.states)
    for id in 2...10_000 { try session.store.send(.notes(.remove(id: id))) }
    try session.save()
    try await database.expectTables(session.store.states)
  }

  /// A session with unsaved actions: more than go in one statement, by their number or their size.
  private func largeSession(of texts: [String]) throws -> JournaledSession {
    let session = try database.openSession()
    session.onAutosaveDue = {}
    for (id, text) in texts.enumerated() {
      try session.store.send(.notes(.add(id: id + 1, text: text)))
    }
    return session
  }

  @Test("saves a write of large actions as a whole, and only once")
  func largeWrite() async throws {
    let large = String(repeating: "x", count: 3_000_000)
    let session = try largeSession(of: ["milk", large, large, large, "tea"])
    let exchange = try session.nextExchange()
    let outcomes = try [exchange.run(), exchange.run()]
    for outcome in outcomes {
      guard case .saved(let point) = outcome else {
        Issue.record("nobody else has written")
        return
      }
      #expect(point.sequence == 1)
    }
    try session.apply(outcomes[1])
    try await database.expectTables(session.store.states)
    let reopened = try database.openSession()
    #expect(reopened.store.states == session.store.states && reopened.point == session.point)
    #expect(reopened.store.position == 5)
  }

  @Test("saves nothing of a write of many actions if another process has written before")
  func largeWriteInConflict() async throws {
    let session = try largeSession(of: Array(repeating: "milk", count: 10_001))
    let exchange = try session.nextExchange()
    try database.open().save(.notes(20_000))
    let outcome = try exchange.run()
    guard case .news(let news) = outcome else {
      Issue.record("another process has written")
      return
    }
    #expect(news.entries.count == 1)
    #expect(try await database.query("SELECT count(*) FROM history") == [["1"]])
    #expect(try await database.query("SELECT count(*) FROM records") == [["0"]])
    try session.apply(outcome)
    try session.save()
    #expect(try database.open().load().extent.position == 10_002)
    try await database.expectTables(session.store.states)
  }

  @Test("keeps the author of each action")
  func authors() throws {
    let journal = try database.open()
    try journal.save(.notes(1))
    let session = try database.openSession()
    try session.save(doing: .counter(.increment(by: 1)))
    let own = try #require(journal.author)
    #expect(own.contains("@"))
    func found(_ store: Store) throws -> [String?] { try store.history().map(\.recorded.author) }
    #expect(try found(session.store) == ["anna@laptop", own])
    let reopened = try database.openSession()
    #expect(try found(reopened.store) == ["anna@laptop", own])
  }

  @Test("names no author of actions that were copied from a file")
  func unknownAuthors() throws {
    let file = InMemoryJournal()
    let original = try JournaledSession(Sample.schema, in: file)
    try original.save(doing: .counter(.increment(by: 1)))
    try database.open().save(SessionWrite(copying: file.load()))
    let session = try database.openSession()
    #expect(try session.store.history().map(\.recorded.author) == [nil])
  }

  // MARK: - Following

  @Test("notices the writes of others, but not its own")
  func notifications() throws {
    let (journal, other) = (try database.open(), try database.open())
    try journal.save(.notes(1))
    #expect(try !journal.waitForEntries(atMost: .milliseconds(200)))
    try other.save(.notes(2, after: 1))
    #expect(try journal.waitForEntries(atMost: .seconds(60)))
  }

  @Test("ends a wait for entries when it is woken, from any thread")
  func waking() async throws {
    let journal = try database.open()
    async let isNotified = Task.detached { try journal.waitForEntries(atMost: .seconds(60)) }.value
    journal.wake()
    #expect(try await isNotified == false)
  }

  @Test("takes other features while it waits for entries", .timeLimit(.minutes(2)))
  func reloading() async throws {
    let journal = try database.open()
    async let isNotified = Task.detached { try journal.waitForEntries(atMost: .seconds(600)) }.value
    // Nobody tells when the wait has begun: some of these calls come later.
    for _ in 1...20 {
      try await Task.sleep(for: .milliseconds(10))
      journal.show(Sample.schema)
    }
    journal.wake()
    #expect(try await isNotified == false)
  }

  @Test("knows whether other processes have the session open, but not other sessions")
  func users() async throws {
    let journal = try database.open("a")
    let other = try database.open("b")
    #expect(!journal.isOpenElsewhere)
    let second = try database.open("a")
    #expect(journal.isOpenElsewhere && second.isOpenElsewhere && !other.isOpenElsewhere)
    second.close()
    // The server notices the end of a connection a moment later.
    try await wait(for: "the end of the connection") { !journal.isOpenElsewhere }
  }

  // MARK: - Connections

  @Test("connects again after its connection was ended, and loses nothing")
  func endedConnection() async throws {
    let journal = try database.open()
    let point = try journal.save(.notes(1))
    try await database.query(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    let write = SessionWrite.notes(2, after: 1)
    #expect(throws: JournalError.self) { try journal.exchange(write, after: point) }
    #expect(try journal.exchange(write, after: point).savedPoint?.sequence == 2)
    #expect(try journal.load().extent.position == 2)
  }

  @Test("says that a server can't be reached, without the password of the address")
  func unreachable() throws {
    let error = #expect(throws: JournalError.self) {
      try PostgresJournal(
        of: Sample.schema, program: SessionDatabaseFixture.program,
        address: "postgresql://anna:secret@127.0.0.1:1/db")
    }
    #expect(error?.code == "state_unreachable")
    #expect(error?.message.hasPrefix("postgresql://anna@127.0.0.1:1/db: ") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test(
    "refuses a session whose position doesn't match its history",
    arguments: [
      "UPDATE sessions SET position = 9", "DELETE FROM history WHERE number = 2",
      "DELETE FROM history WHERE number <= 2; UPDATE sessions SET position = 1",
    ])
  func brokenHistory(sql: String) async throws {
    try database.open().save(.notes(1, 2, 3, 4))
    try await database.query(sql)
    let error = #expect(throws: JournalError.self) { try database.open().load() }
    #expect(error?.code == "state_damaged")
  }

  // MARK: - Lost and restored sessions

  @Test("writes a deleted session again, with the identifiers after those that it has reserved")
  func deletedSession() async throws {
    let journal = try database.open()
    let session = try JournaledSession(Sample.schema, in: journal)
    try session.save(doing: .notes(.add(id: 1, text: "milk")))
    let (point, reserved) = (
      session.point, try journal.reserveIdentifiers(10, of: IdentifierKind("notes"))
    )
    try await database.query("DELETE FROM sessions")
    let error = #expect(throws: JournalError.self) {
      try journal.reserveIdentifiers(1, of: IdentifierKind("notes"))
    }
    #expect(error?.code == "journal_lost")
    try session.save(doing: .notes(.add(id: 2, text: "tea")))
    #expect(journal.takeNotices().count == 1)
    #expect(session.point.session == point.session && session.point.sequence == 2)
    let reopened = try database.openSession()
    #expect(reopened.store.states == session.store.states)
    #expect(reopened.store.position == 2 && reopened.store.reachable == 0...2)
    let next = try database.open().reserveIdentifiers(1, of: IdentifierKind("notes"))
    #expect(next.lowerBound > reserved.upperBound)
    try await database.expectTables(session.store.states)
  }

  @Test(
    "continues under one name in all processes that had a session open when it was deleted",
    arguments: [false, true])
  func deletedUnderTwo(isNameTaken: Bool) async throws {
    let sessions = try (1...2).map { _ in try database.openSession() }
    try sessions[0].save(doing: .counter(.increment(by: 1)))
    try await database.query("DELETE FROM sessions")
    if isNameTaken { _ = try database.open() }
    for (index, session) in sessions.enumerated() {
      try session.save(doing: .notes(.add(id: index + 1, text: "milk")))
    }
    for session in sessions { try session.reload() }
    let identity = sessions[0].point.session
    let name =
      isNameTaken ? "sample.kept-\(identity.uuidString.prefix(8).lowercased())" : "sample"
    #expect(
      try await database.query("SELECT name, sequence FROM sessions WHERE sequence > 0")
        == [[name, "3"]])
    let reopened = try database.openSession(name)
    #expect(reopened.store.position == 3 && reopened.point.session == identity)
    for session in sessions { #expect(session.store.states == reopened.store.states) }
    try await database.expectTables(reopened.store.states, session: name)
  }

  @Test("continues under one name if both write it again while its own is being taken")
  func deletedAtOnce() async throws {
    let sessions = try (1...2).map { _ in try database.openSession() }
    // The name is taken while both are about to take it.
    let other = try await database.holdLocks(
      of: """
        DELETE FROM sessions;
        INSERT INTO sessions (program, name, identity)
        VALUES ('sample', 'sample', gen_random_uuid())
        """)
    for (index, session) in sessions.enumerated() {
      try session.store.send(.notes(.add(id: index + 1, text: "milk")))
      try await savePatiently(session)
    }
    try await other.value
    let found = try await database.query(
      "SELECT sequence FROM sessions WHERE name LIKE 'sample.kept-%'")
    #expect(found == [["2"]])
  }

  /// Saves a session, also if others hold locks of it for a while.
  private func savePatiently(_ session: JournaledSession) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while session.hasUnsavedEntries, .now < end {
      do {
        try session.save()
      } catch let error as JournalError where error.kind == .busy {
        continue
      }
    }
  }

  @Test("isn't a backup if the server only doesn't remember its last write any more")
  func forgottenWrite() async throws {
    let session = try database.openSession()
    try session.save(doing: .notes(.add(id: 1, text: "milk")))
    try await database.query(
      """
      UPDATE sessions SET sequence = sequence + 1000;
      DELETE FROM writes;
      INSERT INTO writes SELECT id, sequence, gen_random_uuid() FROM sessions;
      """)
    var areRestored: [Bool] = []
    session.onReload = { areRestored.append($0.isRestored) }
    try session.reload()
    #expect(areRestored == [false])
    #expect(session.store.position == 1)
  }

  @Test("takes the state of a restored backup, with own unsaved actions on top")
  func restoredBackup() async throws {
    let session = try database.openSession()
    try session.save(doing: .notes(.add(id: 1, text: "milk")))
    try await database.backUp()
    for id in 2...3 {
      try session.save(doing: .notes(.add(id: id, text: "tea")))
    }
    try await database.restoreBackup()
    var reloads: [JournaledSession.Reload] = []
    session.onReload = { reloads.append($0) }
    try session.save(doing: .notes(.add(id: 4, text: "salt")))
    #expect(reloads.map(\.isRestored) == [true])
    #expect(session.store.state(of: Notes.self).items.map(\.id) == [4, 1])
    #expect(session.store.position == 2)
    #expect(try await database.query("SELECT name, sequence FROM sessions") == [["sample", "2"]])
    #expect(try database.openSession().store.states == session.store.states)
    try await database.expectTables(session.store.states)
  }

  @Test("finds a restored session by its identity on a server where it has another number")
  func restoredElsewhere() async throws {
    let journal = try database.open()
    let session = try JournaledSession(Sample.schema, in: journal)
    try session.save(doing: .notes(.add(id: 1, text: "milk")))
    try await database.backUp()
    journal.close()
    try await database.restoreBackup(numbering: 1_000)
    _ = try database.open("other")
    try session.save(doing: .notes(.add(id: 2, text: "tea")))
    #expect(try await database.query("SELECT id FROM sessions WHERE sequence = 2") == [["1001"]])
    try await database.expectTables(session.store.states)
  }

  // MARK: - Messages

  @Test(
    "says the same, and nothing of its functions, if the server ends a connection in the middle of one"
  )
  func endedStatement() async throws {
    let journal = try database.open()
    let point = try journal.load().point
    let other = try await database.holdLocks(
      of: "UPDATE sessions SET author = 'x'",
      then: """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """)
    let error = #expect(throws: JournalError.self) {
      try journal.exchange(.notes(1), after: point)
    }
    try await other.value
    let message = try #require(error?.message)
    for part in ["terminating", "CONTEXT", "journal_save", "journal_begin"] {
      #expect(!message.contains(part), "\(message)")
    }
  }

  @Test("names no constraints, functions or tables if somebody has changed the tables")
  func changedTables() async throws {
    let journal = try database.open()
    let point = try journal.load().point
    for sql in [
      "INSERT INTO writes SELECT id, 1, gen_random_uuid() FROM sessions",
      "ALTER TABLE history RENAME TO past", "DROP PROCEDURE journal_save",
    ] {
      try await database.query(sql)
      let error = #expect(throws: JournalError.self) {
        try journal.exchange(.notes(1), after: point)
      }
      let message = try #require(error?.message)
      #expect(message.contains("somebody has changed the tables of its sessions"), "\(message)")
      #expect(!message.contains("history") && !message.contains("journal_save"), "\(message)")
    }
  }

  // MARK: - Roles and tables

  @Test("writes again once the server, or the owner of the tables, lets it")
  func returnedRights() async throws {
    let role = "writer_\(database.name)"
    _ = try database.open()
    try await database.query(
      """
      CREATE ROLE \(role) LOGIN;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)
      """)
    let journal = try database.open(user: role)
    let changes = [
      ("REVOKE INSERT ON history FROM \(role)", "GRANT INSERT ON history TO \(role)"),
      (
        "ALTER ROLE \(role) SET default_transaction_read_only = on",
        "ALTER ROLE \(role) RESET default_transaction_read_only"
      ),
    ]
    for (index, (taking, giving)) in changes.enumerated() {
      try await database.query(taking)
      // Another connection, whose role may only read for now.
      journal.close()
      let error = #expect(throws: JournalError.self) {
        try journal.save(.notes(index + 1, after: index))
      }
      #expect(error?.kind == .unwritable)
      try await database.query(giving)
      #expect(try journal.save(.notes(index + 1, after: index)).sequence == index + 1)
      #expect(journal.writeFailure == nil)
    }
  }

  @Test("of a role that may only read can be loaded and followed, but not written")
  func readOnlyRole() async throws {
    let journal = try database.open()
    try journal.save(.notes(1))
    let role = "reader_\(database.name)"
    try await database.query(
      "CREATE ROLE \(role) LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)")
    let reader = try database.open(user: role)
    #expect(reader.writeFailure == .readOnly(reader.location) && journal.writeFailure == nil)
    let point = try reader.load().point
    #expect(point.sequence == 1)
    try journal.save(.notes(2, after: 1))
    #expect(try reader.waitForEntries(atMost: .seconds(60)))
    guard case .news(let news) = try reader.exchange(nil, after: point) else {
      Issue.record("another process has written")
      return
    }
    #expect(news.entries.map(\.number) == [2])
    let error = #expect(throws: JournalError.self) { try reader.save(.notes(3, after: 2)) }
    #expect(error?.message.contains("read-only") == true)
    #expect(throws: JournalError.self) { try database.open("missing", user: role) }
  }

  @Test("refuses a schema with other tables of the same names, and leaves them alone")
  func otherTables() async throws {
    try await database.query("CREATE TABLE sessions (mine text)")
    let error = #expect(throws: JournalError.self) { try database.open() }
    #expect(error?.message.contains("search_path") == true)
    #expect(try await database.query("SELECT * FROM sessions").isEmpty)
    #expect(try await database.query("SELECT to_regclass('history')") == [[""]])
  }

  @Test("refuses a database with another encoding than UTF8", arguments: ["LATIN1", "SQL_ASCII"])
  func encodings(encoding: String) async throws {
    let name = "\(database.name)_\(encoding.lowercased())"
    try await database.query(
      "CREATE DATABASE \(name) ENCODING '\(encoding)' TEMPLATE template0")
    let error = #expect(throws: JournalError.self) {
      try PostgresJournal(
        of: Sample.schema, program: SessionDatabaseFixture.program,
        address: database.server.address(database: name))
    }
    #expect(error?.message.contains("the encoding \(encoding), and sessions need UTF8") == true)
    #expect(
      try await database.server.query("SELECT to_regclass('sessions')", database: name) == [[""]])
  }

  @Test("refuses tables of a newer version")
  func newerTables() async throws {
    _ = try database.open()
    try await database.query("UPDATE journal_format SET version = 99")
    let error = #expect(throws: JournalError.self) { try database.open() }
    #expect(error?.code == "state_newer")
  }

  @Test("makes its tables once, although many processes begin at the same time")
  func concurrentStart() async throws {
    let database = database
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { _ = try await Task.detached { try database.open() }.value }
      }
      try await group.waitForAll()
    }
    #expect(try await database.query("SELECT count(*) FROM sessions") == [["1"]])
  }

  @Test("keeps several programs' sessions apart, and their views")
  func programs() async throws {
    try database.openSession("a")
    try database.openSession(
      "a", of: StoreSchema(features: [Counter.self]), program: Program("other"))
    #expect(
      try await database.query("SELECT program, name FROM sessions ORDER BY 1")
        == [["other", "a"], ["sample", "a"]])
    for view in ["counter", "other_counter"] {
      #expect(try await database.query("SELECT session FROM \(view)") == [["a"]])
    }
  }
}
