import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// A session is never lost with its file: it is written again from memory.
@Suite("A session whose file is removed or replaced")
struct LostFileTests {
  private let file: SQLiteFile
  private let journal: SQLiteJournal
  private let session: JournaledSession

  init() throws {
    file = try SQLiteFile()
    journal = try file.open()
    session = try JournaledSession(Sample.schema, in: journal)
  }

  /// Saves actions of several features.
  private func act() throws {
    try session.store.send(.set(count: 7), to: Counter.self)
    for id in 1...3 { try session.store.send(.add(id: id, text: "note \(id)"), to: Notes.self) }
    try session.store.send(.add(number: 7), to: Numbers.self)
    try session.save()
  }

  private func removeFile() throws { try FileManager.default.removeItem(atPath: file.path) }

  /// The notice of the session's new file.
  private func newPlace() throws -> String {
    #expect(journal.path.hasPrefix(file.path + ".kept-"))
    let notices = journal.takeNotices()
    #expect(
      notices == [
        "\(file.path): another file has taken its place, and stays as it is. "
          + "The session continues in \(journal.path)."
      ])
    return journal.path
  }

  /// Expects that the session is saved, and its history with it.
  private func expectSaved(at path: String? = nil) throws {
    let journal = try SQLiteJournal(
      of: Sample.schema, program: Sample.program, path: path ?? file.path)
    let reopened = try JournaledSession(Sample.schema, in: journal)
    #expect(reopened.store.states == session.store.states)
    #expect(reopened.store.position == session.store.position)
    #expect(reopened.store.reachable == session.store.reachable)
  }

  @Test("writes everything again with the next save if the file was removed, and says so")
  func removed() throws {
    try act()
    try removeFile()
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    #expect(session.store.state(of: Counter.self).count == 8)
    #expect(
      journal.takeNotices() == ["\(file.path): the file was removed. The session is written again."]
    )
    try expectSaved()
    try file.expectViews(session.store.states)
    try session.store.undo(3)
    try session.save()
    try expectSaved()
    #expect(journal.takeNotices().isEmpty)
  }

  @Test("writes undone actions, too, even those undone since")
  func undone() throws {
    try act()
    try session.store.undo(2)
    try session.save()
    try removeFile()
    try session.store.undo(1)
    try session.save()
    try expectSaved()
    #expect(session.store.reachable == 0...5)
  }

  @Test("reports no change to observers, and doesn't reserve identifiers again")
  func observers() throws {
    try act()
    #expect(try journal.reserveIdentifiers(9, of: .note) == 1...9)
    try removeFile()
    var changes = 0
    try session.store.observe("") { _ in changes += 1 }
    try session.reload()
    #expect(changes == 0)
    #expect(try file.open().reserveIdentifiers(1, of: .note) == 10...10)
    try expectSaved()
  }

  @Test("is written again once, even if several processes have it open")
  func several() throws {
    try act()
    let other = try JournaledSession(Sample.schema, in: file.open())
    try removeFile()
    var reports = 0
    other.onRemoteEntries = { _, _ in reports += 1 }
    try session.reload()
    try other.reload()
    try other.store.send(.increment(by: 1), to: Counter.self)
    try other.save()
    try session.reload()
    #expect(reports == 0)
    #expect(session.store.states == other.store.states)
    #expect(session.store.position == 6)
    #expect(try file.files == ["session.sqlite"])
    try expectSaved()
  }

  @Test("continues in its file if that was replaced by a copy of itself")
  func copied() throws {
    try act()
    let bytes = try file.bytes()
    try removeFile()
    try bytes.write(to: URL(fileURLWithPath: file.path))
    try session.store.undo()
    try session.save()
    #expect(journal.takeNotices().isEmpty)
    try expectSaved()
  }

  @Test("keeps an earlier backup in its place, and continues beside it", arguments: [true, false])
  func backup(isMoved: Bool) throws {
    try act()
    let backup = file.folder.path(of: "backup")
    try FileManager.default.copyItem(atPath: file.path, toPath: backup)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    if isMoved {
      #expect(rename(backup, file.path) == 0)
    } else {
      // As `cp` does, into the same file.
      try overwrite(with: Data(contentsOf: URL(fileURLWithPath: backup)))
    }
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    try expectSaved(at: newPlace())
    #expect(
      try JournaledSession(Sample.schema, in: file.open()).store.state(of: Counter.self).count == 7)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    try expectSaved(at: journal.path)
    #expect(journal.takeNotices().isEmpty)
  }

  private func overwrite(with bytes: Data) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  @Test("keeps another session in its place, and continues beside it", arguments: [1, 200])
  func otherSession(actions: Int) throws {
    try act()
    let other = try SQLiteFile()
    defer { withExtendedLifetime(other) {} }
    let otherSession = try JournaledSession(Sample.schema, in: other.open())
    for count in 1...actions { try otherSession.store.send(.set(count: count), to: Counter.self) }
    try otherSession.save()
    try overwrite(with: other.bytes())
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.reload()
    try session.save()
    #expect(session.store.state(of: Counter.self).count == 8)
    try expectSaved(at: newPlace())
    #expect(
      try JournaledSession(Sample.schema, in: file.open()).store.states == otherSession.store.states
    )
  }

  @Test("keeps a file of another kind in its place, and continues beside it")
  func foreign() throws {
    try act()
    try removeFile()
    try Data("a text".utf8).write(to: URL(fileURLWithPath: file.path))
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    try expectSaved(at: newPlace())
    #expect(try file.bytes() == Data("a text".utf8))
  }

  @Test("follows a checkpoint of another process, which replaces all that was known")
  func compacted() throws {
    try act()
    let other = try file.open()
    let otherSession = try JournaledSession(Sample.schema, in: other)
    try otherSession.store.send(.increment(by: 1), to: Counter.self)
    try otherSession.save()
    try other.checkpoint(
      JournalCheckpoint(head: otherSession.head, history: otherSession.store.historySnapshot))
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    #expect(session.store.state(of: Counter.self).count == 9)
    #expect(journal.takeNotices().isEmpty)
    try expectSaved()
  }

  @Test("is written again in place of a file that was damaged while it was open")
  func damaged() throws {
    try act()
    try file.execute("UPDATE entries SET content = 'nonsense' WHERE number = 4")
    try session.store.send(.increment(by: 1), to: Counter.self)
    let other = try file.open()
    #expect(try other.load().head == 3)
    try session.save()
    // The other one has taken over what it could read; the session knows more, and continues beside it.
    try expectSaved(at: newPlace())
    #expect(try file.files.filter { $0.contains(".damaged-") }.count == 1)
  }

  @Test("is written again if the pages of its file were overwritten while it was open")
  func overwritten() throws {
    try act()
    var bytes = try file.bytes()
    bytes.replaceSubrange(4_096..., with: Data(repeating: 0x55, count: bytes.count - 4_096))
    // SQLite reads again what it has in its cache, because the change counter differs.
    bytes[27] &+= 1
    try overwrite(with: bytes)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    let notices = journal.takeNotices()
    #expect(notices.count == 1)
    #expect(
      notices.first?.contains("The session is written again; the original is kept as") == true)
    #expect(try file.files.filter { $0.contains(".damaged-") }.count == 1)
    try expectSaved()
    try file.expectViews(session.store.states)
  }
}
