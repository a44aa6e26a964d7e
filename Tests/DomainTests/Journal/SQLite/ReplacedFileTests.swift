import Foundation
import GRDB
import Testing

@testable import Domain
@testable import StateStore

/// A backup that is put in the place of a state file finds the log of that one beside it.
@Suite("A state file that replaced another")
struct ReplacedFileTests {
  private let file: SQLiteFile

  init() throws {
    file = try SQLiteFile()
  }

  private func todo(_ numbers: ClosedRange<Int>) -> [JournalEntry] {
    numbers.map { number in
      JournalEntry(
        .action(.todo(.add(id: number, text: String(repeating: "x", count: 500)))), time: Date(),
        writer: UUID())
    }
  }

  private func copy(_ name: String, to other: String) throws {
    try file.bytes(name).write(to: URL(fileURLWithPath: file.folder.path(of: other)))
  }

  private func move(_ name: String, to other: String) {
    #expect(rename(file.folder.path(of: name), file.folder.path(of: other)) == 0)
  }

  /// Makes a file of 3 entries, which is kept as `backup`, and continues to 3 + `count` in another process, which is killed.
  private func backUpAndGoOn(_ count: Int) throws {
    try file.open().append(todo(1...3), expecting: 0)
    try copy("session.sqlite", to: "backup")
    let journal = try file.open()
    try journal.append(todo(4...(3 + count)), expecting: 3)
    for name in ["session.sqlite", "session.sqlite-wal"] { try copy(name, to: "killed-" + name) }
    journal.close()
    move("killed-session.sqlite", to: "session.sqlite")
    move("killed-session.sqlite-wal", to: "session.sqlite-wal")
  }

  private func expectSetAside(_ journal: SQLiteJournal) throws {
    let log = try #require(journal.setAsideLog)
    #expect(try !Data(contentsOf: URL(fileURLWithPath: log.kept)).isEmpty)
    #expect(log.message.hasPrefix("\(journal.path): "))
    #expect(journal.recovery == nil)
    #expect(try file.rows("PRAGMA quick_check") == [["ok"]])
  }

  @Test("is used, and the other log is kept beside it", arguments: [1, 40])
  func backup(count: Int) throws {
    try backUpAndGoOn(count)
    // More has come into the file since the backup.
    try file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let killed = try file.open()
    try killed.append(todo(100...140), expecting: 3 + count)
    move("backup", to: "session.sqlite")
    let journal = try file.open()
    #expect(try journal.load().entries.count == 3)
    try expectSetAside(journal)
    #expect(try journal.append([.numbered(1)], expecting: 3) == 4)
    withExtendedLifetime(killed) {}
  }

  @Test("is used if it has the same contents as the other one, but for the log")
  func sameContents() throws {
    try file.open().append(todo(1...3), expecting: 0)
    let journal = try file.open()
    try journal.append(todo(4...5), expecting: 3)
    try copy("session.sqlite", to: "backup")
    move("backup", to: "session.sqlite")
    let reopened = try file.open()
    #expect(try reopened.load().entries.count == 3)
    try expectSetAside(reopened)
    withExtendedLifetime(journal) {}
  }

  @Test("is used if it was written by VACUUM, which changes its layout")
  func vacuumed() throws {
    let journal = try file.open()
    try journal.append(todo(1...60), expecting: 0)
    try file.execute("VACUUM INTO '\(file.folder.path(of: "backup"))'")
    try journal.append(todo(61...120), expecting: 60)
    move("backup", to: "session.sqlite")
    let reopened = try file.open()
    #expect(try reopened.load().entries.count == 60)
    try expectSetAside(reopened)
  }

  @Test("can be of another session")
  func otherSession() throws {
    try backUpAndGoOn(10)
    let other = try SQLiteFile()
    defer { withExtendedLifetime(other) {} }
    try other.open().append([.numbered(1)], expecting: 0)
    try FileManager.default.removeItem(atPath: file.path)
    try FileManager.default.copyItem(atPath: other.path, toPath: file.path)
    let journal = try file.open()
    #expect(try journal.load().entries.count == 1)
    try expectSetAside(journal)
  }

  @Test("is a new one if the other one was removed or emptied", arguments: [true, false])
  func missing(isRemoved: Bool) throws {
    try backUpAndGoOn(10)
    if isRemoved {
      try FileManager.default.removeItem(atPath: file.path)
    } else {
      #expect(truncate(file.path, 0) == 0)
    }
    let journal = try file.open()
    #expect(try journal.load().entries.isEmpty)
    try expectSetAside(journal)
  }

  @Test("uses its own log after a crash, even if both were copied or renamed")
  func ownLog() throws {
    try backUpAndGoOn(40)
    let journal = try file.open()
    #expect(try journal.load().entries.count == 43)
    #expect(journal.setAsideLog == nil)
  }

  @Test("uses its own log, even if other programs wrote to it")
  func ownLogOfOthers() throws {
    let journal = try file.open()
    try journal.append(todo(1...3), expecting: 0)
    try file.execute("CREATE INDEX i ON entries (time)")
    try file.execute("VACUUM")
    try journal.append(todo(4...5), expecting: 3)
    for name in ["session.sqlite", "session.sqlite-wal"] { try copy(name, to: "killed-" + name) }
    journal.close()
    move("killed-session.sqlite", to: "session.sqlite")
    move("killed-session.sqlite-wal", to: "session.sqlite-wal")
    let reopened = try file.open()
    #expect(try reopened.load().entries.count == 5)
    #expect(reopened.setAsideLog == nil)
  }

  @Test("is detected by a session that has the other one open")
  func inUse() throws {
    let session = try JournaledSession(App.schema, in: file.open())
    try session.store.send(.add(id: 1, text: "1"), to: Todo.self)
    try session.save()
    let journal = try file.open()
    _ = try journal.load()
    try copy("session.sqlite", to: "backup")
    try session.store.send(.add(id: 2, text: "2"), to: Todo.self)
    try session.save()
    move("backup", to: "session.sqlite")
    let other = try file.open()
    let head = try other.load().head
    #expect(try other.append([.numbered(1)], expecting: head) == head + 1)
    // The one that has the file open which isn't there any more.
    journal.close()
    #expect(try file.files.contains("session.sqlite-wal"))
    #expect(try file.open().load().head == head + 1)
    try session.store.send(.add(id: 3, text: "3"), to: Todo.self)
    try session.save()
    #expect(
      try JournaledSession(App.schema, in: file.open()).store.state(of: Todo.self).items.contains {
        $0.id == 3
      })
    #expect(try file.rows("PRAGMA quick_check") == [["ok"]])
  }

  @Test("can be copied over a file in use: the new one is used, and nothing is mixed")
  func overwritten() throws {
    try backUpAndGoOn(40)
    let journal = try file.open()
    #expect(try journal.load().entries.count == 43)
    try file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try journal.append(todo(44...50), expecting: 43)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: file.bytes("backup"))
    try handle.close()
    #expect(code { try journal.append(todo(51...51), expecting: 50) } == "journal_conflict")
    #expect(try journal.load().entries.count == 3)
    #expect(try journal.append(todo(4...4), expecting: 3) == 4)
    try expectSetAside(journal)
  }

  @Test("that has lost its log while in use gets the session's entries again")
  func lostLog() throws {
    let session = try JournaledSession(App.schema, in: file.open())
    try session.store.send(.set(count: 5), to: Counter.self)
    try session.save()
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: file.path + suffix)
    }
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    let reopened = try JournaledSession(App.schema, in: file.open())
    #expect(reopened.store.state(of: Counter.self).count == 6)
    #expect(reopened.store.position == 2)
  }

  @Test("isn't assumed while another process is kept from checkpointing the log")
  func unfinishedCheckpoint() throws {
    let journal = try file.open()
    try journal.append(todo(1...3), expecting: 0)
    try file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try journal.append(todo(4...100), expecting: 3)
    for name in ["session.sqlite", "session.sqlite-wal"] { try copy(name, to: "taken-" + name) }
    let finished = try DatabaseQueue(path: file.folder.path(of: "taken-session.sqlite"))
    try finished.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try finished.close()
    // The first page, which says how many there are, is written before the others.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path))
    try handle.write(contentsOf: file.bytes("taken-session.sqlite").prefix(4_096))
    try handle.close()
    #expect(try journal.changes(since: 90).count == 10)
    #expect(try journal.append(todo(101...101), expecting: 100) == 101)
    #expect(try file.open().load().head == 101)
    #expect(try file.rows("PRAGMA quick_check") == [["ok"]])
  }
}
