import SampleFeatures
import Testing
import TestSupport

@testable import PostgresJournal
@testable import StateStore

@Suite(
  "The sessions on a server",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct PostgresServerTests {
  private let database: SessionDatabaseFixture
  private let server: PostgresServer

  init() async throws {
    database = try await SessionDatabaseFixture()
    server = try PostgresServer(
      database.address(), of: SessionDatabaseFixture.program, session: "sample")
  }

  @Test("are listed by name, with their last change and their users")
  func list() throws {
    #expect(try server.sessions().isEmpty)
    let journal = try database.open("b")
    _ = try database.open("a")
    try journal.save(.notes(1, 2))
    let sessions = try server.sessions()
    #expect(sessions.map(\.name) == ["a", "b"])
    #expect(sessions.last?.users == 1)
    #expect(sessions.map(\.author) == [nil, journal.author])
  }

  @Test("can be renamed, also while they are open")
  func rename() throws {
    let journal = try database.open("a")
    try server.rename("a", to: "b")
    try journal.save(.notes(1))
    #expect(try database.open("b").load().extent.position == 1)
  }

  @Test("aren't changed by a role that may only read")
  func readOnlyRole() async throws {
    _ = try database.open("a")
    let role = "reader_\(database.name)"
    try await database.query(
      "CREATE ROLE \(role) LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)")
    let reader = try PostgresServer(
      database.address(user: role), of: SessionDatabaseFixture.program, session: "sample")
    let error = #expect(throws: JournalError.self) { try reader.rename("a", to: "b") }
    #expect(error?.message.hasSuffix(": read-only: this role may not write") == true)
    #expect(try server.sessions().map(\.name) == ["a"])
  }

  @Test("can be copied with their history and identifiers")
  func copy() async throws {
    let session = try database.openSession("a")
    try session.store.send(.notes(.add(id: 1, text: "milk")))
    try session.store.send(.counter(.increment(by: 2)))
    try session.store.undo()
    try session.save()
    _ = try database.open("a").reserveIdentifiers(5, of: IdentifierKind("notes"))
    try server.copy("a", to: "b")
    let copy = try database.openSession("b")
    #expect(copy.store.states == session.store.states)
    #expect(copy.store.position == 1 && copy.store.reachable == 0...2)
    #expect(
      try database.open("b").reserveIdentifiers(1, of: IdentifierKind("notes")).lowerBound == 6)
    try await database.expectTables(session.store.states, session: "b")
  }

  @Test("can't get a name that another process is giving just now")
  func simultaneousNames() async throws {
    _ = try database.open("a")
    for (name, give) in [("b", server.rename), ("c", server.copy)] {
      let other = try await database.holdLocks(
        of:
          "INSERT INTO sessions (program, name, identity) VALUES ('sample', '\(name)', gen_random_uuid())"
      )
      let error = #expect(throws: JournalError.self) { try give("a", name) }
      #expect(error?.message.hasSuffix(": a session '\(name)' already exists") == true)
      try await other.value
    }
  }

  @Test("can be deleted once nobody has them open")
  func delete() async throws {
    let journal = try database.open("a")
    let error = #expect(throws: JournalError.self) { try server.delete("a") }
    #expect(error?.message.contains("open in 1 process") == true)
    journal.close()
    // The server notices the end of a connection a moment later.
    try await wait(for: "the end of the connection") { try server.sessions().first?.users == 0 }
    try server.delete("a")
    #expect(try server.sessions().isEmpty)
    #expect(try await database.query("SELECT count(*) FROM fields") == [["0"]])
  }

  @Test("in other schemas of the database are others")
  func schemas() async throws {
    try await database.query("CREATE SCHEMA team")
    let journal = try database.open("a")
    let address = database.address("a") + "&options=-csearch_path%3Dteam"
    let other = try PostgresJournal(
      of: Sample.schema, program: SessionDatabaseFixture.program, address: address)
    #expect(!journal.isOpenElsewhere && !other.isOpenElsewhere)
    try other.save(.notes(1))
    #expect(try !journal.waitForEntries(atMost: .milliseconds(200)))
    #expect(try journal.load().extent.position == 0)
    #expect(try await database.query("SELECT count(*) FROM team.history") == [["1"]])
  }

  @Test("that don't exist, or whose new name is taken, are refused")
  func refusals() throws {
    _ = try database.open("a")
    _ = try database.open("b")
    for refused in [
      { try server.rename("c", to: "d") }, { try server.rename("a", to: "b") },
      { try server.copy("a", to: "b") }, { try server.copy("a", to: "") },
      { try server.delete("c") },
    ] as [() throws -> Void] {
      #expect(throws: JournalError.self) { try refused() }
    }
  }
}
