import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import PostgresJournal
@testable import StateStore

@Suite(
  "The tables and views of a server's sessions",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct SessionTablesTests {
  private let database: SessionDatabaseFixture

  init() async throws {
    database = try await SessionDatabaseFixture()
  }

  @Test("have a long list that is written as a whole")
  func longList() async throws {
    let copied = InMemoryJournal()
    let session = try copied.openSession()
    for id in 1...1_200 { try session.store.send(.notes(.add(id: id, text: "milk"))) }
    try session.save()
    try database.open().save(SessionWrite(copying: copied.load()))
    try await database.expectTables(session.store.states)
  }

  @Test("name the session, and have a column for each part of a record")
  func views() async throws {
    for name in ["a", "b"] {
      let session = try database.openSession(name)
      try session.store.send(.notes(.add(id: 1, text: "milk of \(name)")))
      try session.save(doing: .notes(.add(id: 2, text: "tea")), .counter(.increment(by: 3)))
    }
    #expect(
      try await database.query(
        "SELECT position, id, text, done FROM notes_items WHERE session = 'b' ORDER BY position")
        == [["1", "2", "tea", "f"], ["2", "1", "milk of b", "f"]])
    #expect(
      try await database.query("SELECT session, count FROM counter ORDER BY 1")
        == [["a", "3"], ["b", "3"]])
  }

  @Test("have names and columns of their own, whatever the names of features and fields")
  func names() async throws {
    let schema = try StoreSchema(features: OddNames.features)
    let session = try database.openSession(of: schema)
    try session.store.send(.add(id: 1), to: OddNames.Reserved.self)
    try session.store.send(.add(id: 1), to: OddNames.Cart.self)
    try session.save()
    #expect(try database.openSession(of: schema).store.states == session.store.states)
    #expect(
      try await database.query("SELECT session, session_value, position FROM _sqlite_x")
        == [["sample", "6", "6"]])
    #expect(
      try await database.query(
        "SELECT session, position, id, position_value, session_value FROM cart_items")
        == [["sample", "1", "1", "7", "mine"]])
    let long = OddNames.Long.name.prefix(63)
    for view in [
      "cart_items_view", "history_view", "\"order\"", "\(long)", "\(long.dropLast(5))_view",
    ] {
      #expect(
        try await database.query("SELECT session_value, position FROM \(view)") == [["5", "6"]])
    }
  }

  @Test("leave out a view whose names others have, and make the rest")
  func takenNames() async throws {
    try await database.query(
      """
      CREATE TABLE notes_items (mine text); CREATE VIEW sample_notes_items AS SELECT 1 AS mine;
      CREATE VIEW counter AS SELECT 2 AS mine;
      """)
    let session = try database.openSession()
    try session.save(doing: .counter(.increment(by: 3)))
    #expect(try await database.query("SELECT * FROM notes_items").isEmpty)
    #expect(try await database.query("SELECT mine FROM sample_notes_items") == [["1"]])
    #expect(try await database.query("SELECT mine FROM counter") == [["2"]])
    #expect(try await database.query("SELECT count FROM sample_counter") == [["3"]])
  }

  @Test("stay apart if their names differ only after 63 bytes")
  func longNames() async throws {
    let schema = try StoreSchema(features: OddNames.features)
    for program in ["müller-und-söhne", "other"] {
      try database.openSession(of: schema, program: Program(program))
    }
    let views = try await database.query(
      """
      SELECT split_part(obj_description(oid, 'pg_class'), ':', 1), count(*) FROM pg_class
      WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 1
      """)
    let count = "\(OddNames.features.count)"
    #expect(views == [["müller-und-söhne", count], ["other", count]])
  }

  // MARK: - Other versions of the app

  /// Opens the session with a version of its app.
  @discardableResult
  private func open(_ version: any Feature.Type) throws -> JournaledSession {
    try database.openSession(of: StoreSchema(features: [version]))
  }

  @Test("keep their grants, and views of people on them, when a field is added")
  func grants() async throws {
    let role = "reader_\(database.name)"
    try open(Cart<Named>.self)
    try await database.query(
      """
      CREATE ROLE \(role) LOGIN; GRANT SELECT ON cart_items TO \(role);
      GRANT SELECT ON cart_items TO PUBLIC;
      CREATE VIEW mine AS SELECT name FROM cart_items;
      """)
    try open(Cart<Counted>.self)
    #expect(try await database.query("SELECT amount FROM cart_items").isEmpty)
    #expect(try await database.query("SELECT name FROM mine").isEmpty)
    // Taking a field away needs another view.
    try await database.query("DROP VIEW mine")
    try open(Cart<Priced>.self)
    #expect(try await database.query("SELECT price FROM cart_items").isEmpty)
    let grants = try await database.query(
      """
      SELECT grantee FROM information_schema.role_table_grants
      WHERE table_name = 'cart_items' AND grantee <> 'tests' ORDER BY 1
      """)
    #expect(grants == [["PUBLIC"], [role]])
  }

  @Test("keep the columns of a new version when an old one opens the session and writes")
  func oldVersion() async throws {
    try open(Cart<Counted>.self)
    let old = try open(Cart<Named>.self)
    try old.store.send(.add(Named(id: 1)), to: Cart<Named>.self)
    try old.save()
    #expect(
      try await database.query("SELECT id, name, amount FROM cart_items") == [["1", "milk", ""]])
  }

  @Test("stay as they are when a version opens the session that is refused")
  func refusedVersion() async throws {
    let session = try open(Cart<Counted>.self)
    try session.store.send(.add(Counted(id: 1)), to: Cart<Counted>.self)
    try session.save()
    #expect(throws: JournalError.self) { try open(Cart<Described>.self) }
    #expect(
      try await database.query("SELECT name, amount + 1 FROM cart_items") == [["milk", "2"]])
  }

  @Test("show nothing for a value of another type, as the session of another version may have it")
  func otherType() async throws {
    let session = try open(Cart<Counted>.self)
    try session.store.send(.add(Counted(id: 1)), to: Cart<Counted>.self)
    try session.save()
    for amount in ["\"many\"", "1e30", "true", "[1]"] {
      try await database.query(
        "UPDATE records SET value = '{\"id\":1,\"name\":\"milk\",\"amount\":\(amount)}'")
      #expect(try await database.query("SELECT name, amount FROM cart_items") == [["milk", ""]])
    }
  }

  @Test(
    "show texts with the character U+0000, which PostgreSQL can't have, with another one",
    arguments: [
      ("a\u{0}b", "a\u{FFFD}b"), ("\u{0}\u{0}", "\u{FFFD}\u{FFFD}"), (#"C:\u0000"#, #"C:\u0000"#),
      (#"\\u0000"#, #"\\u0000"#), ("\\\u{0}\\\\u0000", "\\\u{FFFD}\\\\u0000"),
    ])
  func zeroCharacter(text: String, shown: String) async throws {
    let session = try database.openSession()
    try session.save(doing: .notes(.add(id: 1, text: text)))
    #expect(try await database.query("SELECT text FROM notes_items") == [[shown]])
    #expect(try database.openSession().store.states == session.store.states)
  }

  @Test("have ordinals of few digits after many insertions between the same two records")
  func ordinals() async throws {
    let journal = try database.open()
    for id in 1...200 {
      let record = StateValue.record([.init(name: "id", value: .integer(id))])
      let edits = ListEdits.edits([.inserted(position: min(id - 1, 1), record)])
      try journal.save(
        SessionWrite(
          common: 0, entries: [], extent: HistoryExtent(),
          changes: [FieldChange(path: "notes.items", change: .list(edits))]))
    }
    // Each would be a digit longer than the one before.
    #expect(try await database.query("SELECT max(scale(ordinal)) < 40 FROM records") == [["t"]])
  }
}

// MARK: - Versions of an app

private typealias CartItem = Record & FieldRecord

private struct Named: CartItem {
  let id: Int
  var name = "milk"

  static let fields: [RecordField<Named>] = [.constant("id", \.id), .field("name", \.name)]
}

/// With another field, before the one that was there.
private struct Counted: CartItem {
  let id: Int
  var amount = 1
  var name = "milk"

  static let fields: [RecordField<Counted>] = [
    .constant("id", \.id), .field("amount", \.amount), .field("name", \.name),
  ]
}

private struct Priced: CartItem {
  let id: Int
  var price = 1

  static let fields: [RecordField<Priced>] = [.constant("id", \.id), .field("price", \.price)]
}

/// With a field of another type, and one more.
private struct Described: CartItem {
  let id: Int
  var amount = "one"
  var color = "white"

  static let fields: [RecordField<Described>] = [
    .constant("id", \.id), .field("amount", \.amount), .field("color", \.color),
  ]
}

private struct CartState<Item: CartItem>: Codable, Equatable, Sendable {
  var items = RecordList<Item>()
}

private enum CartAction<Item: CartItem>: Codable, Equatable, Sendable { case add(Item) }

private enum Cart<Item: CartItem>: Feature {
  static var name: String { "cart" }
  static var initial: CartState<Item> { CartState() }
  static var fields: [Field<Cart>] { [.list("items", \.items)] }
  static func reduce(_ state: inout CartState<Item>, _ action: CartAction<Item>) throws {
    if case .add(let item) = action { try state.items.append(item) }
  }
}
