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

/// A later version: a state and a record with one property more, and an action with another name.
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
    }
  }

  static func migrate(_ json: inout JSONValue, _ part: StoredPart) {
    if part == .action { json.rename("tick", to: "finish") }
  }
}

/// A version whose title is a number and was a text, whose notes have no initial values, and which has no migration.
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

  enum Action: Codable, Equatable, Sendable {
    case add(Note)
    case rename(Int)
  }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<Incompatible>] = [.list("all", \.notes), .value("title", \.title)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note): try state.notes.append(note)
    case .rename(let title): state.title = title
    }
  }
}

/// A version whose reducer refuses what the earlier one accepted.
private enum Strict: Feature {
  typealias State = Old.State
  typealias Action = Old.Action

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<Strict>] = [.list("all", \.notes), .value("title", \.title)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    if case .rename(let title) = action, title.count < 3 {
      throw PlainError<Strict>("short_title", "A title needs 3 letters.")
    }
    try Old.reduce(&state, action)
  }
}

@Suite("A session of another version")
struct OtherVersionTests {
  private let file: SQLiteFile

  init() throws { file = try SQLiteFile(name: "notes.sqlite") }

  private func journal<F: Feature>(_ feature: F.Type) throws -> SQLiteJournal {
    try SQLiteJournal(
      of: StoreSchema(features: [feature]), program: Program("notes"), path: file.path)
  }

  private func session<F: Feature>(_ feature: F.Type) throws -> JournaledSession {
    try JournaledSession(StoreSchema(features: [feature]), in: journal(feature))
  }

  /// Writes a file as the old version does.
  private func write(_ actions: [Old.Action], withCheckpoint hasCheckpoint: Bool) throws {
    let journal = try journal(Old.self)
    let session = try JournaledSession(StoreSchema(features: [Old.self]), in: journal)
    for action in actions { try session.store.send(action, to: Old.self) }
    try session.save()
    if hasCheckpoint {
      try journal.checkpoint(
        JournalCheckpoint(head: session.head, history: session.store.historySnapshot))
    }
    journal.close()
  }

  private func entries() throws -> [[String]] {
    try file.rows("SELECT content FROM entries")
  }

  /// Opens the file in a version that refuses it, which must change nothing.
  private func refusal<F: Feature>(in feature: F.Type) throws -> JournalError {
    let entries = try entries()
    let error = try #require(throws: JournalError.self) { try session(feature) }
    #expect(error.code == "other_version")
    #expect(try self.entries() == entries)
    #expect(try !file.files.contains { $0.contains("damaged") })
    return error
  }

  @Test(
    "has initial values for parts that it lacks, and migrates what those can't do",
    arguments: [false, true])
  func migrated(hasCheckpoint: Bool) throws {
    try write(
      [.add(Old.Note(id: 1, text: "milk")), .tick(id: 1), .rename("Mine")],
      withCheckpoint: hasCheckpoint)
    let session = try session(New.self)
    let state = session.store.state(of: New.self)
    #expect(Array(state.notes) == [New.Note(id: 1, text: "☑ milk", priority: 3)])
    #expect((state.title, state.color) == ("Mine", "red"))
    try session.store.undo()
    #expect(session.store.state(of: New.self).title == "")
    try session.store.send(.finish(id: 1), to: New.self)
    try session.save()
    #expect(try self.session(New.self).store.state(of: New.self).notes[0].text == "☑ ☑ milk")
  }

  @Test("that a document lacks has the same initial values")
  func document() throws {
    let schema = try StoreSchema(features: [New.self])
    let json = #"{"notes":{"all":[{"id":1,"text":"milk"}]}}"#
    let states = try StateDocument.states(from: Data(json.utf8), schema)
    let notes = states.state(of: New.self, at: 0).notes
    #expect(Array(notes) == [New.Note(id: 1, text: "milk", priority: 3)])
    let error = #expect(throws: DocumentError.self) {
      try StateDocument.states(from: Data(#"{"notes":{"all":[{"text":"milk"}]}}"#.utf8), schema)
    }
    #expect(error?.message == "notes.all[1].id: is missing")
  }

  private func removeFile() throws {
    for name in try file.files {
      try FileManager.default.removeItem(at: file.folder.url.appendingPathComponent(name))
    }
  }

  @Test("is refused and unchanged if an action isn't known, or a part has no initial value")
  func refusedAction() throws {
    try write([.rename("Mine"), .tick(id: 1)], withCheckpoint: false)
    var message = try refusal(in: Incompatible.self).message
    #expect(message.hasPrefix("Entry 1 of the session was written by another version of notes: "))
    #expect(message.contains("notes.rename: expected a whole number, found text"))

    try removeFile()
    try write([.tick(id: 1)], withCheckpoint: false)
    message = try refusal(in: Incompatible.self).message
    #expect(message.contains(#"notes has no action "tick""#))

    try removeFile()
    try write([.add(Old.Note(id: 1, text: "milk"))], withCheckpoint: false)
    message = try refusal(in: Incompatible.self).message
    #expect(message.contains("notes.add.priority: is missing"))
  }

  @Test("is refused and unchanged if a checkpoint's state can't be decoded")
  func refusedState() throws {
    try write([.rename("Mine")], withCheckpoint: true)
    #expect(
      try refusal(in: Incompatible.self).message.contains(
        "notes.title: expected a whole number, found text"))
  }

  @Test("is refused and unchanged if a reducer refuses an action that it accepted")
  func stricter() throws {
    try write([.rename("Mine"), .rename("M")], withCheckpoint: false)
    #expect(
      try refusal(in: Strict.self).message
        == "Entry 2 of the session was written by another version of notes: notes refuses its action now (A title "
        + "needs 3 letters). Nothing was changed: use that version, or another session.")
  }

  @Test("loses nothing when another version writes to it meanwhile")
  func writtenMeanwhile() throws {
    try write([.rename("Mine")], withCheckpoint: false)
    let old = try session(Old.self)
    let new = try session(New.self)
    try new.store.send(.finish(id: 1), to: New.self)
    try new.save()
    try old.store.send(.rename("Ours"), to: Old.self)
    let error = #expect(throws: JournalError.self) { try old.save() }
    #expect(error?.code == "other_version")
    #expect(old.hasUnsavedEntries)
    #expect(try entries().count == 2)
  }
}
