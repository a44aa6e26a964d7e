import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// The feature as the files have it.
private enum Old: Feature {
  struct Note: Record, FieldRecord {
    let id: Int
    var text: String

    static let fields: [RecordField<Note>] = [.constant("id", \.id), .field("text", \.text)]
  }

  struct State: Codable, Equatable, Sendable {
    var notes = RecordList<Note>()
    var title = ""
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Note)
    case tick(id: Int)
    case rename(String)
  }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<Old>] = [.list("all", \.notes), .value("title", \.title)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note): try state.notes.append(note)
    case .tick(let id): state.notes.update(id: id) { $0.text = "☑ \($0.text)" }
    case .rename(let title): state.title = title
    }
  }
}

/// A later version, with another name of an action.
private enum New: Feature {
  typealias State = Old.State

  enum Action: Codable, Equatable, Sendable { case finish(id: Int) }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<New>] = [.list("all", \.notes), .value("title", \.title)]

  static func reduce(_ state: inout State, _ action: Action) {
    if case .finish(let id) = action { state.notes.update(id: id) { $0.text = "☑ \($0.text)" } }
  }
}

/// Version 2, whose title is a number, and whose notes have other names.
private enum Migrating: Feature {
  /// What `migrate` got in a test; its code runs on one thread.
  final class Calls: Sendable {
    nonisolated(unsafe) var values: [JSONValue] = []
  }

  @TaskLocal static var calls = Calls()

  struct Refusal: Error {}

  struct State: Codable, Equatable, Sendable {
    var items = RecordList<Old.Note>()
    var title = 0
  }

  enum Action: Codable, Equatable, Sendable { case rename(Int) }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<Migrating>] = [.list("items", \.items), .value("title", \.title)]
  static var version: Int { 2 }

  static func reduce(_ state: inout State, _ action: Action) {
    if case .rename(let title) = action { state.title = title }
  }

  static func migrate(_ state: inout JSONValue, from version: Int) throws {
    calls.values.append(state)
    guard version == 1, case .text(let title)? = state["title"], let number = Int(title) else {
      throw Refusal()
    }
    state["title"] = .integer(number)
    state.rename("all", to: "items")
  }
}

@Suite("A session of another version")
struct OtherVersionTests {
  private let file: SQLiteFile

  init() throws { file = try SQLiteFile(name: "notes.sqlite") }

  private func session<F: Feature>(_ feature: F.Type) throws -> JournaledSession {
    let schema = try StoreSchema(features: [feature])
    let journal = try SQLiteJournal(of: schema, program: Program("notes"), path: file.path)
    let session = try JournaledSession(schema, in: journal)
    // As an app of scripts writes it.
    session.store.describe = { "\($0.action(of: F.self).map { "\($0)" } ?? "something")" }
    return session
  }

  /// Writes a file as the old version does.
  private func write(_ actions: Old.Action...) throws {
    let session = try session(Old.self)
    for action in actions { try session.store.send(action, to: Old.self) }
    try session.save()
  }

  private static let milk = Old.Note(id: 1, text: "milk")

  // MARK: - Migrations

  @Test("is converted once, from the saved values")
  func migrated() throws {
    try write(.add(Self.milk), .rename("7"))
    try Migrating.$calls.withValue(Migrating.Calls()) {
      let session = try session(Migrating.self)
      let state = session.store.state(of: Migrating.self)
      #expect(state.title == 7 && Array(state.items) == [Self.milk])
      #expect(session.hasUnsavedEntries)
      try session.save()
      let reopened = try self.session(Migrating.self)
      #expect(reopened.store.states == session.store.states)
      #expect(!reopened.hasUnsavedEntries)
      #expect(
        Migrating.calls.values == [
          .object([
            "title": .text("7"),
            "all": .list([.object(["id": .integer(1), "text": .text("milk")])]),
          ])
        ])
    }
    #expect(try file.rows("SELECT value FROM fields WHERE path = 'notes#version'") == [["2"]])
    #expect(try file.rows("SELECT title FROM notes") == [["7"]])
    #expect(try file.rows("SELECT text FROM notes_items") == [["milk"]])
    #expect(try file.rows("SELECT * FROM records WHERE list = 'notes.all'") == [])
  }

  @Test("notes a conversion as an action, before which nothing is undone")
  func migrationInHistory() throws {
    try write(.add(Self.milk), .rename("7"))
    for round in 1...2 {
      let session = try session(Migrating.self)
      let store = session.store
      if round == 1 { try store.send(.rename(8), to: Migrating.self) }
      #expect(store.reachable == 3...4)
      #expect(try store.history().map(\.recorded.number) == [3, 4])
      #expect(code { try store.undo(2) } == "nothing_to_undo")
      #expect(code { try store.jump(to: 2) } == "out_of_history")
      try store.undo()
      #expect(store.state(of: Migrating.self).title == 7)
      try store.redo()
      try session.save()
    }
    #expect(
      try file.rows("SELECT number, action FROM history WHERE number = 3")
        == [["3", #"{"migration":["notes"]}"#]])
  }

  @Test("is converted once by two processes that open it together")
  func migratedTwice() throws {
    try write(.add(Self.milk), .rename("7"))
    let (first, second) = (try session(Migrating.self), try session(Migrating.self))
    try second.store.send(.rename(9), to: Migrating.self)
    try first.save()
    try second.save()
    try first.reload()
    for session in [first, second, try session(Migrating.self)] {
      #expect(session.store.state(of: Migrating.self).title == 9)
      #expect(session.store.reachable == 3...4)
    }
  }

  @Test("keeps what isn't saved if it is converted by another process meanwhile")
  func migratedMeanwhile() throws {
    try write(.rename("7"))
    let old = try session(Old.self)
    try old.store.send(.rename("8"), to: Old.self)
    try session(Migrating.self).save()
    for _ in 1...2 {
      #expect(code { try old.save() } == "other_version")
      #expect(old.hasUnsavedEntries)
      #expect(old.store.state(of: Old.self).title == "8")
    }
    #expect(try session(Migrating.self).store.state(of: Migrating.self).title == 7)
  }

  // MARK: - Actions

  @Test("keeps an action that is gone as its text, which can be undone and redone")
  func goneAction() throws {
    try write(.add(Self.milk), .tick(id: 1))
    let session = try session(New.self)
    let store = session.store
    let entry = try #require(store.history().last)
    #expect(entry.recorded.action.savedText == "tick(id: 1)")
    #expect(entry.recorded.action.featureName == "notes")
    #expect(entry.changes.map(\.path) == ["notes.all"])
    try store.undo()
    #expect(store.state(of: New.self).notes[0].text == "milk")
    try store.redo()
    #expect(store.state(of: New.self).notes[0].text == "☑ milk")
    try store.send(.finish(id: 1), to: New.self)
    try session.save()
    #expect(try self.session(New.self).store.state(of: New.self).notes[0].text == "☑ ☑ milk")
    #expect(
      try file.rows("SELECT text FROM history WHERE number = 2") == [["tick(id: 1)"]])
  }

  @Test("takes the changes of an action that is gone back, before others")
  func takingBack() throws {
    try write(.add(Self.milk), .tick(id: 1), .rename("Mine"))
    let store = try session(New.self).store
    try store.takeBack(2...2)
    #expect(store.state(of: New.self).notes[0].text == "milk")
    #expect(store.state(of: New.self).title == "Mine")
  }
}
