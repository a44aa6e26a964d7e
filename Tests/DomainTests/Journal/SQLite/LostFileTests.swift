import Foundation
import GRDB
import Testing

@testable import Domain
@testable import StateStore

/// What a session knows is saved again where its file no longer has it.
@Suite("A session whose file lost entries")
struct LostFileTests {
  private let file: SQLiteFile
  private let session: JournaledSession

  init() throws {
    file = try SQLiteFile()
    session = try JournaledSession(App.schema, in: file.open())
  }

  /// Makes a session with something of each kind.
  private func act(on store: Store) throws {
    try store.send(.set(count: 7), to: Counter.self)
    for id in 1...3 { try store.send(.add(id: id, text: "item \(id)"), to: Todo.self) }
    try store.send(.add(number: 7), to: FavoritePrimes.self)
    try store.send(.add(number: 5), to: FavoritePrimes.self)
  }

  private func removeFile() throws {
    for name in try file.files {
      try FileManager.default.removeItem(at: file.folder.url.appendingPathComponent(name))
    }
  }

  /// Expects that the file has the same as the session.
  private func expectSaved() throws {
    let reopened = try JournaledSession(App.schema, in: file.open())
    #expect(reopened.store.states == session.store.states)
    #expect(reopened.store.position == session.store.position)
    #expect(reopened.store.reachable == session.store.reachable)
    #expect(
      try file.rows("SELECT text FROM todos").map(\.[0])
        == session.store.state(of: Todo.self).items.map(\.text))
    #expect(
      try file.rows("SELECT number FROM favorites").map(\.[0])
        == session.store.state(of: FavoritePrimes.self).list.map { "\($0)" })
  }

  @Test("writes everything again with the next save if the file was removed")
  func removed() throws {
    try act(on: session.store)
    try session.save()
    try removeFile()
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    #expect(session.store.state(of: Counter.self).count == 8)
    try expectSaved()
    try session.store.undo(3)
    try session.save()
    try expectSaved()
  }

  @Test("writes undone actions, too, even those undone since")
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

  @Test("reports no change, as there is none")
  func observers() throws {
    try act(on: session.store)
    try session.save()
    try removeFile()
    var changes = 0
    try session.store.observe("") { _ in changes += 1 }
    try session.reload()
    #expect(changes == 0)
    try expectSaved()
  }

  @Test("is written again once, though several sessions know it")
  func several() throws {
    try act(on: session.store)
    try session.save()
    let other = try JournaledSession(App.schema, in: file.open())
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
    #expect(session.store.position == 7)
    try expectSaved()
  }

  @Test("continues if its file was replaced by a copy of itself")
  func copied() throws {
    try act(on: session.store)
    try session.save()
    try file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let bytes = try file.bytes()
    try removeFile()
    try bytes.write(to: URL(fileURLWithPath: file.path))
    var reports = 0
    session.onRemoteEntries = { _, _ in reports += 1 }
    try session.store.undo()
    try session.save()
    #expect(reports == 0)
    try expectSaved()
  }

  @Test("writes the beginning of a bounded history", arguments: [0, 1])
  func longHistory(undone: Int) throws {
    for count in 1...10_250 { try session.store.send(.set(count: count), to: Counter.self) }
    try session.store.undo(undone)
    try session.save()
    try removeFile()
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    let reopened = try JournaledSession(App.schema, in: file.open())
    #expect(reopened.store.state(of: Counter.self).count == 10_251 - undone)
    #expect(reopened.store.position == session.store.position)
    try session.store.undo(50)
    #expect(session.store.state(of: Counter.self).count == 10_201 - undone)
    try session.save()
    #expect(
      try JournaledSession(App.schema, in: file.open()).store.state(of: Counter.self).count
        == 10_201 - undone)
  }

  @Test("repeats nothing of a long history that several sessions know")
  func longHistoryOfSeveral() throws {
    for count in 1...20_500 { try session.store.send(.increment(by: count % 2), to: Counter.self) }
    try session.save()
    let other = try JournaledSession(App.schema, in: file.open())
    try removeFile()
    try session.store.send(.add(id: 1, text: "milk"), to: Todo.self)
    try session.save()
    try other.reload()
    try session.reload()
    for store in [session.store, other.store] {
      #expect(store.state(of: Counter.self).count == 10_250)
      #expect(store.state(of: Todo.self).items.map(\.text) == ["milk"])
    }
  }

  @Test("reloads what others wrote in place of unreadable entries")
  func writtenOver() throws {
    for id in 1...4 { try session.store.send(.add(id: id, text: "first \(id)"), to: Todo.self) }
    try session.save()
    try file.execute("UPDATE entries SET content = 'x' WHERE number > 2")
    let other = try JournaledSession(App.schema, in: file.open())
    for id in 5...6 { try other.store.send(.add(id: id, text: "second \(id)"), to: Todo.self) }
    try other.save()
    try session.store.send(.add(id: 7, text: "first 7"), to: Todo.self)
    try session.save()
    try other.reload()
    #expect(session.store.state(of: Todo.self).items == other.store.state(of: Todo.self).items)
    try expectSaved()
  }

  @Test("recovers the file if a remote entry can't be read")
  func damagedElsewhere() throws {
    let other = try JournaledSession(App.schema, in: file.open())
    try other.store.send(.add(id: 1, text: "1"), to: Todo.self)
    try other.save()
    try file.execute("UPDATE entries SET content = 'x' WHERE number = 1")
    try session.store.send(.add(id: 2, text: "2"), to: Todo.self)
    try session.save()
    try other.reload()
    #expect(session.store.state(of: Todo.self).items.map(\.id).contains(2))
    try session.reload()
    try expectSaved()
  }

  @Test("writes the end again if it was unreadable and removed")
  func repaired() throws {
    try act(on: session.store)
    try session.save()
    try file.execute("UPDATE entries SET content = 'nonsense' WHERE number = 4")
    let repaired = try file.open()
    #expect(try repaired.load().head == 3)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    try expectSaved()
    #expect(session.store.state(of: FavoritePrimes.self).list == [7, 5])
  }

  @Test("reloads another session that replaced its file, and keeps unsaved actions")
  func replaced() throws {
    try act(on: session.store)
    try session.save()
    try session.store.send(.increment(by: 1), to: Counter.self)
    let other = try SQLiteFile()
    defer { withExtendedLifetime(other) {} }
    let otherSession = try JournaledSession(
      App.schema, in: other.open(), now: { Date(timeIntervalSince1970: 5) })
    for count in 100...120 { try otherSession.store.send(.set(count: count), to: Counter.self) }
    try otherSession.save()
    try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try removeFile()
    try FileManager.default.copyItem(atPath: other.path, toPath: file.path)
    try session.save()
    #expect(session.store.state(of: Counter.self).count == 121)
    try expectSaved()
  }
}
