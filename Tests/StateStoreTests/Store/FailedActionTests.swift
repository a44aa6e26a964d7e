import StateStore
import Testing

@testable import StateStore

@Suite("An action that fails after it changed the state")
struct FailedActionTests {
  /// Lists, and values beside them.
  private enum Shelf: Feature {
    struct Book: Record, FieldRecord {
      let id: Int
      var title = ""

      static let fields: [RecordField<Book>] = [.constant("id", \.id), .field("title", \.title)]
    }

    struct State: Codable, Equatable, Sendable {
      var books = RecordList<Book>()
      var lent = RecordList<Book>(order: .newestFirst)
      var tags: [String] = []
      var count = 0
      var isLocked = false
    }

    enum Action: Codable, Equatable, Sendable {
      case add(id: Int)
      case fail(Failure)
    }

    /// What is changed before the failure.
    enum Failure: String, CaseIterable, Codable, Sendable {
      case nothing, values, list, replacedList, assignedList, swappedLists, wholeState, all
    }

    static let name = "shelf"
    static var initial: State { State() }
    static let fields: [Field<Shelf>] = [
      .list("books", \.books), .list("lent", \.lent), .value("tags", \.tags),
      .value("count", \.count), .hidden(\.isLocked), .request(count),
    ]

    static func reduce(_ state: inout State, _ action: Action) throws {
      switch action {
      case .add(let id):
        try state.books.append(Book(id: id))
        try state.lent.append(Book(id: -id, title: "lent"))
        state.tags.append("\(id)")
        state.count += 1
      case .fail(let failure):
        try change(&state, failure)
        throw Refused()
      }
    }

    private static func change(_ state: inout State, _ failure: Failure) throws {
      switch failure {
      case .nothing: break
      case .values:
        state.count += 5
        state.tags[0] = "changed"
        state.isLocked = true
      case .list:
        try state.books.append(Book(id: 5_000))
        state.lent.update(id: -1) { $0.title = "changed" }
        state.lent.remove(id: -2)
      case .replacedList: try state.books.replaceAll(with: [Book(id: 7)])
      case .assignedList: state.books = RecordList()
      case .swappedLists: swap(&state.books, &state.lent)
      case .wholeState: state = State()
      case .all: for failure in Failure.allCases.dropLast() { try change(&state, failure) }
      }
    }

    static let count = Request<Shelf, Failure, Failure>(
      "count", ask: { $0.question },
      asked: { state, failure in
        guard failure != .all else { return }
        try change(&state, failure)
        throw Refused()
      },
      done: { state, failure in
        try change(&state, failure)
        throw Refused()
      })
  }

  private struct Refused: Error {}

  /// Where the action is sent.
  enum Place: CaseIterable {
    case store, observed, withoutHistory, afterUndo, group, trial, longHistory
  }

  private func makeStore(_ place: Place) throws -> Store {
    let store = try Store(features: [Shelf.self])
    if place == .observed { try store.observe("") { _ in } }
    if place == .withoutHistory { store.historyLimit = 0 }
    if place == .trial { try store.beginTrial() }
    for id in 1...(place == .longHistory ? 250 : 3) { try store.send(.add(id: id), to: Shelf.self) }
    if place == .afterUndo { try store.undo() }
    return store
  }

  @Test(
    "leaves it as it was, wherever it is sent", arguments: Shelf.Failure.allCases, Place.allCases)
  private func restores(failure: Shelf.Failure, in place: Place) throws {
    let store = try makeStore(place)
    func failTwice() throws {
      let (before, position) = (store.states, store.position)
      for _ in 1...2 {
        #expect(throws: Refused.self) { try store.send(.fail(failure), to: Shelf.self) }
        #expect(store.states == before)
        #expect(store.position == position)
      }
    }
    if place == .group {
      try store.group {
        try store.send(.add(id: 500), to: Shelf.self)
        try failTwice()
      }
      #expect(store.read(Shelf.self) { $0.books.contains(id: 500) })
    } else {
      try failTwice()
    }
    try store.send(.add(id: 1_000), to: Shelf.self)
    #expect(store.read(Shelf.self) { $0.books.map(\.id).last } == 1_000)
    guard place != .withoutHistory else { return }
    try store.undo()
    #expect(!store.read(Shelf.self) { $0.books.contains(id: 1_000) })
  }

  @Test("leaves it as it was in a group that is the first of a store")
  func firstGroup() throws {
    let store = try Store(features: [Shelf.self])
    try store.group {
      try store.send(.add(id: 1), to: Shelf.self)
      #expect(throws: Refused.self) { try store.send(.fail(.all), to: Shelf.self) }
    }
    #expect(store.read(Shelf.self) { $0.books.map(\.id) } == [1])
  }

  @Test(
    "leaves it as it was if it is the answer of a request, or its question",
    arguments: Shelf.Failure.allCases)
  private func requests(failure: Shelf.Failure) async throws {
    let store = try makeStore(.store)
    let before = store.state(of: Shelf.self)
    await #expect(throws: Refused.self) {
      try await store.ask(Shelf.count, failure, in: ServiceContext(NoServices()))
    }
    #expect(store.state(of: Shelf.self) == before)
    #expect(!store.isPending(Shelf.count))
  }
}
