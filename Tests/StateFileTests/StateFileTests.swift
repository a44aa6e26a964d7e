import Foundation
import TestSupport
import SampleFeatures
import Testing

@testable import StateFile
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
    let journal = try SQLiteJournal(of: Sample.schema, program: Sample.program, path: path)
    try journal.append([.numbered(1)], expecting: 0)
    #expect(try mode(path) == 0o600)
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
    #expect(try mode(file.path) == 0o600)
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
          _ = try SQLiteJournal(
            of: Sample.schema, program: Sample.program, path: path, busyTimeout: 20
          )
          .reserveIdentifiers(1, of: .person)
        }
      }
      try await group.waitForAll()
    }
    #expect(try file.open().reserveIdentifiers(1, of: .person) == 5...5)
  }

  @Test("identifies its program, and is a single file")
  func settings() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open()
    #expect(try file.rows("PRAGMA application_id") == [["\(Sample.program.fileIdentifier)"]])
    #expect(try file.rows("PRAGMA user_version") == [["4"]])
    #expect(try file.rows("PRAGMA journal_mode") == [["delete"]])
    #expect(try file.files == ["session.sqlite"])
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
      .account(.edit(.init(lastName: "Doe", password: Secret(secret)))),
      .account(.edit(.init(lastName: "Lovelace", password: Secret(secret)))),
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
    #expect(try file.bytes().range(of: Data("Lovelace".utf8)) != nil)
  }

  @Test("is unchanged after an interrupted migration")
  func interruptedMigration() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    let database = try file.connect()
    // Some of it is written before it is committed.
    try database.run(
      script: """
        PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM entries;
        CREATE TABLE large (content); INSERT INTO large VALUES (zeroblob(1000000));
        """)
    #expect(try file.files.contains("session.sqlite-journal"))
    let copy = try SQLiteFile()
    defer { withExtendedLifetime(copy) {} }
    for name in try file.files {
      try file.bytes(name).write(to: copy.folder.url.appendingPathComponent(name))
    }
    try database.run("ROLLBACK")
    let journal = try copy.open()
    #expect(try journal.load().entries.count == 1)
    #expect(journal.takeNotices().isEmpty)
    #expect(try copy.rows("SELECT * FROM sqlite_schema WHERE name = 'large'") == [])
  }

  @Test("is busy while another program writes for too long, but not afterwards")
  func busy() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open(busyTimeout: 0.05)
    let other = try file.connect()
    try other.run("BEGIN IMMEDIATE")
    #expect(throws: JournalError.busy(journal.path)) {
      try journal.append([.numbered(1)], expecting: 0)
    }
    #expect(try journal.load().entries.isEmpty)
    try other.run("ROLLBACK")
    #expect(try journal.append([.numbered(1)], expecting: 0) == 1)
  }

  @Test("of format 2 is migrated, with its history and its log")
  func formatTwo() throws {
    let file = try SQLiteFile()
    try makeFormatTwo(file)
    let session = try JournaledSession(Sample.schema, in: file.open())
    #expect(session.store.state(of: Counter.self).count == 6)
    #expect(session.store.state(of: Numbers.self).list.map(\.rawValue) == [7])
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    try session.store.undo(4)
    #expect(session.store.state(of: Counter.self).count == 0)
    #expect(try file.rows("PRAGMA user_version") == [["4"]])
    #expect(try file.rows("PRAGMA journal_mode") == [["delete"]])
    #expect(try file.rows("SELECT kind, next FROM identifiers") == [["note", "5"]])
    #expect(try file.rows("SELECT count FROM counter") == [["7"]])
    #expect(
      try file.rows("SELECT count(*) FROM entries WHERE checksum IS NULL") == [["3"]])
    #expect(try file.files == ["session.sqlite"])
  }

  @Test("of format 3 is migrated, with its identity")
  func formatThree() throws {
    let file = try SQLiteFile()
    try file.open().append([.numbered(5)], expecting: 0)
    let identity = try file.rows("SELECT identity FROM meta")
    try file.execute("PRAGMA user_version = 3")
    let session = try JournaledSession(Sample.schema, in: file.open())
    #expect(session.store.state(of: Counter.self).count == 5)
    #expect(try file.rows("PRAGMA user_version") == [["4"]])
    #expect(try file.rows("SELECT identity FROM meta") == identity)
  }

  /// Writes a file as format 2 had it: without checksums and identity, and with rows that are no longer used.
  private func makeFormatTwo(_ file: SQLiteFile) throws {
    let journal = try file.open()
    let session = try JournaledSession(Sample.schema, in: journal)
    _ = try journal.reserveIdentifiers(4, of: .note)
    try session.store.send(.set(count: 5), to: Counter.self)
    try session.store.send(.add(number: 7), to: Numbers.self)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    journal.close()
    try file.execute(
      """
      ALTER TABLE entries DROP COLUMN checksum;
      ALTER TABLE checkpoint DROP COLUMN checksum;
      DROP TABLE meta;
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO identifiers VALUES ('removal', 2), ('commit', 17), ('commit.previous', 16);
      PRAGMA user_version = 2;
      PRAGMA journal_mode = WAL;
      """)
  }
}
