import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

@Suite("A damaged state file")
struct DamagedFileTests {
  /// A closed file with notes, one for each entry.
  private func fileWithNotes(_ count: Int) throws -> SQLiteFile {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open()
    let store = Store()
    var changes: [FieldChange] = []
    try store.observe("") { changes += $0.fields }
    let entries = try (1...count).map { id in
      let action = StoreAction.notes(.add(id: id, text: "note \(id)"))
      try store.send(action)
      return JournalEntry(.action(action), time: Date(timeIntervalSince1970: 0), writer: UUID())
    }
    _ = try journal.append(JournalBatch(entries: entries, changes: changes), expecting: 0)
    _ = try journal.reserveIdentifiers(count, of: .note)
    return file
  }

  private func overwrite(_ file: SQLiteFile, at offset: Int, with bytes: [UInt8]) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file.path))
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  @Test(
    "keeps the entries before an unreadable one, and a copy",
    arguments: [
      "UPDATE entries SET content = '{}' WHERE number = 30",
      "UPDATE entries SET content = 'x' WHERE number = 30",
      "UPDATE entries SET content = content || ',' || content WHERE number = 30",
      "UPDATE entries SET content = x'ff00' WHERE number = 30",
      "UPDATE entries SET writer = 'nobody' WHERE number = 30",
      "UPDATE entries SET count = 0 WHERE number = 30", "DELETE FROM entries WHERE number = 30",
      "UPDATE entries SET count = 1e12 WHERE number = 30",
    ])
  func entry(sql: String) throws {
    let file = try fileWithNotes(50)
    defer { withExtendedLifetime(file) {} }
    let entries = try file.open().load().entries
    try file.execute(sql)
    let bytes = try file.bytes()
    let journal = try file.open()
    #expect(journal.takeNotices().isEmpty)
    #expect(try journal.load().entries == Array(entries[..<29]))
    let recovery = try recovery(of: journal)
    #expect(recovery.message.contains(": damaged: entry 30 can't be read: "))
    #expect(recovery.lastEntry == 29)
    #expect(recovery.original == bytes)
    #expect(try journal.append([.numbered(1)], expecting: 29) == 30)
    #expect(try file.rows("SELECT count(*), max(id) FROM notes_items") == [["29", "29"]])
    let again = try file.open()
    #expect(try again.load().entries.count == 30)
    #expect(again.takeNotices().isEmpty)
  }

  /// The notice of a recovery.
  private struct Recovery {
    let message: String
    let lastEntry: Int
    let original: Data
  }

  private func recovery(of journal: SQLiteJournal) throws -> Recovery {
    let notices = journal.takeNotices()
    let message = try #require(notices.first)
    #expect(notices.count == 1)
    let match = try #require(
      message.wholeMatch(
        of:
          /(.+?): damaged: .+\. Everything up to entry (\d+) was kept; the original is kept as (.+)\./
      ))
    #expect(match.1 == journal.path)
    return Recovery(
      message: message, lastEntry: try #require(Int(match.2)),
      original: try Data(contentsOf: URL(fileURLWithPath: String(match.3))))
  }

  @Test("says in words what is wrong with an entry of format 2, which has no checksum")
  func words() throws {
    let file = try fileWithNotes(50)
    defer { withExtendedLifetime(file) {} }
    try file.execute("UPDATE entries SET checksum = NULL, content = '{' WHERE number = 30")
    let journal = try file.open()
    #expect(try journal.load().entries.count == 29)
    #expect(
      try recovery(of: journal).message.contains("damaged: entry 30 can't be read: it isn't JSON."))
  }

  @Test("has no entry that isn't as it was written, whichever byte of its row changes")
  func flippedByte() throws {
    let file = try fileWithNotes(10)
    defer { withExtendedLifetime(file) {} }
    let contents = try file.open().load()
    let bytes = try file.bytes()
    let content = try file.rows("SELECT writer, kind, content FROM entries WHERE number = 5")[0]
    for text in content.map({ Data($0.utf8) }) {
      let place = try #require(bytes.range(of: content[0].isEmpty ? text : Data(content[0].utf8)))
      let start = try #require(bytes.range(of: text, in: place.lowerBound..<bytes.endIndex))
      for position in start {
        var flipped = bytes
        flipped[position] ^= 1
        try flipped.write(to: URL(fileURLWithPath: file.path))
        let journal = try file.open()
        #expect(try journal.load().entries == Array(contents.entries[..<4]), "byte \(position)")
        #expect(try recovery(of: journal).lastEntry == 4)
      }
    }
  }

  @Test(
    "says in words what is wrong with its checkpoint, and what to do",
    arguments: [
      ("head = 'x'", "it isn't as it was written"), ("head = -1", "it isn't as it was written"),
      ("head = 4", "it isn't as it was written"),
      ("content = replace(content, 'milk', 'silk')", "it isn't as it was written"),
      ("content = json_remove(content, '$.offset')", "offset: is missing"),
      (
        "content = json_set(content, '$.offset', 9223372036854775807)",
        "the history has no such action"
      ),
      ("content = json_set(content, '$.position', 77)", "the history has no such action"),
    ])
  func checkpoint(change: String, expected: String) throws {
    let file = try fileWithNotes(5)
    defer { withExtendedLifetime(file) {} }
    try file.open().checkpoint(.sample(head: 5))
    // With its checksum, no change of the checkpoint is believed; format 2 had none.
    let isChecked = expected.contains("as it was written")
    try file.execute("UPDATE checkpoint SET \(change)\(isChecked ? "" : ", checksum = NULL")")
    let bytes = try file.bytes()
    do {
      _ = try file.open().load()
      Issue.record("It was loaded.")
    } catch let error as JournalError {
      #expect(error.code == "state_damaged")
      #expect(error.message.contains(expected), "\(error.message)")
      #expect(error.message.contains("Nothing was changed; put a copy of it in its place"))
    }
    #expect(try file.bytes() == bytes)
  }

  @Test("ignores edits to the tables of ids and of values")
  func otherTables() throws {
    let file = try fileWithNotes(5)
    defer { withExtendedLifetime(file) {} }
    try file.execute(
      """
      UPDATE identifiers SET next = 'x' WHERE kind = 'note';
      UPDATE identifiers SET next = 9223372036854775807 WHERE kind = 'person';
      UPDATE lists SET count = 'many'; UPDATE records SET ordinal = 'x' WHERE id = 2;
      UPDATE fields SET value = x'ff'
      """)
    let session = try JournaledSession(Sample.schema, in: file.open())
    #expect(try file.open().reserveIdentifiers(2, of: .note).count == 2)
    try session.store.send(.add(id: 6, text: "six"), to: Notes.self)
    try session.save()
    #expect(try file.rows("SELECT count(*) FROM notes_items") == [["6"]])
    #expect(
      try JournaledSession(Sample.schema, in: file.open()).store.states == session.store.states)
  }

  @Test(
    "that has lost a derived table gets it again",
    arguments: ["identifiers", "meta", "fields", "lists", "records"])
  func lostTable(name: String) throws {
    let file = try fileWithNotes(20)
    defer { withExtendedLifetime(file) {} }
    try file.execute("DROP TABLE \(name)")
    let journal = try file.open()
    #expect(try journal.load().entries.count == 20)
    #expect(try recovery(of: journal).message.contains("its table \(name) isn't there"))
    #expect(try file.rows("SELECT count(*) FROM notes_items") == [["20"]])
  }

  @Test("that has lost its end keeps the readable part, and the original", arguments: 1...8)
  func truncated(eighths: Int) throws {
    let file = try fileWithNotes(2_000)
    defer { withExtendedLifetime(file) {} }
    let entries = try file.open().load().entries
    let size = try file.bytes().count
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file.path))
    try handle.truncate(atOffset: UInt64(size * eighths / 8 - 5))
    try handle.close()
    let original = try file.bytes()
    let journal = try file.open()
    let kept = try journal.load().entries
    #expect(kept == Array(entries[..<kept.count]))
    // SQLite reads zeros in place of a part of the last page, which may be empty or belong to a view.
    if eighths < 8 || kept.count < entries.count {
      let recovery = try recovery(of: journal)
      #expect(recovery.lastEntry == kept.count)
      #expect(recovery.original == original)
    }
    #expect(try file.rows("SELECT count(*) FROM notes_items") == [["\(kept.count)"]])
    #expect(try journal.append([.numbered(1)], expecting: kept.count) == kept.count + 1)
    #expect(try file.open().takeNotices().isEmpty)
  }

  @Test("whose pages were overwritten keeps the readable part, and the original")
  func overwritten() throws {
    let file = try fileWithNotes(2_000)
    defer { withExtendedLifetime(file) {} }
    let entries = try file.open().load().entries
    let root = try #require(
      Int(file.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'records_in_order'")[0][0]))
    try overwrite(file, at: (root - 1) * 4096, with: Array(repeating: 0x55, count: 4096))
    let original = try file.bytes()
    let journal = try file.open()
    #expect(try journal.load().entries == entries)
    #expect(try recovery(of: journal).original == original)
    #expect(try file.rows("SELECT count(*) FROM notes_items") == [["2000"]])
    #expect(try journal.reserveIdentifiers(1, of: .note) == 2001...2001)
  }

  @Test("is recovered by one of several processes that open it at the same time")
  func several() async throws {
    let file = try fileWithNotes(2_000)
    defer { withExtendedLifetime(file) {} }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file.path))
    try handle.truncate(atOffset: UInt64(file.bytes().count * 3 / 4))
    try handle.close()
    let path = file.path
    let heads = try await withThrowingTaskGroup(of: [Substring].self) { group in
      for _ in 0..<4 { group.addTask { try await WriterProcess.run(path, "load=1", "append=10") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(heads.allSatisfy { $0.count == 2 })
    #expect(Set(heads.map { $0.last }).count == 4)
    #expect(try file.files.filter { $0.contains(".damaged-") }.count == 1)
  }

  @Test("in an index is found and repaired when the index is used", arguments: [0, 1])
  func index(page: Int) throws {
    let file = try fileWithNotes(20)
    defer { withExtendedLifetime(file) {} }
    let root = try #require(
      Int(file.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'records_in_order'")[0][0]))
    let other = try file.bytes()[page * 4096..<page * 4096 + 4096]
    try overwrite(file, at: (root - 1) * 4096, with: [UInt8](other))
    let session = try JournaledSession(Sample.schema, in: file.open())
    try session.store.send(.add(id: 21, text: "more"), to: Notes.self)
    try session.save()
    #expect(try file.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try file.rows("SELECT count(*) FROM notes_items") == [["21"]])
  }

  @Test("whose text of a view can't be read keeps everything")
  func view() throws {
    let file = try fileWithNotes(20)
    defer { withExtendedLifetime(file) {} }
    try file.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE VIEW notes_items AS SELEC' || char(27) WHERE name = 'notes_items'
      """)
    let journal = try file.open()
    #expect(try journal.load().entries.count == 20)
    #expect(try recovery(of: journal).lastEntry == 20)
    #expect(try file.rows("SELECT count(*) FROM notes_items") == [["20"]])
  }

  @Test("keeps the copies of earlier damaged files")
  func copies() throws {
    let file = try fileWithNotes(50)
    defer { withExtendedLifetime(file) {} }
    for number in [40, 30, 20] {
      try file.execute("UPDATE entries SET content = '' WHERE number = \(number)")
      _ = try file.open().load()
    }
    #expect(try file.files.filter { $0.contains(".damaged-") }.count == 3)
  }

  @Test("is refused if an entry can't be applied, which only another version could have written")
  func otherVersion() throws {
    let file = try fileWithNotes(50)
    defer { withExtendedLifetime(file) {} }
    try file.execute(
      "UPDATE entries SET content = replace(content, '\"id\":30', '\"id\":1'), checksum = NULL WHERE number = 30"
    )
    let journal = try file.open()
    #expect(code { _ = try JournaledSession(Sample.schema, in: journal) } == "other_version")
    #expect(try journal.load().head == 50)
  }

  @Test("ignores entries with numbers below the first")
  func negativeNumbers() throws {
    let file = try fileWithNotes(5)
    defer { withExtendedLifetime(file) {} }
    try file.execute("UPDATE entries SET number = number - 10")
    #expect(try file.open().load().head == 0)
    #expect(throws: JournalError.gone(since: 5)) { try file.open().changes(since: 5) }
  }

  @Test(
    "is refused and left unchanged if nothing is certain",
    arguments: [
      "INSERT INTO checkpoint (only, head, content) VALUES (1, 0, '{}')", "DROP TABLE entries",
    ])
  func refused(sql: String) throws {
    let file = try fileWithNotes(50)
    defer { withExtendedLifetime(file) {} }
    try file.execute(sql)
    let bytes = try file.bytes()
    #expect(code { _ = try file.open().load() } == "state_damaged")
    #expect(try file.bytes() == bytes)
    #expect(try file.files == ["session.sqlite"])
  }

  @Test("is refused and left unchanged if the schema can't be read")
  func noSchema() throws {
    let file = try fileWithNotes(50)
    defer { withExtendedLifetime(file) {} }
    try overwrite(file, at: 100, with: Array(repeating: 0x55, count: 3_996))
    let bytes = try file.bytes()
    #expect(code { _ = try file.open() } == "state_damaged")
    #expect(try file.bytes() == bytes)
    #expect(try file.files == ["session.sqlite"])
  }
}
