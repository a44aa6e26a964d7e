import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import StateFile
@testable import StateStore

/// Formats 2 to 4 had a log of entries; beside it, the same tables for the state.
@Suite("A state file of an earlier format")
struct EarlierFormatTests {
  private let file: SQLiteFile

  init() throws { file = try SQLiteFile() }

  /// Writes a file as earlier versions did, with a count of 6, the number 7, and two notes.
  private func make(format: Int) throws {
    let checksum = format > 2 ? ",\n  checksum INTEGER" : ""
    try file.execute(
      """
      PRAGMA application_id = \(Sample.program.fileIdentifier);
      CREATE TABLE entries (
        number INTEGER PRIMARY KEY,
        writer TEXT NOT NULL,
        time REAL NOT NULL, -- seconds since 1970
        count INTEGER NOT NULL,
        kind TEXT NOT NULL,
        content TEXT NOT NULL\(checksum)
      );
      CREATE TABLE checkpoint (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        head INTEGER NOT NULL,
        content TEXT NOT NULL\(checksum)
      );
      CREATE TABLE identifiers (
        kind TEXT PRIMARY KEY,
        next INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE fields (
        path TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE lists (
        path TEXT PRIMARY KEY,
        count INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE records (
        list TEXT NOT NULL,
        id INTEGER NOT NULL,
        ordinal REAL NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (list, id)
      ) WITHOUT ROWID;
      CREATE INDEX records_in_order ON records (list, ordinal);
      CREATE VIEW "counter" AS SELECT
        (SELECT json_extract(value, '$') FROM fields WHERE path = 'counter.count') AS "count",
        (SELECT json_extract(value, '$') FROM fields WHERE path = 'counter.loading') AS "loading";
      INSERT INTO entries (number, writer, time, count, kind, content) VALUES
        (1, '\(UUID())', 1000, 6, 'counter', '{"feature":"counter","action":{"increment":{"by":1}}}'),
        (2, '\(UUID())', 1001, 1, 'travel', '{"travel":5}'),
        (3, '\(UUID())', 1002, 1, 'travel', '{"travel":6}');
      INSERT INTO identifiers VALUES ('note', 5);
      INSERT INTO fields VALUES
        ('counter.count', '6'), ('counter.loading', 'false'), ('counter.alert', 'null'),
        ('counter.card', '{"number":6,"is_listed":false,"text":"6 is new"}'),
        ('notes.query', '""'), ('notes.last_text', '"bread"'), ('notes.filtering', 'false'),
        ('people.loading', 'false'), ('people.error', 'null'),
        ('account.profile', '{"last_name":"Lee","password":"","topics":["Testing"]}'),
        ('account.submitted', 'false');
      INSERT INTO lists VALUES
        ('numbers', 1), ('notes.items', 2), ('people', 0);
      INSERT INTO records VALUES
        ('numbers', 7, 0, '7'),
        ('notes.items', 1, 0, '{"id":1,"text":"milk","done":true}'),
        ('notes.items', 4, -1, '{"id":4,"text":"bread","done":false}');
      PRAGMA user_version = \(format);
      """)
    if format > 3 {
      try file.execute(
        """
        CREATE TABLE meta (
          only INTEGER PRIMARY KEY CHECK (only = 1),
          identity TEXT NOT NULL
        );
        INSERT INTO meta VALUES (1, '\(UUID())');
        """)
    }
    if format == 2 {
      try file.execute(
        """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO identifiers VALUES ('removal', 2), ('commit', 17);
        PRAGMA journal_mode = WAL;
        """)
    }
  }

  private var state: States {
    get throws {
      let store = Store()
      for action: StoreAction in [
        .counter(.set(count: 6)), .numbers(.add(number: 7)), .notes(.add(id: 1, text: "milk")),
        .notes(.finish(id: 1)), .notes(.add(id: 4, text: "bread")),
        .account(.edit(.init(lastName: "Lee", topics: [.testing]))),
      ] {
        try store.send(action)
      }
      return store.states
    }
  }

  private func earlierFile() throws -> String {
    try #require(file.files.first { $0.hasPrefix("session.sqlite.earlier-") })
  }

  @Test("is taken over with its state and its identifiers, and begins a history", arguments: 2...4)
  func takenOver(format: Int) throws {
    try make(format: format)
    let journal = try file.open()
    let session = try journal.openSession()
    // Also with the sum of the numbers, which follows from them.
    #expect(try session.store.states == state)
    #expect(session.store.reachable == 0...0)
    #expect(session.store.identifiers.next(.note) == 5)
    #expect(try file.rows("PRAGMA user_version") == [["5"]])
    #expect(try file.rows("PRAGMA journal_mode") == [["delete"]])
    try session.save(doing: .counter(.increment(by: 1)))
    try file.expectViews(session.store.states)
    let reopened = try file.session()
    #expect(reopened.store.states == session.store.states)
    try reopened.store.undo()
    #expect(try reopened.store.states == state)
  }

  @Test("is kept beside the new one, as it was, and says so once")
  func kept() throws {
    try make(format: 4)
    let tables = ["entries", "checkpoint", "meta", "identifiers", "fields", "lists", "records"]
    let rows = try tables.map { try file.rows("SELECT * FROM \($0)") }
    let journal = try file.open()
    let name = try earlierFile()
    #expect(try file.files == ["session.sqlite", name])
    #expect(
      journal.takeNotices() == [
        "\(file.path): it had an earlier format, without what actions changed: its state was "
          + "taken over, and its history begins here. The earlier file is kept as "
          + "\(file.folder.path(of: name))."
      ])
    let earlier = try Database(file.folder.path(of: name))
    #expect(try earlier.value("PRAGMA user_version")?.integer == 4)
    #expect(
      try earlier.value("PRAGMA application_id")?.integer == Int(Sample.program.fileIdentifier))
    for (table, rows) in zip(tables, rows) {
      #expect(try earlier.rows("SELECT * FROM \(table)").count == rows.count)
    }
    #expect(try file.open().takeNotices().isEmpty)
    #expect(try file.files.count == 2)
  }

  @Test("is kept so that only its owner can read it")
  func accessRights() throws {
    try make(format: 4)
    _ = try file.open()
    for name in try file.files {
      let status = try FileManager.default.attributesOfItem(atPath: file.folder.path(of: name))
      #expect(status[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("is taken over once by several processes that open it together")
  func several() async throws {
    try make(format: 4)
    let path = file.path
    let lines = try await withThrowingTaskGroup(of: [Substring].self) { group in
      for _ in 0..<4 { group.addTask { try await WriterProcess.run(path, "append=10") } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(lines.allSatisfy { Int($0) != nil }, "\(lines)")
    #expect(try file.files.count == 2)
    let store = try file.session().store
    #expect(store.state(of: Notes.self).items.count == 42)
    #expect(store.position == 40)
  }

  @Test("is refused if it can't be written, and nothing is left beside it")
  func unwritable() async throws {
    try make(format: 4)
    #expect(chmod(file.path, 0o400) == 0)
    if geteuid() == 0 {
      // Root may write everything.
      for path in [file.path, file.folder.path] { #expect(chown(path, 65_534, 65_534) == 0) }
    }
    let user = geteuid() == 0 ? ["user=65534"] : []
    #expect(
      try await WriterProcess.run(file.path, user + ["load=1", "append=1"])
        == ["state_unwritable", "state_unwritable"])
    #expect(try file.files == ["session.sqlite"])
    #expect(chmod(file.path, 0o600) == 0)
    #expect(try file.session().store.states == state)
  }
}
