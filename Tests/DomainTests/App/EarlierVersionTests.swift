import Foundation
import Testing

@testable import Domain
@testable import StateStore

/// The version before requests were declared: their steps were actions of the features, and their states had the
/// pending request, its error and the last identifier.
@Suite("A session of the version before requests were declared")
struct EarlierVersionTests {
  /// The entries as that version stored them.
  private static let entries = [
    #"{"action":{"set":{"count":17}},"feature":"counter"}"#,
    #"{"action":{"nthPrimeRequested":{"request":28,"source":"local"}},"feature":"counter"}"#,
    #"{"action":{"nthPrimeSucceeded":{"ordinal":17,"prime":59,"request":28}},"feature":"counter"}"#,
    #"{"action":{"add":{"id":1,"text":"milk"}},"feature":"todo"}"#,
    #"{"action":{"fetchRequested":{"request":29,"source":"todos.json"}},"feature":"todo"}"#,
    #"{"action":{"fetchSucceeded":{"items":[{"done":true,"id":2,"text":"tea"}],"request":29}},"feature":"todo"}"#,
    #"{"action":{"fetchRequested":{"request":30,"source":"missing.json"}},"feature":"todo"}"#,
    #"{"action":{"fetchFailed":{"message":"no such file","request":30}},"feature":"todo"}"#,
    #"{"action":{"fetchRequested":{"request":31}},"feature":"persons"}"#,
    #"{"action":{"fetchSucceeded":{"persons":[{"age":27,"id":1,"name":"Majid"}],"request":31}},"feature":"persons"}"#,
    #"{"action":{"loadRequested":{"request":32}},"feature":"landmarks"}"#,
    #"{"action":{"loadSucceeded":{"landmarks":[{"category":"Rocks","id":1,"is_favorite":true,"is_featured":false,"latitude":34.011,"longitude":-116.167,"name":"Turtle Rock","park":"Joshua Tree","state":"California"}],"request":32}},"feature":"landmarks"}"#,
    #"{"action":{"loadRequested":{"request":33,"source":"a.json"}},"feature":"landmarks"}"#,
    #"{"action":{"loadFailed":{"message":"no such file","request":33}},"feature":"landmarks"}"#,
    #"{"action":{"nthPrimeRequested":{"request":34,"source":"wolfram"}},"feature":"counter"}"#,
    #"{"action":{"nthPrimeFailed":{"request":34}},"feature":"counter"}"#,
    #"{"travel":14}"#,
  ]

  private static let turtleRock = Landmark(
    id: 1, name: "Turtle Rock", park: "Joshua Tree", state: "California", category: "Rocks",
    latitude: 34.011, longitude: -116.167, isFavorite: true)

  /// The actions of the entries.
  private static let actions: [StoreAction] = [
    .counter(.set(count: 17)),
    .asked(Counter.askNthPrime, NthPrimeQuestion(source: .local), number: 28),
    .answered(Counter.askNthPrime, NthPrime(ordinal: 17, prime: 59), number: 28),
    .todo(.add(id: 1, text: "milk")),
    .asked(Todo.fetch, Source("todos.json"), number: 29),
    .answered(Todo.fetch, [Todo.Item(id: 2, text: "tea", done: true)], number: 29),
    .asked(Todo.fetch, Source("missing.json"), number: 30),
    .failed(Todo.fetch, "no such file", number: 30),
    .asked(Persons.fetch, Source(), number: 31),
    .answered(Persons.fetch, [Persons.Person(id: 1, name: "Majid", age: 27)], number: 31),
    .asked(Landmarks.load, Source(), number: 32),
    .answered(Landmarks.load, [turtleRock], number: 32),
    .asked(Landmarks.load, Source("a.json"), number: 33),
    .failed(Landmarks.load, "no such file", number: 33),
    .asked(Counter.askNthPrime, NthPrimeQuestion(source: .wolfram), number: 34),
    .failed(Counter.askNthPrime, "", number: 34),
  ]

  /// A state as that version stored it: a fetch failed, another one and a question are pending.
  private static let state = #"""
    {"features": {
      "counter": {"count": 17, "isModalOpen": true, "pendingRequest": 5,
        "alert": {"title": "The 17th prime is 59"}},
      "favorites": {"primes": [17]},
      "todo": {"items": [{"id": 2, "text": "tea", "done": true}], "query": "t", "lastQuery": "milk",
        "error": "no such file", "lastID": 4},
      "landmarks": {"all": [], "showFavoritesOnly": true, "pendingRequest": 6},
      "persons": {"list": [{"id": 1, "name": "Majid", "age": 27}], "error": "no such file",
        "pendingRequest": 7, "lastID": 3}
    }}
    """#

  private let coding = JournalCoding(App.schema, of: App.program.name)

  /// Opens a session of some entries.
  private func open(_ entries: [String]) throws -> JournaledSession {
    let journal = InMemoryJournal()
    let entries = try entries.enumerated().map { index, text in
      JournalEntry(
        try coding.event(from: text, number: index + 1), count: 1,
        time: Date(timeIntervalSince1970: 1e9), writer: UUID())
    }
    _ = try journal.append(JournalBatch(entries: entries, changes: []), expecting: 0)
    return try JournaledSession(App.schema, in: journal)
  }

  @Test("opens with all of its history")
  func history() throws {
    let session = try open(Self.entries)
    #expect(session.store.position == 14)
    #expect(session.store.reachable == 0...16)
    try session.store.redo(2)
    #expect(try session.store.history().map(\.recorded.action) == Self.actions)
  }

  @Test("has the same state after each action")
  func replayed() throws {
    let store = try open(Self.entries).store
    let again = Store()
    try store.jump(to: 0)
    for action in Self.actions {
      try store.redo()
      try again.send(action)
      #expect(store.states == again.states)
    }
    #expect(store.state(of: Counter.self).alert == nil)
    #expect(store.state(of: Todo.self).items.map(\.text) == ["tea"])
    #expect(store.error(of: Todo.fetch) == "no such file")
    #expect(store.state(of: Persons.self).list.map(\.name) == ["Majid"])
    #expect(Array(store.state(of: Landmarks.self).all) == [Self.turtleRock])
  }

  @Test("can end a request whose process ended before the answer came")
  func pending() throws {
    let store = try open(Array(Self.entries.prefix(9))).store
    #expect(store.isPending(Persons.fetch))
    for action in App.schema.recoveries(of: store.states, because: RequestFailure.processEnded) {
      try store.send(action)
    }
    #expect(!store.isPending(Persons.fetch))
    #expect(store.error(of: Persons.fetch) == RequestFailure.processEnded)
  }

  @Test("has the same stored states, except for requests")
  func storedState() throws {
    let states = try StateCoding.decoder(for: App.schema).decode(
      States.self, from: Data(Self.state.utf8))
    #expect(states.counter.count == 17)
    #expect(states.counter.alert?.title == "The 17th prime is 59")
    #expect(states.primeCard?.isFavorite == true)
    #expect(Array(states.todo.items) == [Todo.Item(id: 2, text: "tea", done: true)])
    #expect(states.todo.query == "t")
    #expect(states.todo.lastQuery == "milk")
    #expect(states.landmarks.showFavoritesOnly)
    #expect(Array(states.persons.list) == [Persons.Person(id: 1, name: "Majid", age: 27)])
    #expect(states.error(of: Todo.fetch) == nil)
    #expect(App.schema.recoveries(of: states, because: "").isEmpty)
  }
}
