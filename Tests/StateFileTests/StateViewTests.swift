import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

@Suite("The views of a state file")
struct StateViewTests {
  private let file: SQLiteFile

  init() throws { file = try SQLiteFile() }

  @Test("are made by a program with other features than the one that made the file")
  func otherProgram() throws {
    _ = try file.session(StoreSchema(features: [Counter.self]))
    #expect(try file.rows("SELECT count FROM counter") == [["NULL"]])
    try file.session().save(doing: .notes(.add(id: 1, text: "milk")))
    #expect(try file.rows("SELECT text FROM notes_items") == [["milk"]])
  }

  @Test("include the actions of an observer that saves")
  func observerThatSaves() throws {
    let session = try file.session()
    try session.store.observe("counter.count") { [unowned session] _ in
      try session.save(doing: .notes(.add(id: session.store.position, text: "milk")))
    }
    try session.store.send(.counter(.increment(by: 1)), .counter(.increment(by: 1)))
    #expect(try file.rows("SELECT text FROM notes_items") == [["milk"], ["milk"]])
    try session.save(doing: .notes(.add(id: 9, text: "bread")))
    #expect(try file.rows("SELECT text FROM notes_items") == [["bread"], ["milk"], ["milk"]])
  }

  @Test("have names and columns of their own, whatever the names of features and fields")
  func names() throws {
    let schema = try StoreSchema(features: OddNames.features)
    let session = try file.session(schema)
    try session.store.send(.add(id: 1), to: OddNames.Reserved.self)
    try session.store.send(.add(id: 1), to: OddNames.Cart.self)
    try session.save()
    #expect(try file.session(schema).store.states == session.store.states)
    #expect(try file.rows("SELECT session, position FROM _sqlite_x") == [["6", "6"]])
    #expect(
      try file.rows("SELECT position, id, position_value, session FROM cart_items")
        == [["1", "1", "7", "mine"]])
    for view in ["cart_items_view", "history_view", "\"order\"", OddNames.AlsoLong.name] {
      #expect(try file.rows("SELECT session, position FROM \(view)") == [["5", "6"]])
    }
  }

  @Test("show everything after the first save, also what is still as initially")
  func new() throws {
    let session = try file.session()
    #expect(try file.rows("SELECT count FROM counter") == [["NULL"]])
    try session.save(doing: .notes(.set(query: "")))
    try file.expectViews(States())
    let paths = try file.rows("SELECT path FROM fields").map(\.[0])
    let saved = Sample.schema.savedFields.filter { !$0.isList }.map(\.path)
    #expect(Set(paths.filter { !$0.contains("#") }) == Set(saved))
  }

  @Test("keep every character and the greatest numbers unchanged")
  func exactness() throws {
    let session = try file.session()
    let text = "\u{1}\n\"\\/é🎉\u{2028}'; DROP TABLE history"
    try session.save(doing: .notes(.add(id: .max, text: text)), .counter(.set(count: .min)))
    try file.expectViews(session.store.states)
  }
}
