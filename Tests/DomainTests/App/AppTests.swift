import Foundation
import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("App")
struct AppTests {
  private let store = Store()

  /// Gives every part of the state a value.
  private func fill() throws {
    try store.send(.set(count: 17), to: Counter.self)
    try store.send(.askIsPrime, to: Counter.self)
    try store.send(.asked(Counter.askNthPrime, NthPrimeQuestion(), number: 1))
    try store.send(
      .answered(Counter.askNthPrime, NthPrime(ordinal: 17, prime: 59), number: 1))
    try store.send(store.cardButtonAction, to: FavoritePrimes.self)
    try store.addItem("milk")
    try store.send(.complete(id: try store.addItem("bread").id), to: Todo.self)
    try store.send(.set(query: "br"), to: Todo.self)
    try store.send(.asked(Todo.fetch, Source(), number: 2))
    try store.send(.failed(Todo.fetch, "It broke.", number: 2))
    try store.send(.asked(Todo.fetch, Source(), number: 3))
    try store.load([Self.denali])
    try store.send(.setShowFavoritesOnly(true), to: Landmarks.self)
    try store.send(.select(id: 7), to: Landmarks.self)
    try store.addPerson(name: "Ann", age: 30)
    try store.send(.asked(Persons.fetch, Source(), number: 4))
    try store.send(.failed(Persons.fetch, "It broke.", number: 4))
    // Without passwords, which wouldn't survive encoding.
    let data = SignUp.data(in: store)
    try data[\.email].set("jane@example.com")
    try data[\.topics].set([.testing])
    for _ in SignUp.Step.allCases { try store.send(.next, to: SignUp.self) }
    try store.send(store.state(of: SignUp.self).submission, to: SignUp.self)
    try store.send(.openSheet(.topics), to: SignUp.self)
  }

  private static let denali = Landmark(
    id: 7, name: "Denali", park: "Denali National Park", state: "Alaska", category: "Mountains",
    latitude: 63.069, longitude: -151.007, isFavorite: true)

  @Test("the fields have these paths")
  func paths() {
    #expect(
      App.schema.fields.map(\.path) == [
        "counter.count", "counter.loading", "counter.alert", "counter.modal", "favorites",
        "todo.items", "todo.query", "todo.loading", "todo.error", "todo.last_query",
        "landmarks.all", "landmarks.show_favorites_only", "landmarks.selected",
        "persons", "persons.loading", "persons.error",
        "signup.path", "signup.step", "signup.data", "signup.sheet", "signup.alert",
        "signup.submitted",
      ])
  }

  @Test("the first snapshot shows the initial state")
  func firstSnapshot() {
    #expect(
      States().snapshot == [
        "counter": [
          "count": .integer(0), "loading": .boolean(false), "alert": .none, "modal": .none,
        ],
        "favorites": .list([]),
        "todo": [
          "items": .list([]), "query": .text(""), "loading": .boolean(false), "error": .none,
          "last_query": .none,
        ],
        "landmarks": [
          "all": .list([]), "show_favorites_only": .boolean(false), "selected": .none,
        ],
        "persons": .list(
          [],
          members: [
            .init(name: "loading", value: .boolean(false)), .init(name: "error", value: .none),
          ]),
        "signup": [
          "path": .list([]), "step": .none,
          "data": [
            "email": .text(""), "password": .secret(.empty),
            "password_confirmation": .secret(.empty),
            "first_name": .text(""), "last_name": .text(""), "phone_number": .text(""),
            "topics": .list([]),
          ],
          "sheet": .none, "alert": .none, "submitted": .boolean(false),
        ],
      ])
  }

  @Test("a snapshot shows all of the state")
  func snapshot() throws {
    try fill()
    #expect(
      store.snapshot == [
        "counter": [
          "count": .integer(17), "loading": .boolean(false),
          "alert": ["title": .text("The 17th prime is 59")],
          "modal": [
            "number": .integer(17), "is_prime": .boolean(true), "text": .text("17 is prime 🎉"),
            "is_favorite": .boolean(true), "button": .text("Remove from favorite primes"),
          ],
        ],
        "favorites": .list([.integer(17)]),
        "todo": [
          "items": .list([
            ["id": .integer(2), "text": .text("bread"), "done": .boolean(true)],
            ["id": .integer(1), "text": .text("milk"), "done": .boolean(false)],
          ]),
          "query": .text("br"), "loading": .boolean(true), "error": .none,
          "last_query": .text("bread"),
        ],
        "landmarks": [
          "all": .list([
            [
              "id": .integer(7), "name": .text("Denali"), "park": .text("Denali National Park"),
              "state": .text("Alaska"), "category": .text("Mountains"),
              "latitude": .number(63.069), "longitude": .number(-151.007),
              "is_favorite": .boolean(true), "is_featured": .boolean(false),
            ]
          ]),
          "show_favorites_only": .boolean(true), "selected": .integer(7),
        ],
        "persons": .list(
          [["id": .integer(1), "name": .text("Ann"), "age": .integer(30)]],
          members: [
            .init(name: "loading", value: .boolean(false)),
            .init(name: "error", value: .text("It broke.")),
          ]),
        "signup": [
          "path": .list([
            .text("basics"), .text("personal_info"), .text("topics"), .text("summary"),
          ]),
          "step": .text("summary"),
          "data": [
            "email": .text("jane@example.com"), "password": .secret(.empty),
            "password_confirmation": .secret(.empty), "first_name": .text(""),
            "last_name": .text(""),
            "phone_number": .text(""), "topics": .list([.text("Testing")]),
          ],
          "sheet": .text("topics"),
          "alert": [
            "title": .text("Please choose a password."),
            "problems": .list([.text("no_password")]),
          ],
          "submitted": .boolean(false),
        ],
      ])
  }

  @Test("a state survives encoding and decoding")
  func codableState() throws {
    try fill()
    let data = try JSONEncoder().encode(store.states)
    #expect(
      try StateCoding.decoder(for: App.schema).decode(States.self, from: data) == store.states)
  }

  @Test(
    "actions survive encoding and decoding",
    arguments: [
      StoreAction.counter(.increment(by: 3)), .counter(.set(count: -7)), .counter(.askIsPrime),
      .answered(Counter.askNthPrime, NthPrime(ordinal: 17, prime: 59), number: 1),
      .favorites(.toggle(number: 17)), .favorites(.removeAt(positions: [2, 0])),
      .todo(.add(id: 1, text: "milk")), .todo(.set(query: "é")),
      .answered(Todo.fetch, [Todo.Item(id: 2, text: "tea", done: true)], number: 1),
      .answered(Landmarks.load, [denali], number: 1),
      .landmarks(.setFavorite(id: 7, isFavorite: false)),
      .landmarks(.select(id: 7)), .landmarks(.deselect),
      .persons(.add(Persons.Person(id: 1, name: "Ann", age: 30))),
      .persons(.edit(id: 1, name: nil, age: 31)), .failed(Persons.fetch, "x", number: 1),
      .signUp(.next), .signUp(.edit([.firstName("Jane"), .topics([.testing])])),
      .signUp(.openSheet(.personalInfo)), .signUp(.submissionRefused([.noPassword, .noTopics])),
    ])
  func codableActions(action: StoreAction) throws {
    let data = try JSONEncoder().encode([action])
    #expect(
      try StateCoding.decoder(for: App.schema).decode([StoreAction].self, from: data) == [action])
  }

  @Test("the same actions make the same state")
  func deterministic() throws {
    let actions: [StoreAction] = [
      .counter(.set(count: 17)), .favorites(.toggle(number: 17)), .todo(.add(id: 1, text: "milk")),
      .todo(.complete(id: 1)), .counter(.askIsPrime),
    ]
    var (one, other) = (States(), States())
    for action in actions { try App.schema.reduce(&one, action) }
    for action in actions { try App.schema.reduce(&other, action) }
    #expect(one == other)
    #expect(one != States())
  }

  @Test(
    "an invalid action changes nothing",
    arguments: [
      StoreAction.counter(.increment(by: Int.max)), .favorites(.add(number: 8)),
      .favorites(.removeAt(positions: [0, 5])), .todo(.add(id: 9, text: "")),
      .todo(.add(id: 1, text: "again")), .todo(.complete(id: 99)),
      .answered(
        Todo.fetch, [Todo.Item(id: 5, text: "a"), Todo.Item(id: 5, text: "b")], number: 3),
      .landmarks(.select(id: 99)),
      .persons(.edit(id: 1, name: "Anna", age: 151)),
      .persons(.add(Persons.Person(id: 1, name: "Bob", age: 1))),
      .signUp(.next), .signUp(.edit([.email("x"), .topics([.testing, .testing])])),
    ])
  func failingAction(action: StoreAction) throws {
    try fill()
    let before = store.states
    var observed = 0
    try store.observe("") { _ in observed += 1 }
    #expect(throws: (any Error).self) { try store.send(action) }
    #expect(store.states == before)
    #expect(observed == 0)
  }
}
