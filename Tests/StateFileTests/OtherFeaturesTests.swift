import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// A file of all sample features, opened by a program that has only the counter.
@Suite("A state file with unknown features")
struct OtherFeaturesTests {
  private let file: SQLiteFile
  private let counter: StoreSchema

  init() throws {
    file = try SQLiteFile()
    counter = try StoreSchema(features: [Counter.self])
    try file.session().save(
      doing: .notes(.add(id: 1, text: "milk")), .counter(.set(count: 5)),
      .notes(.add(id: 2, text: "bread")))
  }

  private func texts(_ store: Store) -> [String] {
    store.state(of: Notes.self).items.map(\.text)
  }

  @Test("undoes and redoes their actions, too")
  func undoes() throws {
    let session = try file.session(counter)
    #expect(
      try session.store.history().map(\.recorded.action.featureName)
        == ["notes", "counter", "notes"])
    try session.store.undo(2)
    #expect(session.store.state(of: Counter.self).count == 0)
    try session.save()
    let other = try file.session()
    #expect(texts(other.store) == ["milk"])
    try session.store.redo(2)
    try session.save()
    try other.reload()
    #expect(texts(other.store) == ["bread", "milk"])
    #expect(try file.session().store.states == other.store.states)
  }

  @Test("keeps their states and actions if the file is lost while the program has it open")
  func lost() throws {
    let session = try file.session(counter)
    try FileManager.default.removeItem(atPath: file.path)
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    let store = try file.session().store
    #expect(texts(store) == ["bread", "milk"])
    #expect(store.state(of: Counter.self).count == 6)
    try store.undo(4)
    #expect(texts(store) == [])
  }
}
