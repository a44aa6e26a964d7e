import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

@Suite("The views of a state file")
struct StateViewTests {
  private func session(_ file: SQLiteFile) throws -> JournaledSession {
    try JournaledSession(Sample.schema, in: file.open())
  }

  @Test("show the current state after actions, undos and redos", arguments: 0..<6)
  func randomActions(seed: Int) throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try session(file)
    var actions = RandomActions(seed: seed)
    for round in 0..<40 {
      for _ in 0..<actions.number(1..<40) {
        if actions.number(0..<15) == 0 {
          try session.store.jump(
            to: actions.number(
              session.store.reachable.lowerBound..<session.store.reachable.upperBound + 1))
        } else {
          do {
            try session.store.send(actions.next())
          } catch is any CodedError {
            // Nothing was done, and nothing is noted.
          }
        }
      }
      try session.save()
      if round % 8 == 7 { try file.expectViews(session.store.states) }
    }
    try file.expectViews(session.store.states)
    try expectSame(self.session(file).store.states, session.store.states)
  }

  @Test("include rebased actions, even if observers get no change")
  func rebased() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let (first, second) = (
      try JournaledSession(Sample.schema, in: file.open()),
      try JournaledSession(Sample.schema, in: file.open())
    )
    try first.store.send(.add(number: 37), to: Numbers.self)
    try second.store.send(.clear, to: Numbers.self)
    try first.save()
    try second.save()
    #expect(second.store.state(of: Numbers.self).list.isEmpty)
    #expect(try file.rows("SELECT number FROM numbers") == [])
  }

  @Test("include the actions of an observer that saves")
  func observerThatSaves() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try JournaledSession(Sample.schema, in: file.open())
    try session.store.observe("counter.count") { [unowned session] _ in
      try session.store.send(.add(id: session.store.position, text: "milk"), to: Notes.self)
      try session.save()
    }
    try session.store.send(.increment(by: 1), to: Counter.self)
    try session.store.send(.increment(by: 1), to: Counter.self)
    #expect(try file.rows("SELECT text FROM notes_items") == [["milk"], ["milk"]])
    try session.store.send(.add(id: 9, text: "bread"), to: Notes.self)
    try session.save()
    #expect(try file.rows("SELECT text FROM notes_items") == [["bread"], ["milk"], ["milk"]])
  }

  @Test("have names and columns of their own, whatever the names of features and fields")
  func names() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let schema = try StoreSchema(features: OddNames.features)
    func open() throws -> JournaledSession {
      try JournaledSession(
        schema, in: SQLiteJournal(of: schema, program: Sample.program, path: file.path))
    }
    let session = try open()
    try session.store.send(.add(id: 1), to: OddNames.Reserved.self)
    try session.store.send(.add(id: 1), to: OddNames.Cart.self)
    try session.save()
    #expect(try open().store.states == session.store.states)
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
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try session(file)
    #expect(try file.rows("SELECT count FROM counter") == [["NULL"]])
    try session.store.send(.set(query: ""), to: Notes.self)
    try session.save()
    try file.expectViews(States())
    let paths = try file.rows("SELECT path FROM fields").map(\.[0])
    let saved = Sample.schema.savedFields.filter { !$0.isList }.map(\.path)
    #expect(Set(paths.filter { !$0.contains("#") }) == Set(saved))
  }

  @Test("keep the order when records come back to the middle, again and again")
  func middle() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try session(file)
    for id in 1...3 { try session.store.send(.notes(.add(id: id, text: "\(id)"))) }
    // Each is put between the first two by taking back its removal, halving the distance of ordinals.
    for id in 4..<120 {
      try session.store.send(.notes(.add(id: id, text: "\(id)")))
      try session.store.send(.notes(.add(id: id + 1_000, text: "\(id)")))
      try session.store.send(.notes(.remove(id: id)))
      try session.store.jump(to: session.store.position - 1)
      try session.save()
    }
    try file.expectViews(session.store.states)
  }

  @Test("renumber a list when two ordinals are adjacent")
  func renumbering() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open()
    func item(_ id: Int) -> StateValue {
      ["id": .integer(id), "text": .text(""), "done": .boolean(false)]
    }
    var edits: [ListEdit<StateValue>] = [
      .inserted(position: 0, item(1)), .inserted(position: 1, item(2)),
    ]
    edits += (3...200).map { .inserted(position: 1, item($0)) }
    let changes = [FieldChange(path: "notes.items", change: .list(.edits(edits)))]
    _ = try journal.exchange(
      SessionWrite(common: 0, entries: [], extent: HistoryExtent(), changes: changes),
      after: journal.load().point)
    let ids = try file.rows("SELECT id FROM notes_items").map(\.[0])
    #expect(ids == ["1"] + (3...200).reversed().map { "\($0)" } + ["2"])
  }

  @Test("keep every character and the greatest numbers unchanged")
  func exactness() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try session(file)
    let text = "\u{1}\n\"\\/é🎉\u{2028}'; DROP TABLE history"
    try session.store.send(.notes(.add(id: .max, text: text)))
    try session.store.send(.counter(.set(count: .min)))
    try session.save()
    try file.expectViews(session.store.states)
  }
}
