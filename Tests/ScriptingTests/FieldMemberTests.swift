import Foundation
import Lua
import SampleApp
import StateStore
import Testing
import TestSupport

@testable import Scripting

/// A feature with members of its own in place of those that follow from its fields.
private enum Shelf: ScriptableFeature {
  struct Book: Record, FieldRecord, ScriptableRecord {
    let id: Int
    var title: String

    static let fields: [RecordField<Book>] = [.constant("id", \.id), .field("title", \.title)]
  }

  struct Owner: FieldRecord, Codable, Equatable {
    struct Home: FieldRecord, Codable, Equatable {
      var city = "Bonn"

      static let fields: [RecordField<Home>] = [.field("city", \.city)]
    }

    var fullName = ""
    var since = Date(timeIntervalSince1970: 0)
    var home = Home()
    var pin = Secret.empty

    static let fields: [RecordField<Owner>] = [
      .field("full_name", \.fullName), .field("since", \.since), .field("home", \.home),
      .field("pin", \.pin),
    ]
  }

  enum Sorting: String, CaseIterable, Codable, FieldValue {
    case title, author
  }

  enum Room: String, CaseIterable, Codable, FieldValue {
    case hall, study
  }

  struct State: Codable, Equatable, Sendable {
    var books = RecordList<Book>()
    var sorting = Sorting.title
    var room = Room.hall
    var label = "shelf"
    var height = 3
    var owner = Owner()
    var tags: [String] = []
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Book)
    case set(label: String)
    case sort(by: Sorting)
    case move(Room)
    case own(Owner)
    case tag([String])
  }

  static let name = "shelf"
  static let help = "Books."
  static var initial: State { State() }
  static let order = Request<Shelf, String, Int>(
    "order", isLocal: { $0 == "free" },
    ask: { _ in
      await Task.yield()
      throw StubError("sold_out", "It is sold out.")
    }, done: { _, _ in })
  static let fields: [Field<Shelf>] = [
    .list("books", \.books, help: "The books."), .value("label", \.label) { .set(label: $0) },
    .value("sorting", \.sorting) { .sort(by: $0) }, .value("room", \.room) { .move($0) },
    .value("owner", \.owner, set: { .own($1) }), .value("tags", \.tags) { .tag($0) },
    .value("height", \.height), .derived("width") { $0.books.count }, .request(order),
  ]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let book): try state.books.append(book)
    case .set(let label): state.label = label
    case .sort(let sorting): state.sorting = sorting
    case .move(let room): state.room = room
    case .own(let owner): state.owner = owner
    case .tag(let tags): state.tags = tags
    }
  }

  static func describe(_ module: FeatureModule<Shelf>) {
    module.function("add", "title") { (title: String) in
      try module.add(to: module.records(\.books)) { .add(Book(id: $0, title: title)) }
    }
    module.property("height", help: "The height in meters.") { "\(module.state.height) m" }
    module.request(order, "title") { (title: String) in title }
  }
}

/// A feature that shows the elements of its list in another form, the last first.
private enum Pile: ScriptableFeature {
  struct State: Codable, Equatable, Sendable {
    var books = RecordList<Shelf.Book>()
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Shelf.Book)
  }

  static let name = "pile"
  static let help = "Books."
  static var initial: State { State() }
  static let fields: [Field<Pile>] = [.list("", \.books)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    if case .add(let book) = action { try state.books.append(book) }
  }

  static func describe(_ module: FeatureModule<Pile>) {
    let books = { module.state.books }
    module.sequence(count: { books().count }) { books()[books().count - 1 - $0].title }
  }
}

@MainActor
@Suite("Members that follow from a feature's fields")
struct FieldMemberTests {
  private let sample: AppInLua
  private let shelf: FeatureFixture

  init() throws {
    sample = try AppInLua()
    shelf = try FeatureFixture([Shelf.self])
  }

  @Test(
    "in scripts of a feature with fields of every kind",
    arguments: LuaCase.list(
      """
      -- are read as properties, and assigned by the action of the field
      shelf.label = 'mine'
      return shelf.label, shelf.width, #store.history(), store.history(1)[1].action
      --> mine 0 1 shelf.label = "mine"
      shelf.width = 1 --> read_only_field: …
      shelf.label = 1 --> bad_argument: bad value for 'shelf.label' (string expected, got number)
      -- take the names of an enum's cases
      shelf.sorting = 'author' shelf.room = 'study' return shelf.sorting, shelf.room
      --> author study
      shelf.sorting = 'titel'
      --> bad_argument: bad value for 'shelf.sorting' ("title"|"author" expected, got "titel")
      -- are live objects, if they are records with an action for a part that changes
      local owner = shelf.owner
      for i = 1, 2 do
        owner.full_name, owner.pin, owner.home.city, owner.since = "Ann", "pin of Ann", "Rome", 5
      end
      return owner == shelf.owner, shelf.owner.home.city, #store.history(), json.encode(owner)
      --> true Rome 4 {"full_name":"Ann","home":{"city":"Rome"},"pin":"••••••••••","since":5}
      shelf.owner.full_name = 1
      --> bad_argument: bad value for 'shelf.owner.full_name' (string expected, got number)
      shelf.owner.home.city = 1
      --> bad_argument: bad value for 'shelf.owner.home.city' (string expected, got number)
      shelf.owner.name = 1 --> …: …shelf.owner has no field 'name'…
      shelf.owner = { full_name = 'Bob' } return shelf.owner.full_name --> Bob
      -- are assigned tables, if they are lists
      shelf.tags = {'a', 'b'} return table.concat(shelf.tags, ' ') --> a b
      shelf.tags = {'a', 1} --> …: shelf.tags[2]: expected string, found 1
      shelf.tags = {'a'} shelf.tags = {} return #shelf.tags --> 0
      -- are lists of live records, the same object each time
      local book = shelf.add("Emma")
      return shelf.books == shelf.books, shelf.books[1] == book, #shelf.books, tostring(book)
      --> true true 1 book 1: Emma
      -- have records whose fields can't be assigned, unless the list has an action for them
      shelf.add('Emma') shelf.books[1].title = 'Emma'
      --> read_only_field: …book.title is read-only and can't be assigned…
      shelf.add('Emma') shelf.books[1].title = 'Persuasion'
      --> read_only_field: …book.title is read-only and can't be assigned…
      -- say whether a request is pending, and why the last one failed
      local before = shelf.order_pending
      local asked = task.spawn(shelf.order, "Emma")
      local pending = shelf.order_pending
      local _, problem = pcall(asked.await, asked)
      local h = store.history()
      return before, pending, shelf.order_pending, problem.code, shelf.order_error, h[1].action,
        h[2].action
      --> false true false sold_out It is sold out. shelf.order("Emma") shelf.order() --> failed: It
      --> is sold out.
      """))
  func fields(example: LuaCase) async throws { try await shelf.state.check(example) }

  @Test("keep secrets as they were assigned")
  func secrets() async throws {
    try await shelf.run("shelf.owner.pin = 'pin of Ann'")
    #expect(shelf.store.state(of: Shelf.self).owner.pin == Secret("pin of Ann"))
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- are the module's own elements, of a list without a name
      favorites.add(3) persons.add{ name = "Ann", age = 30 }
      return #favorites, favorites[1], #persons, persons[1].name --> 1 3 1 Ann
      -- are those that depend on several features, in the module that their path names
      local closed = counter.modal
      counter.count = 7 favorites.add(7) counter.ask_is_prime()
      return closed, counter.modal.number, counter.modal.is_favorite --> nil 7 true
      counter.ask_is_prime() counter.modal = 1 --> read_only_field: …
      """))
  func scripts(example: LuaCase) async throws { try await sample.state.check(example) }

  @Test("are replaced by members of the same name that the feature adds itself")
  func replaced() async throws {
    #expect(try await shelf.run("return shelf.height") == "3 m")
    let members = try #require(shelf.scripted.modules.first { $0.name == "shelf" }).documentation
    #expect(members.filter { $0.name == "height" }.map(\.help) == ["The height in meters."])
    #expect(try await sample.text("signup.data.email = 'a' return signup.data.email") == "a")
  }

  @Test("are replaced by elements that the feature adds itself")
  func replacedElements() async throws {
    let pile = try FeatureFixture([Pile.self])
    for (id, title) in [(1, "Emma"), (2, "Persuasion")] {
      try pile.store.send(.add(Shelf.Book(id: id, title: title)), to: Pile.self)
    }
    let code =
      "local t = {} for _, v in ipairs(pile) do t[#t + 1] = v end return #pile, table.concat(t, ' ')"
    #expect(
      try await pile.run(code) == "2 Persuasion Emma")
    #expect(pile.scripted.modules.first?.elementType?.name == "string")
  }

  @Test("are documented by the field, or by its name and its type")
  func documented() throws {
    let members = try #require(shelf.scripted.modules.first { $0.name == "shelf" }).documentation
    func texts(_ name: String) -> [String?] {
      let member = members.first { $0.name == name }
      return [member?.signature, member?.help]
    }
    #expect(texts("books") == ["books: books", "The books."])
    #expect(texts("label") == ["label: string", "The label."])
    #expect(
      texts("order_error") == ["order_error: string?", "Why the last order failed; or nil."])
    #expect(members.first { $0.name == "order_pending" }?.signature == "order_pending: boolean")
    #expect(members.first { $0.name == "label" }?.example == "shelf.label = \"text\"")
  }
}
