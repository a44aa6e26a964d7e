import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import StateStore

@Suite("A state file")
struct StateFileTests {
  private func mode(_ path: String) throws -> Int {
    var status = stat()
    #expect(stat(path, &status) == 0, "\(path)")
    return Int(status.st_mode & 0o777)
  }

  @Test("can be read only by its owner, and so can the folders created for it")
  func accessRights() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("a/b/session.sqlite").path
    let old = umask(0)
    defer { umask(old) }
    let journal = try SQLiteJournal(of: App.schema, program: App.program, path: path)
    try journal.append([.numbered(1)], expecting: 0)
    for file in [path, path + "-wal", path + "-shm"] { #expect(try mode(file) == 0o600) }
    for name in ["a", "a/b"] {
      #expect(try mode(folder.url.appendingPathComponent(name).path) == 0o700)
    }
  }

  @Test("loses other users' access when it is opened")
  func restriction() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    #expect(chmod(file.path, 0o644) == 0)
    let journal = try file.open()
    try journal.append([.numbered(2)], expecting: 1)
    for name in ["", "-wal", "-shm"] { #expect(try mode(file.path + name) == 0o600) }
  }

  @Test("can be an empty file at first")
  func emptyFile() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try Data().write(to: URL(fileURLWithPath: file.path))
    #expect(try file.open().append([.numbered(1)], expecting: 0) == 1)
  }

  @Test("is created once by many that open it at the same time", arguments: 0..<5)
  func concurrentCreation(round: Int) async throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let path = file.path
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          _ = try SQLiteJournal(of: App.schema, program: App.program, path: path, busyTimeout: 20)
            .reserveIdentifiers(1, of: .person)
        }
      }
      try await group.waitForAll()
    }
    #expect(try file.open().reserveIdentifiers(1, of: .person) == 5...5)
  }

  @Test("identifies its program, and uses a write-ahead log and full synchronization")
  func settings() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open()
    #expect(try file.rows("PRAGMA application_id") == [["\(0x7072_696D)"]])
    #expect(try file.rows("PRAGMA user_version") == [["2"]])
    #expect(try file.rows("PRAGMA journal_mode") == [["wal"]])
    withExtendedLifetime(journal) {}
  }

  @Test("contains no secrets, and doesn't reveal their length")
  func secrets() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open()
    let secret = "correct horse battery staple"
    let store = Store()
    var changes: [FieldChange] = []
    try store.observe("") { changes += $0.fields }
    let actions: [StoreAction] = [
      .signUp(.edit([.password(Secret(secret)), .passwordConfirmation(Secret(secret))])),
      .signUp(.edit([.email("a@example.com")])),
    ]
    for action in actions { try store.send(action) }
    let entries = actions.map { JournalEntry(.action($0), time: Date(), writer: UUID()) }
    _ = try journal.append(JournalBatch(entries: entries, changes: changes), expecting: 0)
    let history = HistorySnapshot(
      state: store.states, offset: 0,
      actions: actions.map { .init(action: $0, time: Date()) }, position: 2)
    for checkpoint in [0, 2] {
      try journal.checkpoint(JournalCheckpoint(head: checkpoint, history: history))
      for name in try file.files {
        let bytes = try file.bytes(name)
        for text in [secret, "•"] {
          #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name)")
        }
      }
    }
    #expect(try file.bytes("session.sqlite-wal").range(of: Data("a@example.com".utf8)) != nil)
  }

  @Test("that is removed or replaced while it is open is no longer written")
  func replaced() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open()
    try journal.append([.numbered(1), .numbered(2)], expecting: 0)
    for name in try file.files {
      try FileManager.default.removeItem(at: file.folder.url.appendingPathComponent(name))
    }
    #expect(throws: JournalError.conflict(head: 0)) {
      try journal.append([.numbered(3)], expecting: 2)
    }
    for head in [0, 2] {
      #expect(throws: JournalError.gone(since: head)) { try journal.changes(since: head) }
    }
    #expect(try journal.load() == JournalContents(checkpoint: nil, entries: []))
    let entry = JournalEntry.numbered(1)
    #expect(try journal.append([entry], expecting: 0) == 1)
    #expect(try file.open().load().entries == [entry])
  }

  @Test("is unchanged after an interrupted migration")
  func interruptedMigration() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute("PRAGMA journal_mode = DELETE")
    let queue = try file.connect()
    try queue.writeWithoutTransaction { database in
      // Some of it is written before it is committed.
      try database.execute(
        sql: """
          PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM entries;
          CREATE TABLE large (content); INSERT INTO large VALUES (zeroblob(1000000));
          """)
    }
    #expect(try file.files.contains("session.sqlite-journal"))
    let copy = try SQLiteFile()
    defer { withExtendedLifetime(copy) {} }
    for name in try file.files {
      try file.bytes(name).write(to: copy.folder.url.appendingPathComponent(name))
    }
    try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    let journal = try copy.open()
    #expect(try journal.load().entries.count == 1)
    #expect(journal.recovery == nil)
    #expect(try copy.rows("SELECT * FROM sqlite_schema WHERE name = 'large'") == [])
  }

  @Test("is busy while another program writes for too long, but not afterwards")
  func busy() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open(busyTimeout: 0.05)
    let other = try file.connect()
    try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    #expect(throws: JournalError.busy(journal.path)) {
      try journal.append([.numbered(1)], expecting: 0)
    }
    #expect(try journal.load().entries.isEmpty)
    try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try journal.append([.numbered(1)], expecting: 0) == 1)
  }

  @Test("of format 1 is migrated")
  func formatOne() throws {
    let file = try SQLiteFile()
    try file.execute(StateFileFormat.tables)
    try file.execute(
      """
      PRAGMA application_id = \(App.program.fileIdentifier);
      PRAGMA user_version = 1;
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('1');
      INSERT INTO checkpoint VALUES (1, 2, '{"state": {
          "counter": {"count": 4, "isModalOpen": false}, "favorites": {"primes": [2, 3]},
          "todo": {"items": [], "lastID": 0, "query": ""}, "landmarks": {"all": [], "showFavoritesOnly": false},
          "persons": {"list": [{"id": 1, "name": "Ann", "age": 30}], "lastID": 1},
          "signUp": {"data": {"email": "a@b.c", "password": "", "passwordConfirmation": "", "firstName": "",
            "lastName": "", "phoneNumber": "", "topics": []}, "path": [], "submitted": false}},
        "offset": 1, "position": 3, "actions": [
          {"time": 5, "action": {"counter": {"_0": {"increment": {"by": 1}}}}},
          {"time": 6.25, "action": {"signUp": {"_0": {"next": {}}}}}]}');
      INSERT INTO entries VALUES
        (3, '\(UUID())', 7, 2, 'action', '{"action":{"_0":{"todo":{"_0":{"set":{"query":"x"}}}}}}'),
        (4, '\(UUID())', 8, 1, 'travel', '{"travel":{"to":3}}'),
        (5, '\(UUID())', 9, 1, 'action', '{"action":{"_0":{"reset":{}}}}');
      """)
    let session = try JournaledSession(App.schema, in: file.open())
    #expect(session.head == 5)
    #expect(session.store.position == 4)
    #expect(session.store.states == States())
    try session.store.undo()
    let states = session.store.states
    #expect(states.counter.count == 5)
    #expect(states.favorites.list == [2, 3])
    #expect(states.persons.list.map(\.name) == ["Ann"])
    #expect(states.signUp.data.email == "a@b.c")
    #expect(states.signUp.path == [.basics])
    let actions = try session.store.history().map(\.recorded)
    #expect(
      actions.map(\.action) == [
        .counter(.increment(by: 1)), .signUp(.next), .reset,
      ])
    #expect(actions[1].time == Date(timeIntervalSinceReferenceDate: 6.25))
    try file.expectViews(States())
  }
}
