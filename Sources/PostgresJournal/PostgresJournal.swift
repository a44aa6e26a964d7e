import Foundation
import Platform
public import StateStore
import Synchronization

/// A journal on a PostgreSQL server, to which processes on several machines can write.
///
/// Every write is committed when it returns. Besides the entries, the database shows the current states in views for
/// people (see `Documentation/shared-sessions.md`). The connection is made when it is needed.
///
/// The journal is safe to use from several threads; they wait for each other.
public final class PostgresJournal: SharedJournal {
  /// The name of the program whose session it is.
  public let programName: String

  /// The user and host that the entries of this process name.
  public let author: String? = PostgresJournal.userAndHost

  private let schema: StoreSchema
  private let coding: JournalCoding
  private let views: SessionViews
  private let place: PostgresAddress
  /// Locked during each call, also while it waits for entries.
  private let storage: Mutex<Storage>
  // What is asked while another thread waits for entries.
  private let notices = Mutex<[String]>([])
  private let isReadOnlyRole = Atomic<Bool>(false)
  private let pipe: WakePipe

  private struct Storage {
    /// Nil until it is needed, and after an error of the connection.
    var database: SessionDatabase?
    /// The id of the session; nil until it is found or created.
    var session: Int?
    /// The number of the last entry that this journal has loaded or written.
    var knownHead = 0
    /// The next identifiers after those that this journal has reserved.
    var identifiers: [String: Int] = [:]
  }

  /// Opens a session, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - schema: The features whose actions the journal stores.
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
    self.schema = schema
    self.place = place
    programName = program.name
    coding = JournalCoding(schema, of: program.name)
    views = SessionViews(schema, program: program.name)
    storage = Mutex(Storage())
    pipe = try WakePipe()
    isReadOnlyRole.store(try access { _, database, _ in database.isReadOnly }, ordering: .relaxed)
  }

  /// The session's address, without its password.
  public var address: String { place.shown }

  /// Whether the role could only read when the session was opened.
  public var isReadOnly: Bool { isReadOnlyRole.load(ordering: .relaxed) }

  /// The user and the host of this process, such as "anna@laptop".
  private static var userAndHost: String {
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
    let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
    return "\(user)@\(host)"
  }

  // MARK: - Reading

  /// The journal's contents.
  public func load() throws -> JournalContents {
    try access { storage, database, session in
      let (checkpoint, entries) = try read(since: nil, &storage, database, session)
      let contents = JournalContents(checkpoint: checkpoint, entries: entries)
      if !database.isReadOnly { try fillTables(with: contents, database, session) }
      return contents
    }
  }

  /// The entries after entry number `head`.
  public func changes(since head: Int) throws -> [JournalEntry] {
    try access { storage, database, session in
      try read(since: head, &storage, database, session).entries
    }
  }

  /// Reads the checkpoint and the entries after it or, if `head` isn't nil, only the entries after that.
  private func read(
    since head: Int?, _ storage: inout Storage, _ database: SessionDatabase, _ session: Int
  ) throws -> (checkpoint: JournalCheckpoint?, entries: [JournalEntry]) {
    // One statement, which sees one state of the session.
    let rows = try database.run(
      """
      SELECT 0 AS part, head AS number, NULL, NULL, NULL, NULL, NULL FROM sessions WHERE id = $1
      UNION ALL
      SELECT 1, head, NULL, NULL, NULL, NULL, CASE WHEN $2::bigint IS NULL THEN content END
      FROM checkpoints WHERE session = $1
      UNION ALL
      SELECT 2, number, writer::text, author, extract(epoch FROM time)::text, count::text, content
      FROM entries WHERE session = $1 AND ($2::bigint IS NULL OR number > $2)
      ORDER BY part, number
      """, "\(session)", head.map(String.init))
    guard let last = rows.first?.integer(1), last >= storage.knownHead else {
      throw JournalError.replaced(address)
    }
    let checkpointRow = rows.dropFirst().first { $0[0] == "1" }
    let first = checkpointRow?.integer(1) ?? 0
    if let head, !(first...max(first, last)).contains(head) { throw JournalError.gone(since: head) }
    var checkpoint: JournalCheckpoint?
    if head == nil, let content = checkpointRow?[6] {
      checkpoint = JournalCheckpoint(
        head: first,
        history: try damageReported { try coding.history(from: content, number: first) })
    }
    let entries = try self.entries(
      of: rows.drop { $0[0] != "2" }, after: head ?? first)
    storage.knownHead = last
    return (checkpoint, entries)
  }

  /// Decodes the entries after one, many of them at a time.
  private func entries(of rows: ArraySlice<[String?]>, after head: Int) throws -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var rest = rows
    while !rest.isEmpty {
      let batch = rest.prefix(1_000)
      rest = rest.dropFirst(batch.count)
      let events = coding.events(from: batch.map { $0[6] ?? "" })
      for (index, row) in batch.enumerated() {
        let number = head + entries.count + 1
        guard row.integer(1) == number, let writer = row[2].flatMap(UUID.init),
          let time = row[4].flatMap(Double.init), let count = row.integer(5),
          (1...JournalEntry.greatestCount).contains(count)
        else { throw damage("entry \(number) is malformed") }
        let event =
          try events?[index]
          ?? damageReported { try coding.event(from: row[6] ?? "", number: number) }
        entries.append(
          JournalEntry(
            event, count: count, time: Date(timeIntervalSince1970: time), writer: writer,
            author: row[3]))
      }
    }
    return entries
  }

  private func damageReported<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DocumentError {
      throw damage(error.message)
    }
  }

  private func damage(_ reason: String) -> JournalError {
    .damaged(
      address, reason: "\(reason). Nothing was changed; restore a backup, or name another session")
  }

  // MARK: - Writing

  /// Appends entries: all of them, or none; a batch that is there already isn't appended again.
  ///
  /// - Complexity: O(entries + edits of lists), and O(records) for an edit in the middle of a list.
  public func append(_ batch: JournalBatch, expecting head: Int) throws -> Int {
    guard let last = batch.entries.last else { return head }
    let entries = try RowArray.arrays(
      of: batch.entries.map { try JournalRow($0, coding) }, size: \.size)
    let changes = try RowArray.arrays(
      of: batch.changes.flatMap(FieldChangeRow.rows), size: \.size)
    return try write { storage, database, session in
      let append = SessionAppend(database, session, head, batch.id, last)
      let appended = try result(of: append.run(entries, changes))
      storage.knownHead = max(storage.knownHead, appended)
      return appended
    }
  }

  /// Replaces the entries up to the checkpoint's head with the resulting history.
  ///
  /// - Complexity: O(size of the history and its state).
  public func checkpoint(_ checkpoint: JournalCheckpoint) throws {
    let content = try coding.encode(checkpoint.history)
    try write { _, database, session in
      try replace(by: checkpoint.head, content, database, session)
    }
  }

  /// Replaces the entries by a history that they don't lead to, and the contents of the tables for people by its state.
  public func rewrite(_ checkpoint: JournalCheckpoint) throws {
    let content = try coding.encode(checkpoint.history)
    let changes = try fields(of: JournalContents(checkpoint: checkpoint, entries: []))
    try write { _, database, session in
      try database.transaction {
        try replace(by: checkpoint.head, content, database, session)
        try fill(changes, at: checkpoint.head, database, session)
      }
      try views.make(in: database)
    }
  }

  private func replace(
    by head: Int, _ content: String, _ database: SessionDatabase, _ session: Int
  ) throws {
    _ = try result(
      of: database.run(
        "SELECT journal_checkpoint($1, $2, $3)", "\(session)", "\(head)", content))
  }

  /// Writes a whole session again that was deleted or replaced by a backup: by its name if that is free, or else by a new
  /// one.
  public func restart(from checkpoint: JournalCheckpoint) throws {
    let content = try coding.encode(checkpoint.history)
    let changes = try fields(of: JournalContents(checkpoint: checkpoint, entries: []))
    try storage.withLock { storage in
      try connected(&storage) { storage, database in
        let name = try unusedName(database, for: "kept")
        let session = try database.transaction {
          let session = try insert(name, at: checkpoint.head, database)
          try replace(by: checkpoint.head, content, database, session)
          try fill(changes, at: checkpoint.head, database, session)
          for (kind, next) in storage.identifiers {
            try database.run(
              "SELECT journal_reserve($1, $2, $3)", "\(session)", kind, "\(next - 1)")
          }
          return session
        }
        (storage.session, storage.knownHead) = (session, checkpoint.head)
        try database.run(script: "UNLISTEN *; SELECT pg_advisory_unlock_all();")
        try listen(database, session)
        note(
          "\(address): the session was deleted or replaced; it continues as the session '\(name)'")
      }
    }
  }

  private func insert(_ name: String, at head: Int, _ database: SessionDatabase) throws -> Int {
    let rows = try database.run(
      """
      INSERT INTO sessions (program, name, head) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING RETURNING id
      """, programName, name, "\(head)")
    // Another process that has lost the session has taken the name.
    guard let session = rows.first?.integer(0) else { throw JournalError.busy(address) }
    return session
  }

  /// The session's name if no session has it, else one with the purpose and the time.
  private func unusedName(_ database: SessionDatabase, for purpose: String) throws -> String {
    let isUsed = try database.run(
      "SELECT FROM sessions WHERE program = $1 AND name = $2", programName, place.session)
    guard !isUsed.isEmpty else { return place.session }
    return "\(place.session).\(purpose)-\(Date().formatted(.iso8601.timeSeparator(.omitted)))"
  }

  /// Replaces a session by its last states, which the app's declarations convert, and keeps a copy: see `takeNotices`.
  public func migrate() throws {
    try write { _, database, session in
      guard let copy = try database.transaction({ try migrate(database, session) }) else { return }
      note(
        "\(address): the session was migrated to the app's new version. Its history starts over; the earlier session is kept as '\(copy)'."
      )
    }
  }

  /// Migrates the session, and returns the name of the copy; nil if there is nothing to migrate.
  private func migrate(_ database: SessionDatabase, _ session: Int) throws -> String? {
    // Another process that migrates it is waited for.
    let head = try database.run(
      "SELECT head FROM sessions WHERE id = $1 FOR NO KEY UPDATE", "\(session)"
    ).first?.integer(0)
    let migration = SessionMigration(database, session)
    guard let head,
      let states = try schema.migratedStates(migration.values(), from: migration.versions())
    else { return nil }
    let checkpoint = JournalCheckpoint(
      head: head, history: HistorySnapshot(state: states, offset: 0, actions: [], position: 0))
    let copy = try unusedName(database, for: "earlier")
    try database.run("SELECT journal_copy($1, $2)", "\(session)", copy)
    try replace(by: head, coding.encode(checkpoint.history), database, session)
    try fill(
      fields(of: JournalContents(checkpoint: checkpoint, entries: [])), at: head, database, session)
    return copy
  }

  /// Reserves identifiers, each only once across all processes.
  public func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    precondition(count >= 1, "Identifiers are reserved for something.")
    return try write { storage, database, session in
      let rows = try database.run(
        "SELECT journal_reserve($1, $2, $3)", "\(session)", kind.name, "\(count)")
      guard let next = rows.first?.integer(0) else { throw JournalError.replaced(address) }
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
    try access { _, database, _ in
      try database.connection.waitForNotification(atMost: time, pipe)
    }
  }

  private func note(_ notice: String) { notices.withLock { $0.append(notice) } }

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
    try storage.withLock { storage in
      try connected(&storage) { storage, database in
        let session = try openSession(&storage, database)
        return try body(&storage, database, session)
      }
    }
  }

  /// As `access`, for a role that may write.
  private func write<Result: Sendable>(
    _ body: (inout Storage, SessionDatabase, Int) throws -> Result
  ) throws -> Result {
    // A connection that was made while nobody could write: a new one may find that it can.
    storage.withLock { if !isReadOnly, $0.database?.isReadOnly == true { $0.database = nil } }
    return try access { storage, database, session in
      guard !database.isReadOnly else { throw JournalError.readOnly(address) }
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
        if let session = storage.session { try listen(database, session) }
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
    func find() throws -> Int? {
      try database.run(
        "SELECT id FROM sessions WHERE program = $1 AND name = $2", programName, place.session
      ).first?.integer(0)
    }
    var session = try find()
    if session == nil {
      guard !database.isReadOnly else {
        throw JournalError.refused(
          address, reason: "there is no session '\(place.session)', and this role may not create it"
        )
      }
      try database.run(
        "INSERT INTO sessions (program, name) VALUES ($1, $2) ON CONFLICT DO NOTHING", programName,
        place.session)
      session = try find()
    }
    guard let session else { throw JournalError.busy(address) }
    storage.session = session
    try listen(database, session)
    if !database.isReadOnly { try views.makeIfNeeded(in: database) }
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

  /// The head that a function of the database returns.
  ///
  /// - Throws: `JournalError.conflict` for another head, `JournalError.replaced` without a session.
  private func result(of rows: [[String?]]) throws(JournalError) -> Int {
    guard let head = rows.first?.integer(0) else { throw .replaced(address) }
    guard head >= 0 else { throw .conflict(head: -1 - head) }
    return head
  }

  /// Fills the tables for people, if a program with other features has written them, or none.
  private func fillTables(
    with contents: JournalContents, _ database: SessionDatabase, _ session: Int
  ) throws {
    let paths = Set(
      try database.run(
        "SELECT path FROM fields WHERE session = $1 UNION SELECT path FROM lists WHERE session = $1",
        "\(session)"
      ).map { $0[0] })
    guard !schema.fields.allSatisfy({ paths.contains($0.path) == $0.isSaved }) else { return }
    do {
      let changes = try fields(of: contents)
      try database.transaction { try fill(changes, at: contents.head, database, session) }
    } catch let error as JournalError where error.kind == .otherVersion {
      // Replaying the entries reports the one that can't be applied.
    }
  }

  /// All fields of the states after some contents, as changes.
  private func fields(of contents: JournalContents) throws -> [RowArray] {
    let states = try Store(schema, contents, of: programName).states
    return try RowArray.arrays(
      of: schema.savedFields.flatMap { FieldChangeRow.rows(of: $0, in: states) }, size: \.size)
  }

  /// Replaces the contents of the tables for people, unless the session has another head; within a transaction.
  private func fill(
    _ changes: [RowArray], at head: Int, _ database: SessionDatabase, _ session: Int
  ) throws {
    let rows = try database.run(
      "SELECT journal_fill($1, $2, $3)", "\(session)", "\(head)", changes.first?.json)
    guard let filled = rows.first?.integer(0), filled >= 0 else { return }
    for part in changes.dropFirst() {
      try database.run("SELECT journal_apply($1, $2)", "\(session)", part.json)
    }
  }
}

extension [String?] {
  /// The integer in a column; nil for null, and for what isn't one.
  func integer(_ column: Int) -> Int? { self[column].flatMap { Int($0) } }
}
