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

/// A later version: with more fields of the state and of a record, and an action with another name.
private enum New: Feature {
  struct Note: EvolvingRecord, FieldRecord {
    let id: Int
    var text: String
    var priority = 3

    static let initial = Note(id: 0, text: "")
    static let fields: [RecordField<Note>] = [
      .constant("id", \.id), .field("text", \.text), .field("priority", \.priority),
    ]
  }

  struct State: Codable, Equatable, Sendable {
    var notes = RecordList<Note>()
    var title = ""
    var color = "red"
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Note)
    case finish(id: Int)
    case rename(String)
    case paint(String)
  }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<New>] = [
    .list("all", \.notes), .value("title", \.title), .value("color", \.color),
  ]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note): try state.notes.append(note)
    case .finish(let id): state.notes.update(id: id) { $0.text = "☑ \($0.text)" }
    case .rename(let title): state.title = title
    case .paint(let color): state.color = color
    }
  }
}

/// A version whose title is a number and was a text, and whose notes have no initial values.
private enum Incompatible: Feature {
  struct Note: Record, FieldRecord {
    let id: Int
    var text: String
    var priority = 3

    static let fields: [RecordField<Note>] = [
      .constant("id", \.id), .field("text", \.text), .field("priority", \.priority),
    ]
  }

  struct State: Codable, Equatable, Sendable {
    var notes = RecordList<Note>()
    var title = 0
  }

  enum Action: Codable, Equatable, Sendable { case rename(Int) }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<Incompatible>] = [.list("all", \.notes), .value("title", \.title)]

  static func reduce(_ state: inout State, _ action: Action) {
    if case .rename(let title) = action { state.title = title }
  }
}

/// Version 2, whose title is a number, and whose notes have other names.
private enum Migrating: Feature {
  /// What `migrate` got in a test; its code runs on one thread.
  final class Calls: Sendable {
    nonisolated(unsafe) var values: [JSONValue] = []
  }

  @TaskLocal static var calls = Calls()

  struct Refusal: Error, CustomStringConvertible { let description = "it has no number" }

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

/// A feature with a property that no field shows.
private enum Draft: Feature {
  struct State: Codable, Equatable, Sendable {
    var title = ""
    var unsent = ""
  }

  enum Action: Codable, Equatable, Sendable { case write(title: String, unsent: String) }

  static let name = "draft"
  static var initial: State { State() }
  static let fields: [Field<Draft>] = [.value("title", \.title), .hidden(\.unsent)]

  static func reduce(_ state: inout State, _ action: Action) {
    if case .write(let title, let unsent) = action { (state.title, state.unsent) = (title, unsent) }
  }
}

/// Its version 2.
private enum MigratedDraft: Feature {
  typealias State = Draft.State
  typealias Action = Draft.Action

  static let name = "draft"
  static var initial: State { State() }
  static let fields: [Field<MigratedDraft>] = [.value("title", \.title), .hidden(\.unsent)]
  static var version: Int { 2 }

  static func reduce(_ state: inout State, _ action: Action) {}

  static func migrate(_ state: inout JSONValue, from version: Int) {
    state["title"] = .text("new")
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

  /// Opens the file in a version that refuses it, which must change nothing.
  private func refusal<F: Feature>(in feature: F.Type) throws -> String {
    let bytes = try file.bytes("notes.sqlite")
    let error = try #require(throws: JournalError.self) { try session(feature) }
    #expect(error.code == "other_version")
    #expect(
      error.message.hasPrefix("The saved session doesn't fit the app: ")
        && error.message.hasSuffix(". Nothing was changed."), "\(error.message)")
    #expect(try file.bytes("notes.sqlite") == bytes)
    #expect(try file.files == ["notes.sqlite"])
    return error.message
  }

  // MARK: - Fields

  @Test("keeps a new field's value when an action from before it is undone")
  func undoOfOldAction() throws {
    try write(.add(Self.milk), .rename("Mine"), .rename("Yours"))
    let session = try session(New.self)
    try session.store.send(.paint("blue"), to: New.self)
    try session.save()
    let old = try self.session(Old.self)
    try old.store.undo(2)
    try old.save()
    try session.reload()
    #expect(session.store.state(of: New.self).title == "Mine")
    #expect(session.store.state(of: New.self).color == "red")
    try session.store.redo(2)
    #expect(session.store.state(of: New.self).color == "blue")
  }

  @Test("is refused with the path if a part of a record has no initial value")
  func missingPart() throws {
    try write(.add(Self.milk))
    // As if the title had been a number before.
    try file.execute(
      "UPDATE fields SET value = '7' WHERE path = 'notes.title'; DELETE FROM fields WHERE path = 'notes#shape'"
    )
    #expect(try refusal(in: Incompatible.self).contains(": notes.all[1].priority: is missing; "))
  }

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

  @Test("keeps the properties that no field shows, and that migrate doesn't get")
  func migratedHidden() throws {
    let old = try session(Draft.self)
    try old.store.send(.write(title: "old", unsent: "kept"), to: Draft.self)
    try old.save()
    for _ in 1...2 {
      let session = try session(MigratedDraft.self)
      let state = session.store.state(of: MigratedDraft.self)
      #expect(state.title == "new" && state.unsent == "kept")
      try session.save()
    }
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

  @Test("is refused and unchanged if it can't be converted")
  func failedMigration() throws {
    try write(.rename("Mine"))
    #expect(
      try refusal(in: Migrating.self).contains(
        ": notes's migrate fails for a state of version 1: it has no number."))
    #expect(try session(Old.self).store.state(of: Old.self).title == "Mine")
  }

  @Test("is refused by an earlier version once it was converted, and then unchanged")
  func newer() throws {
    try write(.rename("7"))
    try session(Migrating.self).save()
    let bytes = try file.bytes("notes.sqlite")
    let error = #expect(throws: JournalError.self) { try session(Old.self) }
    #expect(
      error?.message
        == "The saved session doesn't fit the app: notes was saved by version 2 of the app, and "
        + "this is version 1. Nothing was changed.")
    #expect(try file.bytes("notes.sqlite") == bytes)
    #expect(try session(Migrating.self).store.state(of: Migrating.self).title == 7)
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
