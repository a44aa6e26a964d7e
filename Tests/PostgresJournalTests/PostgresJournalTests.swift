import Foundation
import SampleFeatures
import TestSupport
import Testing

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

  // MARK: - Batches

  @Test("doesn't append a batch again whose answer was lost")
  func repeatedBatch() throws {
    let journal = try database.open()
    let batch = JournalBatch.notes(1, 2)
    #expect(try journal.append(batch, expecting: 0) == 2)
    #expect(try database.open().append(.notes(3), expecting: 2) == 3)
    #expect(try journal.append(batch, expecting: 0) == 2)
    #expect(try journal.load().head == 3)
  }

  @Test("doesn't append it again if the session is busy when its process asks again")
  func busyAfterLostAnswer() throws {
    let journal = UnluckyJournal(try database.open())
    let session = try JournaledSession(Sample.schema, in: journal)
    try session.store.send(.notes(.add(id: 1, text: "milk")))
    #expect(throws: JournalError.unreachable("x", reason: "lost")) { try session.save() }
    #expect(throws: JournalError.busy("x")) { try session.save() }
    try session.store.send(.notes(.add(id: 2, text: "tea")))
    try session.save()
    #expect(try database.open().load().head == 2)
  }

  // It takes a minute if PostgreSQL reads the list for each record.
  @Test("adds and removes many records of a new database", .timeLimit(.minutes(2)))
  func manyRecords() async throws {
    let session = try JournaledSession(Sample.schema, in: database.open())
    for id in 1...10_000 { try session.store.send(.notes(.add(id: id, text: "milk"))) }
    try session.save()
    try await database.expectTables(session.store.states)
    for id in 2...10_000 { try session.store.send(.notes(.remove(id: id))) }
    try session.save()
    try await database.expectTables(session.store.states)
  }

  @Test("appends a batch of many entries and large ones as a whole, and only once")
  func largeBatch() async throws {
    let journal = try database.open()
    let session = try JournaledSession(Sample.schema, in: journal)
    session.onAutosaveDue = {}
    for id in 1...12_000 { try session.store.send(.notes(.add(id: id, text: "milk"))) }
    let large = String(repeating: "x", count: 3_000_000)
    for id in 12_001...12_003 { try session.store.send(.notes(.add(id: id, text: large))) }
    let exchange = session.nextExchange()
    guard case .appended(let head) = try exchange.run() else {
      Issue.record("nobody else has written")
      return
    }
    #expect(head == 12_003)
    guard case .appended(head) = try exchange.run() else {
      Issue.record("the batch was appended")
      return
    }
    try session.apply(.appended(head: head))
    try await database.expectTables(session.store.states)
    let reopened = try JournaledSession(Sample.schema, in: database.open())
    #expect(reopened.store.states == session.store.states && reopened.head == head)
  }

  @Test("appends nothing of a large batch if another process has written before")
  func largeBatchInConflict() async throws {
    let session = try JournaledSession(Sample.schema, in: database.open())
    session.onAutosaveDue = {}
    for id in 1...12_000 { try session.store.send(.notes(.add(id: id, text: "milk"))) }
    let exchange = session.nextExchange()
    _ = try database.open().append(.notes(20_000), expecting: 0)
    guard case .changes(let entries) = try exchange.run() else {
      Issue.record("another process has written")
      return
    }
    #expect(entries.count == 1)
    #expect(try await database.query("SELECT count(*) FROM entries") == [["1"]])
    try session.apply(.changes(entries))
    try session.save()
    #expect(try database.open().load().head == 12_001)
  }

  @Test("doesn't append it again after a checkpoint has replaced it either")
  func repeatedBatchBeforeCheckpoint() throws {
    let journal = try database.open()
    let batch = JournalBatch.notes(1)
    _ = try journal.append(batch, expecting: 0)
    let store = Store()
    try store.send(.notes(.add(id: 1, text: "milk")))
    try journal.checkpoint(JournalCheckpoint(head: 1, history: store.historySnapshot))
    #expect(try journal.append(batch, expecting: 0) == 1)
    #expect(try journal.load().head == 1)
  }

  @Test("keeps the author of each entry, also in checkpoints")
  func authors() throws {
    let journal = try database.open()
    _ = try journal.append(.notes(1), expecting: 0)
    let session = try JournaledSession(Sample.schema, in: database.open())
    try session.store.send(.counter(.increment(by: 1)))
    try session.save()
    let own = try #require(journal.author)
    #expect(own.contains("@"))
    func found(_ store: Store) throws -> [String?] {
      store.history().map(\.recorded.author)
    }
    #expect(try found(session.store) == ["anna@laptop", own])
    try journal.checkpoint(
      JournalCheckpoint(head: 2, history: session.store.historySnapshot))
    let reopened = try JournaledSession(Sample.schema, in: database.open())
    #expect(try found(reopened.store) == ["anna@laptop", own])
  }

  @Test("names no author of actions that were copied from a file")
  func unknownAuthors() throws {
    let store = Store()
    try store.send(.counter(.increment(by: 1)))
    try database.open().rewrite(JournalCheckpoint(head: 0, history: store.historySnapshot))
    let session = try JournaledSession(Sample.schema, in: database.open())
    #expect(session.store.history().map(\.recorded.author) == [nil])
  }

  // MARK: - Following

  @Test("notices the entries of others, but not its own")
  func notifications() throws {
    let (journal, other) = (try database.open(), try database.open())
    _ = try journal.append(.notes(1), expecting: 0)
    #expect(try !journal.waitForEntries(atMost: .milliseconds(200)))
    _ = try other.append(.notes(2), expecting: 1)
    #expect(try journal.waitForEntries(atMost: .seconds(60)))
  }

  @Test("ends a wait for entries when it is woken, from any thread")
  func waking() async throws {
    let journal = try database.open()
    async let isNotified = Task.detached { try journal.waitForEntries(atMost: .seconds(60)) }.value
    journal.wake()
    #expect(try await isNotified == false)
  }

  @Test("knows whether other processes have the session open, but not other sessions")
  func users() throws {
    let journal = try database.open("a")
    let other = try database.open("b")
    #expect(!journal.isOpenElsewhere)
    let second = try database.open("a")
    #expect(journal.isOpenElsewhere && second.isOpenElsewhere && !other.isOpenElsewhere)
    second.close()
    // The server notices the end of a connection a moment later.
    try waitUntil { !journal.isOpenElsewhere }
  }

  private func waitUntil(_ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(30)
    while try !condition() {
      try #require(ContinuousClock.now < end)
      usleep(10_000)
    }
  }

  // MARK: - Connections

  @Test("connects again after its connection was ended, and loses nothing")
  func endedConnection() async throws {
    let journal = try database.open()
    _ = try journal.append(.notes(1), expecting: 0)
    try await database.query(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    #expect(throws: JournalError.self) { try journal.append(.notes(2), expecting: 1) }
    #expect(try journal.append(.notes(2), expecting: 1) == 2)
    #expect(try journal.load().head == 2)
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

  @Test("writes a deleted session again, with the identifiers after those that it has reserved")
  func deletedSession() async throws {
    let journal = try database.open()
    let session = try JournaledSession(Sample.schema, in: journal)
    try session.store.send(.notes(.add(id: 1, text: "milk")))
    try session.save()
    let reserved = try journal.reserveIdentifiers(10, of: IdentifierKind("notes"))
    try await database.query("DELETE FROM sessions")
    let error = #expect(throws: JournalError.self) {
      try journal.reserveIdentifiers(1, of: IdentifierKind("notes"))
    }
    #expect(error?.kind == .replaced)
    try session.store.send(.notes(.add(id: 2, text: "tea")))
    try session.save()
    #expect(journal.takeNotices().count == 1)
    let reopened = try JournaledSession(Sample.schema, in: database.open())
    #expect(reopened.store.states == session.store.states)
    #expect(reopened.store.position == 2)
    let next = try database.open().reserveIdentifiers(1, of: IdentifierKind("notes"))
    #expect(next.lowerBound > reserved.upperBound)
    try await database.expectTables(session.store.states)
  }

  @Test("continues under another name if an older backup has taken the session's place")
  func restoredBackup() async throws {
    let journal = try database.open()
    let session = try JournaledSession(Sample.schema, in: journal)
    for id in 1...3 { try session.store.send(.notes(.add(id: id, text: "milk"))) }
    try session.save()
    try await database.query("DELETE FROM entries WHERE number > 1; UPDATE sessions SET head = 1")
    try session.store.send(.notes(.add(id: 4, text: "tea")))
    try session.save()
    #expect(try database.open().load().head == 1)
    let name = try await database.query("SELECT name FROM sessions WHERE name LIKE 'sample.kept-%'")
    let kept = try JournaledSession(Sample.schema, in: database.open(name[0][0]))
    #expect(kept.store.states == session.store.states)
    #expect(try !database.open().isOpenElsewhere)
  }

  @Test("continues in two processes at once after the session was deleted")
  func restarts() async throws {
    let sessions = try (1...2).map { _ in try JournaledSession(Sample.schema, in: database.open()) }
    // The name is taken while both are about to take it.
    let other = try await database.holdLocks(
      of: "DELETE FROM sessions; INSERT INTO sessions (program, name) VALUES ('sample', 'sample')")
    for (index, session) in sessions.enumerated() {
      try session.store.send(.notes(.add(id: index + 1, text: "milk")))
      // Another process may be taking the same name.
      let end = ContinuousClock.now + .seconds(30)
      while session.hasUnsavedEntries, .now < end {
        do {
          try session.save()
        } catch let error as JournalError where error.kind == .busy {
          continue
        }
      }
    }
    try await other.value
    let found = try await database.query(
      "SELECT count(*) FROM sessions WHERE name LIKE 'sample.kept-%' AND head = 1")
    #expect(found == [["2"]])
  }

  // MARK: - Messages

  @Test(
    "says the same, and nothing of its functions, if the server ends a connection in the middle of one"
  )
  func endedStatement() async throws {
    let journal = try database.open()
    let other = try await database.holdLocks(
      of: "UPDATE sessions SET author = 'x'",
      then: """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """)
    let error = #expect(throws: JournalError.self) {
      try journal.append(.notes(1), expecting: 0)
    }
    try await other.value
    let message = try #require(error?.message)
    for part in ["terminating", "CONTEXT", "journal_append"] {
      #expect(!message.contains(part), "\(message)")
    }
  }

  @Test("names no constraints, functions or tables if somebody has changed the tables")
  func changedTables() async throws {
    let journal = try database.open()
    for sql in [
      "INSERT INTO entries SELECT id, 1, gen_random_uuid(), '', now(), 1, '', '' FROM sessions",
      "ALTER TABLE entries RENAME TO entry", "DROP PROCEDURE journal_append",
    ] {
      try await database.query(sql)
      let error = #expect(throws: JournalError.self) {
        try journal.append(.notes(1), expecting: 0)
      }
      let message = try #require(error?.message)
      #expect(message.contains("somebody has changed the tables of its sessions"), "\(message)")
      #expect(!message.contains("entries") && !message.contains("journal_append"), "\(message)")
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
      ("REVOKE INSERT ON entries FROM \(role)", "GRANT INSERT ON entries TO \(role)"),
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
        try journal.append(.notes(index + 1), expecting: index)
      }
      #expect(error?.kind == .unwritable)
      try await database.query(giving)
      #expect(try journal.append(.notes(index + 1), expecting: index) == index + 1)
      #expect(!journal.isReadOnly)
    }
  }

  @Test("of a role that may only read can be loaded and followed, but not written")
  func readOnlyRole() async throws {
    let journal = try database.open()
    _ = try journal.append(.notes(1), expecting: 0)
    let role = "reader_\(database.name)"
    try await database.query(
      "CREATE ROLE \(role) LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)")
    let reader = try database.open(user: role)
    #expect(reader.isReadOnly && !journal.isReadOnly)
    #expect(try reader.load().head == 1)
    _ = try journal.append(.notes(2), expecting: 1)
    #expect(try reader.waitForEntries(atMost: .seconds(60)))
    #expect(try reader.changes(since: 1).count == 1)
    let error = #expect(throws: JournalError.self) { try reader.append(.notes(3), expecting: 2) }
    #expect(error?.message.contains("read-only") == true)
    #expect(throws: JournalError.self) { try database.open("missing", user: role) }
  }

  @Test("refuses a schema with other tables of the same names, and leaves them alone")
  func otherTables() async throws {
    try await database.query("CREATE TABLE sessions (mine text)")
    let error = #expect(throws: JournalError.self) { try database.open() }
    #expect(error?.message.contains("search_path") == true)
    #expect(try await database.query("SELECT * FROM sessions").isEmpty)
    #expect(try await database.query("SELECT to_regclass('entries')") == [[""]])
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

  @Test("has no passwords")
  func secrets() async throws {
    let session = try JournaledSession(Sample.schema, in: database.open())
    try session.store.send(
      .account(.edit(.init(lastName: "Lovelace", password: Secret("hunter2"), topics: []))))
    try session.save()
    try database.open().checkpoint(
      JournalCheckpoint(head: 1, history: session.store.historySnapshot))
    for table in ["entries", "checkpoints", "fields", "records"] {
      let rows = try await database.query("SELECT * FROM \(table)")
      #expect(!rows.joined().contains { $0.contains("hunter2") })
    }
    #expect(try await database.query("SELECT content FROM checkpoints")[0][0].contains("Lovelace"))
  }

  @Test("keeps several programs' sessions apart, and their views")
  func programs() async throws {
    _ = try database.open("a")
    _ = try PostgresJournal(
      of: JournalConformance.schema, program: Program("other"), address: database.address("a"))
    #expect(
      try await database.query("SELECT program, name FROM sessions ORDER BY 1")
        == [["other", "a"], ["sample", "a"]])
    #expect(try await database.query("SELECT session FROM notes") == [["a"]])
    #expect(try await database.query("SELECT * FROM other_notes").isEmpty)
  }
}

/// A journal whose first answer is lost, and which is busy the second time.
private final class UnluckyJournal: Journal, @unchecked Sendable {
  private let journal: PostgresJournal
  // Used by one test on one thread.
  private var attempts = 0

  init(_ journal: PostgresJournal) { self.journal = journal }

  var programName: String { journal.programName }
  var author: String? { journal.author }
  var isOpenElsewhere: Bool { journal.isOpenElsewhere }

  func append(_ batch: JournalBatch, expecting head: Int) throws -> Int {
    attempts += 1
    guard attempts != 2 else { throw JournalError.busy("x") }
    let appended = try journal.append(batch, expecting: head)
    guard attempts > 1 else { throw JournalError.unreachable("x", reason: "lost") }
    return appended
  }

  func load() throws -> JournalContents { try journal.load() }

  func changes(since head: Int) throws -> [JournalEntry] { try journal.changes(since: head) }

  func checkpoint(_ checkpoint: JournalCheckpoint) throws { try journal.checkpoint(checkpoint) }

  func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    try journal.reserveIdentifiers(count, of: kind)
  }

  func restart(from checkpoint: JournalCheckpoint) throws { try journal.restart(from: checkpoint) }
}
