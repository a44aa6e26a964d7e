import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import StateFile
@testable import StateStore

@Suite("A file of another kind is refused and left unchanged")
struct RefusedFileTests {
  private let file: SQLiteFile

  init() throws { file = try SQLiteFile() }

  private func expectRefused(code expected: String) throws {
    let (names, bytes) = (try file.files, try file.bytes())
    #expect(code { _ = try file.open() } == expected)
    #expect(try file.files == names)
    #expect(try file.bytes() == bytes)
  }

  @Test("a text", arguments: ["a", "print(1)\n", String(repeating: "text ", count: 1_000)])
  func text(content: String) throws {
    try Data(content.utf8).write(to: URL(fileURLWithPath: file.path))
    try expectRefused(code: "state_foreign")
  }

  @Test(
    "a database of another program",
    arguments: [
      "CREATE TABLE t (a)", "PRAGMA application_id = 17; CREATE TABLE entries (number)",
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a)", "PRAGMA user_version = 1",
    ])
  func database(sql: String) throws {
    try file.execute(sql)
    try expectRefused(code: "state_foreign")
  }

  @Test(
    "a state file of a newer version, or of format 1, which was never released",
    arguments: [(6, "state_newer"), (1, "state_foreign")])
  func otherFormat(version: Int, expected: String) throws {
    try file.open().append()
    try file.execute("PRAGMA user_version = \(version)")
    try expectRefused(code: expected)
  }

  @Test("a database of another program with its log beside it")
  func openDatabase() throws {
    let database = try file.connect()
    try database.run(script: "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    #expect(try file.files.contains("session.sqlite-wal"))
    try expectRefused(code: "state_foreign")
    withExtendedLifetime(database) {}
  }

  @Test(
    "a state file whose schema isn't as it was made, as damaged",
    arguments: [
      "ALTER TABLE history RENAME TO more; CREATE VIEW history AS SELECT * FROM more",
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'text TEXT', 'text TEXT CHECK (text <> x)') WHERE name = 'history'
      """,
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES
        ('view', 'more', 'more', 0, 'CREATE TRIGGER more AFTER INSERT ON history BEGIN SELECT 1; END')
      """,
    ])
  func incomplete(sql: String) throws {
    try file.open().append()
    try file.execute(sql)
    let bytes = try file.bytes()
    #expect(code { _ = try file.open().load() } == "state_damaged")
    #expect(try file.bytes() == bytes)
  }

  @Test(
    "not one to which people have added something, none of whose code runs",
    arguments: [
      "ANALYZE", "CREATE TABLE more (a)", "CREATE VIRTUAL TABLE more USING fts5 (a)",
      "CREATE INDEX more ON history (text)", "ALTER TABLE fields ADD COLUMN more DEFAULT 7",
      "CREATE TRIGGER more AFTER INSERT ON history BEGIN UPDATE history SET text = 'x' WHERE number = new.number; END",
      """
      CREATE TRIGGER more AFTER INSERT ON history BEGIN
        SELECT count(*) FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r);
      END
      """,
      "CREATE TRIGGER more INSTEAD OF INSERT ON counter BEGIN DELETE FROM history; END",
    ])
  func additions(sql: String) throws {
    try file.open().append()
    try file.execute(sql)
    try file.open().append()
    let entries = try file.open().load().entries
    #expect(entries.map(\.number) == [1, 2])
    #expect(!entries.map(\.text).contains("x"))
  }

  @Test("not one to whose schema people have added views, which are never read")
  func views() throws {
    try file.open().append()
    try file.execute(
      """
      CREATE VIEW mine AS SELECT * FROM notes_items;
      DROP VIEW notes_items; CREATE VIEW notes_items AS SELECT hex(zeroblob(700000000)) AS text
      """)
    #expect(try file.session().point.sequence == 1)
    #expect(try file.rows("SELECT * FROM mine") == [])
  }

  @Test("not one to which a trigger is added while it is open: the trigger doesn't run")
  func laterTrigger() throws {
    let journal = try file.open()
    try journal.append()
    try file.execute(
      "CREATE TRIGGER more AFTER INSERT ON history BEGIN UPDATE history SET text = 'x'; END")
    try journal.append()
    #expect(try journal.load().entries.count == 2)
  }

  @Test("a folder, and other things that aren't files", arguments: ["folder", "/dev/null"])
  func notAFile(name: String) throws {
    let folder = try TemporaryFolder()
    let path = name.hasPrefix("/") ? name : folder.url.path
    #expect(code { _ = try SQLiteJournal(at: path) } == "state_foreign")
  }
}
