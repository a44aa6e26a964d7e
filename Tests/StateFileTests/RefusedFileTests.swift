import Foundation
import TestSupport
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

@Suite("A file of another kind is refused and left unchanged")
struct RefusedFileTests {
  private func expectRefused(_ file: SQLiteFile, code expected: String) throws {
    let (names, bytes) = (try file.files, try file.bytes())
    #expect(code { _ = try file.open() } == expected)
    #expect(try file.files == names)
    #expect(try file.bytes() == bytes)
  }

  @Test("a text", arguments: ["a", "print(1)\n", String(repeating: "text ", count: 1_000)])
  func text(content: String) throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try Data(content.utf8).write(to: URL(fileURLWithPath: file.path))
    try expectRefused(file, code: "state_foreign")
  }

  @Test(
    "a database of another program",
    arguments: [
      "CREATE TABLE t (a)", "PRAGMA application_id = 17; CREATE TABLE entries (number)",
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a)", "PRAGMA user_version = 1",
    ])
  func database(sql: String) throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.execute(sql)
    try expectRefused(file, code: "state_foreign")
  }

  @Test("a state file of a newer version")
  func newer() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute("PRAGMA user_version = 5")
    try expectRefused(file, code: "state_newer")
  }

  @Test("a state file of format 1, which was never released")
  func formatOne() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute("PRAGMA user_version = 1")
    try expectRefused(file, code: "state_foreign")
  }

  @Test("a database of another program with its log beside it")
  func openDatabase() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let database = try file.connect()
    try database.run(script: "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    #expect(try file.files.contains("session.sqlite-wal"))
    try expectRefused(file, code: "state_foreign")
    withExtendedLifetime(database) {}
  }

  /// What a stranger can add to the schema of a file; most of it runs code when the session is read or saved.
  private static let additions = [
    "CREATE TABLE more (a)", "CREATE VIRTUAL TABLE more USING fts5 (a)",
    "CREATE INDEX more ON entries (kind)", "CREATE INDEX more ON entries (hex(zeroblob(number)))",
    "CREATE INDEX more ON entries (kind) WHERE abs(number) > 0",
    "ALTER TABLE entries ADD COLUMN more AS (hex(zeroblob(700000000)))",
    "ALTER TABLE fields ADD COLUMN more DEFAULT 7",
    "ALTER TABLE records RENAME COLUMN value TO more", "ALTER TABLE entries RENAME TO more",
    "ALTER TABLE entries RENAME TO more; CREATE VIEW entries AS SELECT * FROM more",
    "DROP TABLE lists; CREATE TABLE lists (path TEXT PRIMARY KEY, count INTEGER NOT NULL CHECK (count < 9)) WITHOUT ROWID",
    "DROP TABLE meta; CREATE VIRTUAL TABLE meta USING fts5 (only, identity)",
    "CREATE TRIGGER more AFTER INSERT ON entries BEGIN UPDATE entries SET content = 'x' WHERE number = new.number; END",
    """
    CREATE TRIGGER more AFTER INSERT ON entries BEGIN
      SELECT count(*) FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r);
    END
    """,
    "CREATE TRIGGER more INSTEAD OF INSERT ON counter BEGIN DELETE FROM entries; END",
    """
    PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema VALUES
      ('view', 'more', 'more', 0, 'CREATE TRIGGER more AFTER INSERT ON entries BEGIN SELECT 1; END')
    """,
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'kind TEXT', 'kind TEXT /* ; */ CHECK (kind <> x)') WHERE name = 'entries'
    """,
  ]

  @Test("a state file whose schema has something else", arguments: additions)
  func strange(sql: String) throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute(sql)
    try expectRefused(file, code: "state_foreign")
  }

  @Test(
    "a damaged state file whose schema has something else",
    arguments: [
      "CREATE TRIGGER more AFTER INSERT ON entries BEGIN SELECT 1; END", "CREATE TABLE more (a)",
    ])
  func damaged(sql: String) throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute(sql)
    // Its end is missing.
    let bytes = try file.bytes()
    try bytes.dropLast(100).write(to: URL(fileURLWithPath: file.path))
    try expectRefused(file, code: "state_foreign")
  }

  @Test("not one to whose schema people have added views, which are never read")
  func views() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute(
      """
      CREATE VIEW mine AS SELECT * FROM notes_items;
      DROP VIEW notes_items; CREATE VIEW notes_items AS SELECT hex(zeroblob(700000000)) AS text
      """)
    #expect(try file.open().load().head == 1)
    #expect(try file.rows("SELECT * FROM mine") == [])
  }

  @Test("not one that people have analyzed, with whose statistics SQLite chooses its indexes")
  func statistics() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute("ANALYZE")
    #expect(try file.open().load().head == 1)
  }

  @Test("not one to which a trigger is added while it is open: the trigger doesn't run")
  func laterTrigger() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open()
    try journal.append([.numbered(1)], expecting: 0)
    try file.execute(
      "CREATE TRIGGER more AFTER INSERT ON entries BEGIN UPDATE entries SET content = 'x'; END")
    try journal.append([.numbered(2)], expecting: 1)
    #expect(try journal.load().entries.count == 2)
  }

  @Test("a folder, and other things that aren't files", arguments: ["folder", "/dev/null"])
  func notAFile(name: String) throws {
    let folder = try TemporaryFolder()
    let path = name.hasPrefix("/") ? name : folder.url.path
    #expect(
      code { _ = try SQLiteJournal(of: Sample.schema, program: Sample.program, path: path) }
        == "state_foreign")
  }
}
