import Testing

@testable import StateStore

private struct Book: Record, FieldRecord {
  let id: Int
  var title: String

  static let fields: [RecordField<Book>] = [.constant("id", \.id), .field("title", \.title)]
}

private let one = Book(id: 1, title: "one")
private let two = Book(id: 2, title: "two")
private let three = Book(id: 3, title: "three")

/// Two lists that are observed, and one that isn't.
private enum Lists: Feature {
  struct State: Codable, Equatable, Sendable {
    var a = RecordList<Book>()
    var b = RecordList<Book>()
    var backup = RecordList<Book>()
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Book, toB: Bool = false)
    case rename(id: Int, title: String)
    /// Assigns another list, instead of changing the one there is.
    case assign([Book])
    case addAndReplace(Book, by: [Book])
    case copyToB, swap, backUp, restoreBackup
    case addToBackup(Book)
    /// Adds to a, and makes b the same list.
    case addAndCopy(Book)
    /// Adds some books to a, and removes every third of them.
    case addAndRemove(Int)
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
    case .rename(let id, let title): state.a.update(id: id) { $0.title = title }
    case .assign(let books): state.a = try RecordList(order: .oldestFirst, records: books)
    case .addAndReplace(let book, let books):
      try state.a.append(book)
      try state.a.replaceAll(with: books)
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
    }
  }
}

@Suite("Observers of a list")
struct ListReportTests {
  private let store: Store

  init() throws { store = try Store(features: [Lists.self]) }

  private func reports(of actions: Lists.Action...) throws -> [FieldChange.Change] {
    var changes: [FieldChange.Change] = []
    let subscription = try store.observe("lists.a") { changes += $0.fields.map(\.change) }
    defer { subscription.cancel() }
    for action in actions { try store.send(action, to: Lists.self) }
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

  @Test(
    "get the old and the new list if another one is assigned, or it is edited and replaced",
    arguments: [Lists.Action.assign([two]), .addAndReplace(two, by: [two])], [0, 10_000])
  private func replacement(by action: Lists.Action, historyLimit: Int) throws {
    store.historyLimit = historyLimit
    try store.send(.add(one), to: Lists.self)
    let replaced = ListEdits<StateValue>.replaced(old: [one.stateValue], new: [two.stateValue])
    #expect(try reports(of: action) == [.list(replaced)])
  }

  @Test(
    "get every change of a list that a reducer copies, swaps or puts back",
    arguments: copying)
  private func copies(actions: [Lists.Action]) throws {
    let mirror = try FieldMirror(of: store)
    for action in actions {
      try store.send(action, to: Lists.self)
      mirror.expectSame()
    }
  }

  @Test(
    "are taken back and made again, whatever list a reducer puts in the place of another",
    arguments: copying)
  private func undone(actions: [Lists.Action]) throws {
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

  private static let copying: [[Lists.Action]] = [
    [.add(one), .add(two, toB: true), .copyToB],
    [.add(one), .add(two, toB: true), .swap],
    [.add(two, toB: true), .addAndCopy(one)],
    [.add(one), .backUp, .add(two), .restoreBackup],
    [
      .add(one), .backUp, .addToBackup(two), .addToBackup(three),
      .add(Book(id: 4, title: "four")), .restoreBackup,
    ],
    [.add(one), .copyToB, .add(two, toB: true), .swap, .add(two, toB: true)],
    [.add(one), .addAndRemove(20), .addAndRemove(73), .addAndRemove(300), .swap],
    [
      .addAndRemove(200), .copyToB, .addAndRemove(200), .backUp,
      .add(Book(id: 5000, title: "last"), toB: true),
    ],
  ]

  @Test("leave no log in the copies of a list")
  func copiesWithoutLog() throws {
    try store.observe("lists.a") { _ in }
    try store.send(.add(one), to: Lists.self)
    try store.send(.backUp, to: Lists.self)
    for id in 2..<5 {
      try store.send(.addToBackup(Book(id: id, title: "")), to: Lists.self)
    }
    #expect(store.state(of: Lists.self).backup.storage?.log == nil)
  }
}
