import Testing

@testable import StateStore

/// The changes that observers of a list get, however its reducer changes it.
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

  /// The changes reported while actions are sent.
  private func reports(of actions: Shelf.Action...) throws -> [FieldChange.Change] {
    var changes: [FieldChange.Change] = []
    let subscription = try store.observe("shelf.books") { changes += $0.fields.map(\.change) }
    defer { subscription.cancel() }
    for action in actions { try store.send(action, to: Shelf.self) }
    return changes
  }

  @Test("get each edit, in the order in which it was made")
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

  @Test("get no edit that leaves a record unchanged")
  func sameValue() throws {
    #expect(try reports(of: .add(one), .rename(id: 1, title: "one")).count == 1)
  }

  @Test("get the old and the new list if another one is assigned", arguments: [0, 10_000])
  func assignment(historyLimit: Int) throws {
    store.historyLimit = historyLimit
    try store.send(.add(one), to: Shelf.self)
    #expect(
      try reports(of: .assign([two])) == [
        .list(.replaced(old: [one.stateValue], new: [two.stateValue]))
      ])
  }

  @Test("get the old list if an action edits and replaces it")
  func editAndReplacement() throws {
    try store.send(.add(one), to: Shelf.self)
    #expect(
      try reports(of: .addAndReplace(two, by: [two])) == [
        .list(.replaced(old: [one.stateValue], new: [two.stateValue]))
      ])
  }

  @Test("get an undo after a refused action")
  func refusal() throws {
    var changes: [FieldChange.Change] = []
    try store.send(.add(one), to: Shelf.self)
    try store.observe("shelf.books") { changes += $0.fields.map(\.change) }
    #expect(throws: Refusal.self) { try store.send(.refuse, to: Shelf.self) }
    try store.undo()
    #expect(changes == [.list(.edits([.removed(position: 0, one.stateValue)]))])
  }

  // MARK: - Copies

  /// Two lists that are observed, and one that isn't.
  enum Lists: Feature {
    struct State: Codable, Equatable, Sendable {
      var a = RecordList<Book>()
      var b = RecordList<Book>()
      var backup = RecordList<Book>()
    }

    enum Action: Codable, Equatable, Sendable {
      case add(Book, toB: Bool)
      case copyToB, swap, backUp, restoreBackup
      case addToBackup(Book)
      /// Adds to a, and makes b the same list.
      case addAndCopy(Book)
      /// Adds some books to a, and removes every third of them.
      case addAndRemove(Int)
      /// Does actions, and fails.
      indirect case failing([Action])
    }

    static let name = "lists"
    static var initial: State { State() }
    static let fields: [Field<Lists>] = [
      .list("a", \.a), .list("b", \.b), .hidden(\.backup),
    ]

    static func reduce(_ state: inout State, _ action: Action) throws {
      switch action {
      case .add(let book, let toB):
        if toB { try state.b.append(book) } else { try state.a.append(book) }
      case .copyToB: state.b = state.a
      case .swap: (state.a, state.b) = (state.b, state.a)
      case .backUp: state.backup = state.a
      case .restoreBackup: state.a = state.backup
      case .addToBackup(let book): try state.backup.append(book)
      case .addAndCopy(let book):
        try state.a.append(book)
        state.b = state.a
      case .addAndRemove(let count):
        let first = (state.a.maximumID ?? 0) + 1
        for id in first..<first + count { try state.a.append(Book(id: id, title: "\(id)")) }
        for id in stride(from: first, to: first + count, by: 3) { state.a.remove(id: id) }
        try state.a.insert(Book(id: first, title: "again"), at: 0)
      case .failing(let actions):
        for action in actions { try reduce(&state, action) }
        throw RecordListError.notFound(0)
      }
    }
  }

  @Test(
    "get every change of a list that a reducer copies, swaps or puts back",
    arguments: copying)
  func copies(actions: [Lists.Action]) throws {
    let store = try Store(features: [Lists.self])
    let mirror = try FieldMirror(of: store)
    for action in actions {
      try store.send(action, to: Lists.self)
      mirror.expectSame()
    }
  }

  @Test(
    "are taken back and made again, whatever list a reducer puts in the place of another",
    arguments: copying)
  func undone(actions: [Lists.Action]) throws {
    let store = try Store(features: [Lists.self])
    var states = [store.states]
    for action in actions {
      try store.send(action, to: Lists.self)
      states.append(store.states)
    }
    for _ in 1...2 {
      for number in actions.indices.reversed() {
        try store.undo()
        #expect(store.states == states[number])
      }
      for number in actions.indices {
        try store.redo()
        #expect(store.states == states[number + 1])
      }
    }
  }

  @Test("are taken back from an action that fails at its end", arguments: copying)
  func failed(actions: [Lists.Action]) throws {
    let store = try Store(features: [Lists.self])
    for (number, action) in actions.enumerated() {
      let states = store.states
      #expect(throws: RecordListError.self) {
        try store.send(.failing(Array(actions[number...])), to: Lists.self)
      }
      #expect(store.states == states)
      try store.send(action, to: Lists.self)
    }
  }

  private static let copying: [[Lists.Action]] = [
    [.add(one, toB: false), .add(two, toB: true), .copyToB],
    [.add(one, toB: false), .add(two, toB: true), .swap],
    [.add(two, toB: true), .addAndCopy(one)],
    [.add(one, toB: false), .backUp, .add(two, toB: false), .restoreBackup],
    [
      .add(one, toB: false), .backUp, .addToBackup(two), .addToBackup(three),
      .add(Book(id: 4, title: "four"), toB: false), .restoreBackup,
    ],
    [.add(one, toB: false), .copyToB, .add(two, toB: true), .swap, .add(two, toB: true)],
    [.add(one, toB: false), .addAndRemove(20), .addAndRemove(73), .addAndRemove(300), .swap],
    [
      .addAndRemove(200), .copyToB, .addAndRemove(200), .backUp,
      .add(Book(id: 5000, title: "last"), toB: true),
    ],
  ]

  private static let one = Book(id: 1, title: "one")
  private static let two = Book(id: 2, title: "two")
  private static let three = Book(id: 3, title: "three")

  @Test("leave no log in the copies of a list")
  func copiesWithoutLog() throws {
    let store = try Store(features: [Lists.self])
    try store.observe("lists.a") { _ in }
    try store.send(.add(Self.one, toB: false), to: Lists.self)
    try store.send(.backUp, to: Lists.self)
    for id in 2..<5 {
      try store.send(.addToBackup(Book(id: id, title: "")), to: Lists.self)
    }
    #expect(store.state(of: Lists.self).backup.storage?.log == nil)
  }
}
