import Foundation
import GRDB
import Testing

@testable import Domain

/// What a session knows is saved again where its file no longer has it.
@Suite("A session whose file lost what it had")
struct LostFileTests {
  private let file: SQLiteFile
  private let session: JournaledSession

  init() throws {
    file = try SQLiteFile()
    session = try JournaledSession(file.open())
  }

  /// Makes a session with something of each kind.
  private func act(on store: Store) throws {
    try store.send(.counter(.set(count: 7)))
    for id in 1...3 { try store.send(.todo(.add(id: id, text: "item \(id)"))) }
    try store.send(.favorites(.add(number: 7)))
    try store.send(.favorites(.add(number: 5)))
  }

  private func removeFile() throws {
    for name in try file.files {
      try FileManager.default.removeItem(at: file.folder.url.appendingPathComponent(name))
    }
  }

  /// Expects that the file has the same as the session.
  private func expectSaved() throws {
    let reopened = try JournaledSession(file.open())
    #expect(reopened.store.state == session.store.state)
    #expect(reopened.store.position == session.store.position)
    #expect(reopened.store.reachable == session.store.reachable)
    #expect(
      try file.rows("SELECT text FROM todos").map(\.[0])
        == session.store.state.todo.items.map(\.text))
    #expect(
      try file.rows("SELECT number FROM favorites").map(\.[0])
        == session.store.state.favorites.list.map { "\($0)" })
  }

  @Test("as it was removed, writes all of it again with the next save")
  func removed() throws {
    try act(on: session.store)
    try session.save()
    try removeFile()
    try session.store.send(.counter(.increment(by: 1)))
    try session.save()
    #expect(session.store.state.counter.count == 8)
    try expectSaved()
    try session.store.undo(3)
    try session.save()
    try expectSaved()
  }

  @Test("writes what was undone, too, and what was undone since")
  func undone() throws {
    try act(on: session.store)
    try session.store.undo(2)
    try session.save()
    try removeFile()
    try session.store.undo(1)
    try session.save()
    try expectSaved()
    #expect(session.store.reachable == 0...6)
  }

  @Test("hears of no change, as there is none")
  func observers() throws {
    try act(on: session.store)
    try session.save()
    try removeFile()
    var changes = 0
    try session.store.observe("") { _ in changes += 1 }
    try session.takeIn()
    #expect(changes == 0)
    try expectSaved()
  }

  @Test("is written anew once, though several sessions know it")
  func several() throws {
    try act(on: session.store)
    try session.save()
    let other = try JournaledSession(file.open())
    try removeFile()
    var reports = 0
    other.onForeignEntries = { _, _ in reports += 1 }
    try session.takeIn()
    try other.takeIn()
    try other.store.send(.counter(.increment(by: 1)))
    try other.save()
    try session.takeIn()
    #expect(reports == 0)
    #expect(session.store.state == other.store.state)
    #expect(session.store.position == 7)
    try expectSaved()
  }

  @Test("goes on where its file was replaced by a copy of itself")
  func copied() throws {
    try act(on: session.store)
    try session.save()
    try file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let bytes = try file.bytes()
    try removeFile()
    try bytes.write(to: URL(fileURLWithPath: file.path))
    var reports = 0
    session.onForeignEntries = { _, _ in reports += 1 }
    try session.store.undo()
    try session.save()
    #expect(reports == 0)
    try expectSaved()
  }

  @Test("writes what its history begins with, where that begins later", arguments: [0, 1])
  func longHistory(undone: Int) throws {
    for count in 1...10_250 { try session.store.send(.counter(.set(count: count))) }
    try session.store.undo(undone)
    try session.save()
    try removeFile()
    try session.store.send(.counter(.increment(by: 1)))
    try session.save()
    let reopened = try JournaledSession(file.open())
    #expect(reopened.store.state.counter.count == 10_251 - undone)
    #expect(reopened.store.position == session.store.position)
    try session.store.undo(50)
    #expect(session.store.state.counter.count == 10_201 - undone)
    try session.save()
    #expect(try JournaledSession(file.open()).store.state.counter.count == 10_201 - undone)
  }

  @Test("does nothing twice of a long history that several know")
  func longHistoryOfSeveral() throws {
    for count in 1...20_500 { try session.store.send(.counter(.increment(by: count % 2))) }
    try session.save()
    let other = try JournaledSession(file.open())
    try removeFile()
    try session.store.send(.todo(.add(id: 1, text: "milk")))
    try session.save()
    try other.takeIn()
    try session.takeIn()
    for store in [session.store, other.store] {
      #expect(store.state.counter.count == 10_250)
      #expect(store.state.todo.items.map(\.text) == ["milk"])
    }
  }

  @Test("takes in what others wrote in place of what couldn't be read")
  func writtenOver() throws {
    for id in 1...4 { try session.store.send(.todo(.add(id: id, text: "first \(id)"))) }
    try session.save()
    try file.execute("UPDATE entries SET content = 'x' WHERE number > 2")
    let other = try JournaledSession(file.open())
    for id in 5...6 { try other.store.send(.todo(.add(id: id, text: "second \(id)"))) }
    try other.save()
    try session.store.send(.todo(.add(id: 7, text: "first 7")))
    try session.save()
    try other.takeIn()
    #expect(session.store.state.todo.items == other.store.state.todo.items)
    try expectSaved()
  }

  @Test("repairs it where an entry of others can't be read")
  func damagedElsewhere() throws {
    let other = try JournaledSession(file.open())
    try other.store.send(.todo(.add(id: 1, text: "1")))
    try other.save()
    try file.execute("UPDATE entries SET content = 'x' WHERE number = 1")
    try session.store.send(.todo(.add(id: 2, text: "2")))
    try session.save()
    try other.takeIn()
    #expect(session.store.state.todo.items.map(\.id).contains(2))
    try session.takeIn()
    try expectSaved()
  }

  @Test("as the end couldn't be read and was removed, writes that again")
  func repaired() throws {
    try act(on: session.store)
    try session.save()
    try file.execute("UPDATE entries SET content = 'nonsense' WHERE number = 4")
    let repaired = try file.open()
    #expect(try repaired.load().head == 3)
    try session.store.send(.counter(.increment(by: 1)))
    try session.save()
    try expectSaved()
    #expect(session.store.state.favorites.list == [7, 5])
  }

  @Test("takes in another session that took the place of its file, and keeps what wasn't saved")
  func replaced() throws {
    try act(on: session.store)
    try session.save()
    try session.store.send(.counter(.increment(by: 1)))
    let other = try SQLiteFile()
    defer { withExtendedLifetime(other) {} }
    let otherSession = try JournaledSession(other.open(), now: { Date(timeIntervalSince1970: 5) })
    for count in 100...120 { try otherSession.store.send(.counter(.set(count: count))) }
    try otherSession.save()
    try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try removeFile()
    try FileManager.default.copyItem(atPath: other.path, toPath: file.path)
    try session.save()
    #expect(session.store.state.counter.count == 121)
    try expectSaved()
  }
}
