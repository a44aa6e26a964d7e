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
    session = try journal.openSession()
  }

  /// Saves actions of several features.
  private func act() throws {
    try session.store.send(.set(count: 7), to: Counter.self)
    for id in 1...3 { try session.store.send(.add(id: id, text: "note \(id)"), to: Notes.self) }
    try session.save(doing: .numbers(.add(number: 7)))
  }

  private func removeFile() throws { try FileManager.default.removeItem(atPath: file.path) }

  /// Expects that the session is saved, and its history with it.
  private func expectSaved() throws {
    let reopened = try file.session()
    #expect(reopened.store.states == session.store.states)
    #expect(reopened.store.position == session.store.position)
    #expect(reopened.store.reachable == session.store.reachable)
    #expect(
      try reopened.store.history().map(\.recorded.action)
        == session.store.history().map(\.recorded.action))
  }

  // MARK: - Removed

  @Test("writes everything again with the next save if the file was removed, and says so")
  func removed() throws {
    try act()
    try removeFile()
    try session.save(doing: .counter(.increment(by: 1)))
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

  @Test("keeps its secrets, without which it is written again")
  func secrets() throws {
    let secret = Secret("hunter22")
    try session.save(doing: .account(.edit(.init(password: secret))))
    try removeFile()
    try session.save(doing: .counter(.increment(by: 1)))
    #expect(session.store.state(of: Account.self).profile.password == secret)
    #expect(try file.session().store.state(of: Account.self).profile.password.isForgotten)
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
    let other = try file.session()
    try removeFile()
    other.onReload = { _ in Issue.record("reported a reload") }
    try session.reload()
    try other.reload()
    try other.save(doing: .counter(.increment(by: 1)))
    try session.reload()
    #expect(session.store.states == other.store.states)
    #expect(session.store.position == 6)
    #expect(try file.files == ["session.sqlite"])
    try expectSaved()
  }

  @Test("is written again if its file was emptied, by the one that made it or another")
  func emptied() throws {
    try act()
    let other = try file.session()
    for session in [session, other] {
      try file.overwrite(with: Data())
      session.onReload = { _ in Issue.record("reported a reload") }
      try session.reload()
      try expectSaved()
    }
    try file.overwrite(with: Data())
    try session.save(doing: .counter(.increment(by: 1)))
    #expect(session.store.state(of: Counter.self).count == 8)
    try expectSaved()
  }

  // MARK: - Replaced by itself

  @Test("continues in its file if that was replaced by a copy of itself")
  func copied() throws {
    try act()
    let bytes = try file.bytes()
    try removeFile()
    try bytes.write(to: URL(fileURLWithPath: file.path))
    session.onReload = { _ in Issue.record("reported a reload") }
    try session.store.undo()
    try session.save()
    #expect(journal.takeNotices().isEmpty)
    try expectSaved()
  }

  @Test(
    "takes the state of an earlier backup in its place, with unsaved actions on top",
    arguments: [true, false])
  func backup(isMoved: Bool) throws {
    try act()
    let backup = file.folder.path(of: "backup")
    try FileManager.default.copyItem(atPath: file.path, toPath: backup)
    try session.save(doing: .counter(.set(count: 100)), .numbers(.add(number: 8)))
    if isMoved {
      #expect(rename(backup, file.path) == 0)
    } else {
      try file.overwrite(with: Data(contentsOf: URL(fileURLWithPath: backup)))
    }
    var reloads: [JournaledSession.Reload] = []
    session.onReload = { reloads.append($0) }
    try session.save(doing: .counter(.increment(by: 1)))
    #expect(reloads.map(\.isRestored) == [true])
    #expect(session.store.state(of: Counter.self).count == 8)
    #expect(session.store.state(of: Numbers.self).list.map(\.rawValue) == [7])
    #expect(session.store.position == 6)
    try expectSaved()
    try file.expectViews(session.store.states)
  }

  @Test("isn't a backup if the file only doesn't remember its last write any more")
  func forgottenWrite() throws {
    try act()
    try file.execute(
      """
      UPDATE session SET sequence = sequence + 1000;
      DELETE FROM writes;
      INSERT INTO writes SELECT sequence, '\(UUID().uuidString)' FROM session;
      """)
    var areRestored: [Bool] = []
    session.onReload = { areRestored.append($0.isRestored) }
    try session.reload()
    #expect(areRestored == [false])
    #expect(session.store.position == 5)
  }

  // MARK: - Replaced by something else

  /// Expects that the session isn't saved over another file, and is saved when that is away.
  private func expectKept(code expected: String) throws {
    let bytes = try file.bytes()
    for _ in 1...2 {
      #expect(code { try session.save() } == expected)
      #expect(code { try session.reload() } == expected)
    }
    #expect(session.hasUnsavedEntries)
    #expect(session.store.state(of: Counter.self).count == 8)
    #expect(try file.bytes() == bytes)
    #expect(try file.files == ["session.sqlite"])
    try removeFile()
    try session.save()
    #expect(session.store.state(of: Counter.self).count == 8)
    try expectSaved()
  }

  @Test("isn't saved over another session in its place", arguments: [1, 200])
  func otherSession(actions: Int) throws {
    try act()
    let other = try SQLiteFile()
    defer { withExtendedLifetime(other) {} }
    let otherSession = try other.session()
    for count in 1...actions { try otherSession.store.send(.set(count: count), to: Counter.self) }
    try otherSession.save()
    try file.overwrite(with: other.bytes())
    try session.store.send(.increment(by: 1), to: Counter.self)
    let error = #expect(throws: JournalError.self) { try session.save() }
    #expect(error == .replaced(file.path))
    #expect(try file.session().store.states == otherSession.store.states)
    try expectKept(code: "state_unwritable")
  }

  @Test("isn't saved over a file of another kind in its place")
  func foreign() throws {
    try act()
    try removeFile()
    try Data("a text".utf8).write(to: URL(fileURLWithPath: file.path))
    try session.store.send(.increment(by: 1), to: Counter.self)
    try expectKept(code: "state_foreign")
  }

  @Test("isn't saved over its own file if that was damaged while it was open")
  func damaged() throws {
    try act()
    var bytes = try file.bytes()
    bytes.replaceSubrange(4_096..., with: Data(repeating: 0x55, count: bytes.count - 4_096))
    try file.overwrite(with: bytes)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try expectKept(code: "state_damaged")
  }
}
