import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// A file that is opened by programs with other features.
@Suite("A state file with unknown features")
struct OtherFeaturesTests {
  private let file: SQLiteFile
  private let twoFeatures: StoreSchema
  private let twoOthers: StoreSchema

  init() throws {
    file = try SQLiteFile()
    twoFeatures = try StoreSchema(features: [Notes.self, Counter.self])
    twoOthers = try StoreSchema(features: [Counter.self, People.self])
  }

  private func open(_ schema: StoreSchema) throws -> JournaledSession {
    try JournaledSession(
      schema, in: SQLiteJournal(of: schema, program: Sample.program, path: file.path))
  }

  /// A session of the first two features, with something done to both.
  private func fill() throws {
    let session = try open(twoFeatures)
    try session.store.send(.add(id: 1, text: "milk"), to: Notes.self)
    try session.save(doing: .counter(.set(count: 5)), .notes(.add(id: 2, text: "bread")))
  }

  @Test("keeps their states and actions, whatever the program does to its own")
  func keeps() throws {
    try fill()
    do {
      let session = try open(twoOthers)
      #expect(session.store.state(of: Counter.self).count == 5)
      #expect(session.store.state(of: People.self).list.count == 0)
      try session.store.send(
        .add(People.Person(id: 1, name: "Ann", age: 30)), to: People.self)
      try session.save(doing: .counter(.increment(by: 1)))
    }
    let session = try open(twoFeatures)
    #expect(session.store.state(of: Counter.self).count == 6)
    #expect(session.store.state(of: Notes.self).items.map(\.text) == ["bread", "milk"])
    #expect(session.store.position == 5)
    try session.store.undo(3)
    #expect(session.store.state(of: Notes.self).items.map(\.text) == ["milk"])
    #expect(session.store.state(of: Counter.self).count == 5)
  }

  @Test("undoes and redoes their actions, too")
  func undoes() throws {
    try fill()
    do {
      let session = try open(twoOthers)
      #expect(
        try session.store.history().map(\.recorded.action.featureName)
          == ["notes", "counter", "notes"])
      try session.store.undo(2)
      #expect(session.store.state(of: Counter.self).count == 0)
      try session.save()
    }
    let session = try open(twoFeatures)
    #expect(session.store.state(of: Notes.self).items.map(\.text) == ["milk"])
    do {
      let session = try open(twoOthers)
      try session.store.redo(2)
      try session.save()
    }
    try session.reload()
    #expect(session.store.state(of: Notes.self).items.map(\.text) == ["bread", "milk"])
    #expect(try open(twoFeatures).store.states == session.store.states)
  }

  @Test("keeps what their actions did when those are forgotten")
  func forgotten() throws {
    try fill()
    let session = try open(twoOthers)
    for _ in 0..<(Store.defaultHistoryLimit + 200) {
      try session.store.send(.increment(by: 1), to: Counter.self)
    }
    try session.save()
    #expect(session.store.reachable.lowerBound > 3)
    let reopened = try open(twoFeatures).store
    #expect(reopened.state(of: Notes.self).items.map(\.text) == ["bread", "milk"])
  }

  @Test("keeps their states if their file is lost while the program has it open")
  func lost() throws {
    try fill()
    let session = try open(twoOthers)
    try FileManager.default.removeItem(atPath: file.path)
    try session.save(doing: .counter(.increment(by: 1)))
    let reopened = try open(twoFeatures)
    #expect(reopened.store.state(of: Notes.self).items.map(\.text) == ["bread", "milk"])
    #expect(reopened.store.state(of: Counter.self).count == 6)
    try reopened.store.undo(4)
    #expect(reopened.store.state(of: Notes.self).items.isEmpty)
  }

  @Test("has the views of the program that opened it last")
  func tables() throws {
    try fill()
    _ = try open(twoOthers)
    #expect(try file.rows("SELECT count FROM counter") == [["5"]])
    #expect(try file.rows("SELECT * FROM people").isEmpty)
    _ = try open(twoFeatures)
    #expect(try file.rows("SELECT text FROM notes_items") == [["bread"], ["milk"]])
  }
}
