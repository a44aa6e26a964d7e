import PrimereplFoundation
import PrimereplPlatform
public import StateStore
import Synchronization

/// A journal on a PostgreSQL server, to which processes on several machines can write.
///
/// Every write is committed when it returns. Besides the entries, the database shows the current states in views for
/// people (see `Documentation/shared-sessions.md`). The connection is made when it is needed.
///
/// The journal is safe to use from several threads; they wait for each other.
public final class PostgresJournal: SharedJournal {
  /// The user and host that the entries of this process name.
  public let author: String? = PostgresJournal.userAndHost

  private let programName: String
  private let place: PostgresAddress
  private let schema: StoreSchema
  /// Locked during each call, also while it waits for entries.
  private let storage: Mutex<Storage>
  // What is used while another thread waits for entries.
  /// The views that the database may lack; nil when it has them, and before a session is loaded that was there.
  private let missingViews = Mutex<SessionViews?>(nil)
  private let notices = Mutex<[String]>([])
  private let isReadOnlyRole = Atomic<Bool>(false)
  private let pipe: WakePipe

  private struct Storage {
    /// Nil until it is needed, and after an error of the connection.
    var database: SessionDatabase?
    /// The id of the session on the server, and its identity; nil until it is found or created, or if it is lost.
    var session: Int?
    var identity: UUID?
    /// The time until which others let this process write first; nil if they don't.
    var turnEnd: ContinuousClock.Instant?
    /// The next identifiers after those that this journal has reserved.
    var identifiers: [String: Int] = [:]
  }

  /// Opens a session, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - schema: The features whose values views show if the session is new.
  ///   - program: The program whose session it is.
  ///   - address: The address: `postgresql://user@host/database?session=name`, as libpq takes it, except for the session.
  ///   - session: The name of the session, unless the address has one; nil for the program's name.
  /// - Throws: `JournalError`.
  public convenience init(
    of schema: StoreSchema, program: Program, address: String, session: String? = nil
  ) throws {
    try self.init(
      of: schema, program: program,
      at: PostgresAddress(address, session: session ?? program.name))
  }

  init(of schema: StoreSchema, program: Program, at place: PostgresAddress) throws {
    (self.place, self.schema) = (place, schema)
    programName = program.name
    storage = Mutex(Storage())
    pipe = try WakePipe()
    isReadOnlyRole.store(try access { _, database, _ in database.isReadOnly }, ordering: .relaxed)
  }

  /// The session's address, without its password.
  public var location: String { place.shown }

  /// True: the session is on a server.
  public var isRemote: Bool { true }

  /// An error if the role could only read when the session was opened; nil otherwise.
  public var writeFailure: JournalError? { isReadOnly ? .readOnly(location) : nil }

  private var isReadOnly: Bool { isReadOnlyRole.load(ordering: .relaxed) }

  /// Makes views that show the values of features: at once, if there is a connection that no other thread uses, or with
  /// the next call.
  public func show(_ schema: StoreSchema) {
    missingViews.withLock { $0 = SessionViews(schema, program: programName) }
    do {
      _ = try storage.withLockIfAvailable {
        if $0.database != nil { try access(&$0) { _, _, _ in } }
      }
    } catch {
      // The next call reports the error.
    }
  }

  /// The user and the host of this process, such as "anna@laptop".
  private static var userAndHost: String {
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
    let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
    return "\(user)@\(host)"
  }

  // MARK: - Reading

  /// The session with all its entries: without the server, they can be undone, too.
  public func load() throws -> SavedSession {
    try access { storage, database, session in
      try database.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
        guard let news = try news(since: nil, session, database)?.news else {
          throw JournalError.lost(location)
        }
        let (entries, extent) = (news.entries, news.extent)
        guard extent.first <= extent.position + 1,
          entries.last.map({ $0.number >= extent.position }) ?? true,
          entries.enumerated().allSatisfy({ extent.first + $0.offset == $0.element.number })
        else { throw damage("its history isn't whole") }
        storage.identity = news.point.session
        return SavedSession(
          point: news.point, state: try state(session, database), entries: entries, extent: extent)
      }
    }
  }

  private func state(_ session: Int, _ database: SessionDatabase) throws -> SavedState {
    var state = SavedState()
    for row in try database.run(
      "SELECT path, value FROM fields WHERE session = $1", "\(session)")
    {
      if let path = row[0], let value = row[1] { state.values[path] = value }
    }
    for row in try database.run("SELECT path FROM lists WHERE session = $1", "\(session)") {
      if let path = row[0] { state.lists[path] = [] }
    }
    for row in try database.run(
      "SELECT list, value FROM records WHERE session = $1 ORDER BY list, ordinal", "\(session)")
    {
      if let list = row[0], let value = row[1] { state.lists[list, default: []].append(value) }
    }
    return state
  }

  /// The number of the last writes by which `journal_begin` recognizes processes.
  private static let rememberedWrites = 1_000

  /// The longest time for which others wait for a process that came too late.
  private static let turn = Duration.milliseconds(100)

  /// Lets others wait until the next write, for a moment.
  private func takeTurn(
    _ storage: inout Storage, _ database: SessionDatabase, _ session: Int
  ) throws {
    guard storage.turnEnd == nil else { return }
    let rows = try database.run(
      "SELECT pg_try_advisory_lock('history'::regclass::oid::integer, $1)", "\(session)")
    // Another process that came too late may have the turn.
    if rows.first?[0] == "t" { storage.turnEnd = .now + Self.turn }
  }

  private func endTurn(
    _ storage: inout Storage, _ database: SessionDatabase, _ session: Int
  ) throws {
    guard storage.turnEnd != nil else { return }
    storage.turnEnd = nil
    try database.run(
      "SELECT pg_advisory_unlock('history'::regclass::oid::integer, $1)", "\(session)")
  }

  /// The last write, and the entries since another one, or all; nil if the session is gone.
  private func news(
    since known: JournalPoint?, _ session: Int, _ database: SessionDatabase
  ) throws -> (news: SessionNews, hasPoint: Bool)? {
    // One statement, which sees one state of the session.
    let rows = try database.run(
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
      """, "\(session)", "\(known?.sequence ?? -1)", known?.write.uuidString)
    guard let row = rows.first else { return nil }
    guard let last = row.integer(1), let position = row.integer(2),
      HistoryExtent.positions.contains(position),
      let migration = row.integer(6), let identity = row[3].flatMap(UUID.init)
    else { throw damage("its row in sessions is malformed") }
    let point =
      if last == 0 {
        JournalPoint.beginning(of: identity)
      } else if let write = row[4].flatMap(UUID.init) {
        JournalPoint(session: identity, sequence: last, write: write)
      } else { throw damage("its last write isn't in the table writes") }
    let news = SessionNews(
      point: point, entries: try rows.dropFirst().map(entry),
      extent: HistoryExtent(
        first: row.integer(5) ?? position + 1, position: position, migration: migration))
    return (news, known?.sequence == 0 || row[7] == "t")
  }

  private func entry(_ row: [String?]) throws -> SavedEntry {
    guard let number = row.integer(1), let time = row[2].flatMap(Double.init), let text = row[4],
      let action = row[5], let changes = row[6]
    else { throw damage("a row of history is malformed") }
    return SavedEntry(
      number: number, time: Date(timeIntervalSince1970: time), author: row[3], text: text,
      action: action, changes: changes)
  }

  private func damage(_ reason: String) -> JournalError {
    .damaged(
      location, reason: "\(reason). Nothing was changed; restore a backup, or name another session")
  }

  // MARK: - Writing

  /// Saves a write, or gets what others have written; a write that is there already isn't saved again.
  ///
  /// - Complexity: O(entries + edits of lists), and O(records) for an edit in the middle of a list.
  public func exchange(_ write: SessionWrite?, after point: JournalPoint) throws -> JournalReply {
    guard let write else {
      return try access { try reply(after: point, $2, $1, &$0) }
    }
    return try self.write { storage, database, session in
      guard storage.identity ?? point.session == point.session else {
        throw JournalError.replaced(location)
      }
      let save = SessionSave(
        database: database, session: session, write: write, author: author)
      switch try save.run(after: point.sequence, point.write) {
      case .saved(let sequence):
        try endTurn(&storage, database, session)
        return .saved(JournalPoint(session: point.session, sequence: sequence, write: write.id))
      case .conflict:
        try takeTurn(&storage, database, session)
        return try reply(after: point, session, database, &storage)
      case .lost: throw lost(&storage)
      }
    }
  }

  private func reply(
    after point: JournalPoint, _ session: Int, _ database: SessionDatabase, _ storage: inout Storage
  ) throws -> JournalReply {
    guard let (news, hasPoint) = try news(since: point, session, database) else {
      throw lost(&storage)
    }
    guard news.point.session == point.session else { throw JournalError.replaced(location) }
    if news.point == point { return .saved(point) }
    guard !hasPoint else { return .news(news) }
    // After that many, the write may only be forgotten.
    return .outdated(isRestored: news.point.sequence - point.sequence < Self.rememberedWrites)
  }

  private func lost(_ storage: inout Storage) -> JournalError {
    storage.session = nil
    return .lost(location)
  }

  /// Writes a whole session again that was deleted: by its name or, if that is taken, by one that all its processes use.
  public func restore(_ write: SessionWrite, at point: JournalPoint) throws {
    try storage.withLock { storage in
      try connected(&storage) { storage, database in
        let identity = point.session.uuidString
        let kept = "\(place.session).kept-\(identity.prefix(8).lowercased())"
        try database.transaction {
          for name in [place.session, kept] {
            let rows = try database.run(
              """
              INSERT INTO sessions (program, name, identity, sequence) VALUES ($1, $2, $3, $4)
              ON CONFLICT DO NOTHING RETURNING id
              """, programName, name, identity, "\(max(0, point.sequence - 1))")
            guard let session = rows.first?.integer(0) else { continue }
            return try fill(session, with: write, at: point, storage, database)
          }
        }
        // Another process may have been faster.
        let found = try find(point.session, database)
        storage.session = found?.id
        guard let (session, name) = found else { throw JournalError.busy(location) }
        try database.run(script: "UNLISTEN *; SELECT pg_advisory_unlock_all();")
        try listen(database, session)
        addNotice("\(location): the session was deleted; it continues as the session '\(name)'")
      }
    }
  }

  private func fill(
    _ session: Int, with write: SessionWrite, at point: JournalPoint, _ storage: Storage,
    _ database: SessionDatabase
  ) throws {
    if point.sequence > 0 {
      // It repeats the last write, by which other processes recognize the session.
      var whole = write
      whole.id = point.write
      let save = SessionSave(
        database: database, session: session, write: whole, author: author)
      guard case .saved = try save.runInTransaction(after: point.sequence - 1, nil) else {
        throw JournalError.busy(location)
      }
    }
    for (kind, next) in storage.identifiers {
      try database.run(
        "SELECT journal_reserve($1, $2, $3)", "\(session)", kind, "\(next - 1)")
    }
  }

  /// The session with an identity, and its name by now; nil if it is lost.
  private func find(
    _ identity: UUID, _ database: SessionDatabase
  ) throws -> (id: Int, name: String)? {
    let row = try database.run(
      "SELECT id, name FROM sessions WHERE program = $1 AND identity = $2", programName,
      identity.uuidString
    ).first
    guard let row, let id = row.integer(0), let name = row[1] else { return nil }
    return (id, name)
  }

  /// Reserves identifiers, each only once across all processes.
  public func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    precondition(count >= 1, "Identifiers are reserved for something.")
    return try write { storage, database, session in
      let rows = try database.run(
        "SELECT journal_reserve($1, $2, $3)", "\(session)", kind.name, "\(count)")
      guard let next = rows.first?.integer(0) else { throw JournalError.lost(location) }
      storage.identifiers[kind.name] = next
      return (next - count)...(next - 1)
    }
  }

  /// Gives back the last of the reserved identifiers.
  public func releaseIdentifiers(_ range: ClosedRange<Int>, of kind: IdentifierKind) throws {
    try write { _, database, session in
      _ = try database.run(
        "UPDATE identifiers SET next = $3 WHERE session = $1 AND kind = $2 AND next = $4",
        "\(session)", kind.name, "\(range.lowerBound)", "\(range.upperBound + 1)")
    }
  }

  // MARK: - The other processes

  /// Whether other processes have the session open; true if that can't be determined.
  public var isOpenElsewhere: Bool {
    do {
      return try access { _, database, session in
        try database.run(
          """
          SELECT FROM pg_locks WHERE \(SessionDatabase.isLockOfSession)
            AND objid = $1 AND pid <> pg_backend_pid() LIMIT 1
          """, "\(session)"
        ).isEmpty == false
      }
    } catch {
      // The next call reports the error.
      return true
    }
  }

  /// Waits until another process has appended entries.
  public func waitForEntries(atMost time: Duration) throws -> Bool {
    try access { storage, database, session in
      var time = time
      if let end = storage.turnEnd {
        time = min(time, end - .now)
        if time <= .zero {
          try endTurn(&storage, database, session)
          return false
        }
      }
      return try database.connection.waitForNotification(atMost: time, pipe)
    }
  }

  private func addNotice(_ notice: String) { notices.withLock { $0.append(notice) } }

  /// Ends the current wait for entries, or the next one.
  public func wake() { pipe.wake(WakePipe.look) }

  /// Messages for the user, each returned once.
  public func takeNotices() -> [String] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }

  /// Closes the connection, until the next call.
  public func close() { storage.withLock { $0.database = nil } }
}

// MARK: - Access

extension PostgresJournal {
  /// Calls a closure with the open database and the session's id, connecting first if necessary.
  private func access<Result: Sendable>(
    _ body: (inout Storage, SessionDatabase, Int) throws -> Result
  ) throws -> Result {
    try storage.withLock { try access(&$0, body) }
  }

  private func access<Result>(
    _ storage: inout Storage, _ body: (inout Storage, SessionDatabase, Int) throws -> Result
  ) throws -> Result {
    try connected(&storage) { storage, database in
      let session = try openSession(&storage, database)
      if !database.isReadOnly { try makeViews(in: database) }
      return try body(&storage, database, session)
    }
  }

  private func makeViews(in database: SessionDatabase) throws {
    try missingViews.withLock { views in
      try views?.makeIfNeeded(in: database)
      views = nil
    }
  }

  /// As `access`, for a role that may write.
  private func write<Result: Sendable>(
    _ body: (inout Storage, SessionDatabase, Int) throws -> Result
  ) throws -> Result {
    // A connection that was made while nobody could write: a new one may find that it can.
    storage.withLock { if !isReadOnly, $0.database?.isReadOnly == true { $0.database = nil } }
    return try access { storage, database, session in
      guard !database.isReadOnly else { throw JournalError.readOnly(location) }
      return try body(&storage, database, session)
    }
  }

  private func connected<Result>(
    _ storage: inout Storage, _ body: (inout Storage, SessionDatabase) throws -> Result
  ) throws -> Result {
    do {
      let database = try storage.database ?? SessionDatabase(place, program: programName)
      if storage.database == nil {
        storage.database = database
        storage.turnEnd = nil
        if let identity = storage.identity {
          // The server may be another one by now, or have an earlier copy.
          storage.session = try find(identity, database)?.id
          if let session = storage.session { try listen(database, session) }
        }
      }
      return try body(&storage, database)
    } catch let error as JournalError where error.kind == .unreachable {
      storage.database = nil
      throw error
    }
  }

  /// The id of the session, which is found by its name once, and created if it is missing.
  private func openSession(_ storage: inout Storage, _ database: SessionDatabase) throws -> Int {
    if let session = storage.session { return session }
    guard storage.identity == nil else { throw JournalError.lost(location) }
    func find() throws -> Int? {
      try database.run(
        "SELECT id FROM sessions WHERE program = $1 AND name = $2", programName, place.session
      ).first?.integer(0)
    }
    var session = try find()
    if session == nil {
      guard !database.isReadOnly else {
        throw JournalError.refused(
          location,
          reason: "there is no session '\(place.session)', and this role may not create it"
        )
      }
      try database.run(
        """
        INSERT INTO sessions (program, name, identity) VALUES ($1, $2, gen_random_uuid())
        ON CONFLICT DO NOTHING
        """, programName, place.session)
      session = try find()
      missingViews.withLock { $0 = SessionViews(schema, program: programName) }
    }
    guard let session else { throw JournalError.busy(location) }
    storage.session = session
    try listen(database, session)
    return session
  }

  /// Asks for notifications of a session, and marks it as open.
  private func listen(_ database: SessionDatabase, _ session: Int) throws {
    let locking =
      "SELECT pg_try_advisory_lock_shared('sessions'::regclass::oid::integer, \(session));"
    guard database.canListen else {
      try database.run(script: locking)
      return
    }
    try database.run(
      script: "DO $$ BEGIN EXECUTE 'LISTEN ' || journal_channel(\(session)); END $$;" + locking)
  }
}

extension [String?] {
  /// The integer in a column; nil for null, and for what isn't one.
  func integer(_ column: Int) -> Int? { self[column].flatMap { Int($0) } }
}
