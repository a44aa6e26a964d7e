import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

@Suite("The views of a state file")
struct StateViewTests {
  /// A store whose changes are appended to a journal, many actions at a time.
  private final class Session {
    let store = Store()
    private let journal: any Journal
    private var head = 0
    private var entries: [JournalEntry] = []
    private var changes: [FieldChange] = []

    init(_ journal: any Journal) throws {
      self.journal = journal
      try store.observe("") { [unowned self] in changes += $0.fields }
    }

    func send(_ action: StoreAction) throws {
      try store.send(action)
      note(.action(action))
    }

    func jump(to number: Int) throws {
      try store.jump(to: number)
      note(.travel(to: number))
    }

    private func note(_ event: JournalEntry.Event) {
      entries.append(JournalEntry(event, time: Date(timeIntervalSince1970: 0), writer: UUID()))
    }

    func save() throws {
      guard !entries.isEmpty else { return }
      head = try journal.append(JournalBatch(entries: entries, changes: changes), expecting: head)
      (entries, changes) = ([], [])
    }
  }

  @Test("show the current state after actions, undos and redos", arguments: 0..<6)
  func randomActions(seed: Int) throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try Session(file.open())
    var actions = RandomActions(seed: seed)
    for round in 0..<40 {
      for _ in 0..<actions.number(1..<40) {
        if actions.number(0..<15) == 0 {
          try session.jump(
            to: actions.number(
              session.store.reachable.lowerBound..<session.store.reachable.upperBound + 1))
        } else {
          do {
            try session.send(actions.next())
          } catch is any CodedError {
            // Nothing was done, and nothing is noted.
          }
        }
      }
      try session.save()
      if round % 8 == 7 { try file.expectViews(session.store.states) }
    }
    try file.expectViews(session.store.states)
    // The entries by themselves lead to the same state.
    #expect(try Store(Sample.schema, file.open().load(), of: "x").states == session.store.states)
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
    for view in ["cart_items_view", "entries_view", "\"order\"", OddNames.AlsoLong.name] {
      #expect(try file.rows("SELECT session, position FROM \(view)") == [["5", "6"]])
    }
  }

  @Test("show the initial state in a new file")
  func new() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    _ = try file.open()
    try file.expectViews(States())
    #expect(
      try file.rows("SELECT count(*) FROM fields") == [
        ["\(Sample.schema.fields.filter { !$0.isList }.count)"]
      ])
  }

  @Test("keep the order when records come back to the middle, again and again")
  func middle() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try Session(file.open())
    for id in 1...3 { try session.send(.notes(.add(id: id, text: "\(id)"))) }
    // Each is put between the first two by taking back its removal, halving the distance of ordinals.
    for id in 4..<120 {
      try session.send(.notes(.add(id: id, text: "\(id)")))
      try session.send(.notes(.add(id: id + 1_000, text: "\(id)")))
      try session.send(.notes(.remove(id: id)))
      try session.jump(to: session.store.position - 1)
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
    _ = try journal.append(JournalBatch(entries: [.numbered(1)], changes: changes), expecting: 0)
    let ids = try file.rows("SELECT id FROM notes_items").map(\.[0])
    #expect(ids == ["1"] + (3...200).reversed().map { "\($0)" } + ["2"])
  }

  @Test("are rebuilt if another program wrote to their tables")
  func tampering() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try Session(file.open())
    for id in 1...5 { try session.send(.notes(.add(id: id, text: "\(id)"))) }
    try session.save()
    try file.execute("DELETE FROM records WHERE id = 3")
    try session.send(.notes(.finish(id: 3)))
    try session.save()
    try file.expectViews(session.store.states)
  }

  @Test("keep every character and the greatest numbers unchanged")
  func exactness() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let session = try Session(file.open())
    let text = "\u{1}\n\"\\/é🎉\u{2028}'; DROP TABLE entries"
    try session.send(.notes(.add(id: .max, text: text)))
    try session.send(.counter(.set(count: .min)))
    try session.save()
    try file.expectViews(session.store.states)
  }
}
