import PrimereplFoundation
public import StateStore

/// A PostgreSQL server with sessions.
///
/// A program that names it takes its addresses for `--state`:
///
/// ```swift
/// var console = Console("notes", features: [Notes.self])
/// console.servers = [PostgresServer.self]
/// ```
public struct PostgresServer: SessionServer {
  private let place: PostgresAddress
  private let program: Program

  /// Whether an address begins with `postgresql://` or `postgres://`, in upper or lower case.
  public static func recognizes(_ address: String) -> Bool {
    let scheme = address.trimmingWhitespace.prefix { $0 != ":" }
    return scheme.endIndex < address.endIndex
      && ["postgresql", "postgres"].contains(scheme.lowercased())
  }

  /// The user, the server, the database and the session of an address; no part of one that can't be read.
  public static func withoutPassword(_ address: String) -> String {
    do throws(JournalError) {
      return try PostgresAddress(address, session: "default").shown
    } catch {
      return PostgresAddress.unreadable
    }
  }

  /// Reads an address.
  public init(_ address: String, of program: Program, session: String) throws {
    place = try PostgresAddress(address, session: session)
    self.program = program
  }

  /// The name of the session that the address names.
  public var session: String { place.session }

  /// Opens the session that the address names, and creates it if it is missing.
  public func journal(of schema: StoreSchema) throws -> any SharedJournal {
    try PostgresJournal(of: schema, program: program, at: place)
  }

  /// The program's sessions, by name.
  public func sessions() throws -> [SessionSummary] {
    let database = try SessionDatabase(place, program: program.name)
    return try database.run(
      """
      SELECT name, extract(epoch FROM changed), author, \(Self.users)
      FROM sessions WHERE program = $1 ORDER BY name
      """, program.name
    ).map { row in
      SessionSummary(
        name: row[0] ?? "",
        lastChange: Date(timeIntervalSince1970: row[1].flatMap(Double.init) ?? 0),
        author: row[2], users: row.integer(3) ?? 0)
    }
  }

  /// The number of processes that have a session open.
  private static let users = """
    (SELECT count(DISTINCT pid) FROM pg_locks
      WHERE \(SessionDatabase.isLockOfSession) AND objid = sessions.id::oid)
    """

  /// Renames a session, also one that is open.
  public func rename(_ session: String, to name: String) throws {
    try give(name, to: session, by: "UPDATE sessions SET name = $2 WHERE id = $1")
  }

  /// Copies a session with its history.
  public func copy(_ session: String, to name: String) throws {
    try give(name, to: session, by: "SELECT journal_copy($1, $2)")
  }

  private func give(_ name: String, to session: String, by statement: String) throws {
    let (database, id) = try find(session)
    guard !name.isEmpty else { throw refusal("a session needs a name") }
    try database.run(
      statement, "\(id)", name, ifTaken: refusal("a session '\(name)' already exists"))
  }

  /// Deletes a session that nobody has open.
  public func delete(_ session: String) throws {
    let (database, id) = try find(session)
    let users = try database.run("SELECT \(Self.users) FROM sessions WHERE id = $1", "\(id)")
    if let count = users.first?.integer(0), count > 0 {
      throw refusal(
        "the session '\(session)' is open in \(count) process\(count == 1 ? "" : "es"): close it there first"
      )
    }
    try database.run("DELETE FROM sessions WHERE id = $1", "\(id)")
  }

  private func find(_ session: String) throws -> (SessionDatabase, id: Int) {
    let database = try SessionDatabase(place, program: program.name)
    let rows = try database.run(
      "SELECT id FROM sessions WHERE program = $1 AND name = $2", program.name, session)
    guard let id = rows.first?.integer(0) else {
      throw refusal("there is no session '\(session)'")
    }
    guard !database.isReadOnly else { throw refusal("read-only: this role may not write") }
    return (database, id)
  }

  private func refusal(_ reason: String) -> JournalError {
    .refused(place.shown, reason: reason)
  }
}
