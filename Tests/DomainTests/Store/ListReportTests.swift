import StateStore
import Testing

/// What observers of a list are told, however its reducer changes it.
@Suite("Observers of a list")
struct ListReportTests {
  struct Book: Record, FieldRecord {
    let id: Int
    var title: String

    static let fields: [RecordField<Book>] = [.constant("id", \.id), .field("title", \.title)]
  }

  struct Refusal: Error {}

  enum Shelf: Feature {
    struct State: Codable, Equatable, Sendable { var books = RecordList<Book>() }

    enum Action: Codable, Equatable, Sendable {
      case add(Book)
      case rename(id: Int, title: String)
      /// Assigns another list, instead of changing the one there is.
      case assign([Book])
      /// Adds a book, then replaces all.
      case addAndReplace(Book, by: [Book])
      case refuse
    }

    static let name = "shelf"
    static var initial: State { State() }
    static let fields: [Field<Shelf>] = [.list("books", \.books)]

    static func reduce(_ state: inout State, _ action: Action) throws {
      switch action {
      case .add(let book): try state.books.append(book)
      case .rename(let id, let title): state.books.update(id: id) { $0.title = title }
      case .assign(let books): state.books = try RecordList(order: .oldestFirst, records: books)
      case .addAndReplace(let book, let books):
        try state.books.append(book)
        try state.books.replaceAll(with: books)
      case .refuse: throw Refusal()
      }
    }
  }

  let store: Store
  let one = Book(id: 1, title: "one")
  let two = Book(id: 2, title: "two")

  init() throws { store = try Store(features: [Shelf.self]) }

  /// What observers are told while actions are sent.
  private func reports(of actions: Shelf.Action...) throws -> [FieldChange.Change] {
    var changes: [FieldChange.Change] = []
    let subscription = try store.observe("shelf.books") { changes += $0.fields.map(\.change) }
    defer { subscription.cancel() }
    for action in actions { try store.send(action, to: Shelf.self) }
    return changes
  }

  @Test("are told of each edit in the order in which it was made")
  func edits() throws {
    let changes = try reports(of: .add(one), .rename(id: 1, title: "first"))
    let first = Book(id: 1, title: "first")
    #expect(
      changes == [
        .list(.edits([.inserted(position: 0, one.stateValue)])),
        .list(
          .edits([.changed(position: 0, old: one.stateValue, new: first.stateValue)])),
      ])
  }

  @Test("aren't told of an edit that leaves a record as it is")
  func sameValue() throws {
    #expect(try reports(of: .add(one), .rename(id: 1, title: "one")).count == 1)
  }

  @Test("are told what a list was to which another one was assigned", arguments: [0, 10_000])
  func assignment(historyLimit: Int) throws {
    store.historyLimit = historyLimit
    try store.send(.add(one), to: Shelf.self)
    #expect(
      try reports(of: .assign([two])) == [
        .list(.replaced(old: [one.stateValue], new: [two.stateValue]))
      ])
  }

  @Test("are told what a list was that was edited and replaced at once")
  func editAndReplacement() throws {
    try store.send(.add(one), to: Shelf.self)
    #expect(
      try reports(of: .addAndReplace(two, by: [two])) == [
        .list(.replaced(old: [one.stateValue], new: [two.stateValue]))
      ])
  }

  @Test("are told of an undo after an action that was refused")
  func refusal() throws {
    var changes: [FieldChange.Change] = []
    try store.send(.add(one), to: Shelf.self)
    try store.observe("shelf.books") { changes += $0.fields.map(\.change) }
    #expect(throws: Refusal.self) { try store.send(.refuse, to: Shelf.self) }
    try store.undo()
    #expect(changes == [.list(.edits([.removed(position: 0, one.stateValue)]))])
  }
}
