import Testing

@testable import Domain
@testable import StateStore

@Suite("The differences between two states")
struct StateDifferenceTests {
  private let store = Store()

  /// What actions change, as "path: old -> new" in JSON.
  private func changes(_ actions: StoreAction...) throws -> [String] {
    try changes { for action in actions { try store.send(action) } }
  }

  private func changes(_ body: () throws -> Void) throws -> [String] {
    let old = store.states
    try body()
    return store.schema.differences(from: old, to: store.states).map { difference in
      "\(difference.path): \(difference.old?.json ?? "-") -> \(difference.new?.json ?? "-")"
    }
  }

  private func send(_ actions: StoreAction...) throws {
    for action in actions { try store.send(action) }
  }

  // MARK: - Values

  @Test("name a value by the path of its field")
  func value() throws {
    #expect(try changes(.counter(.set(count: 7))) == ["counter.count: 0 -> 7"])
  }

  @Test("are none if nothing changed, even if actions were done")
  func nothing() throws {
    #expect(
      try changes(.counter(.increment(by: 1)), .counter(.decrement(by: 1)), .todo(.set(query: "")))
        .isEmpty)
  }

  @Test("are a whole record that appears or disappears")
  func wholeRecord() throws {
    let card =
      #"{"number":0,"is_prime":false,"text":"0 is not prime :(","is_favorite":false,"button":null}"#
    #expect(try changes(.counter(.askIsPrime)) == ["counter.modal: - -> \(card)"])
    #expect(try changes(.counter(.dismissModal)) == ["counter.modal: \(card) -> -"])
  }

  @Test("are the members of a record that changed")
  func members() throws {
    try send(.counter(.set(count: 7)), .counter(.askIsPrime))
    #expect(
      try changes(.favorites(.add(number: 7))) == [
        "counter.modal.is_favorite: false -> true",
        #"counter.modal.button: "Save to favorite primes" -> "Remove from favorite primes""#,
        "favorites[1]: - -> 7",
      ])
  }

  @Test("name the elements of a list in a value, like those of a list of records")
  func valueLists() throws {
    #expect(
      try changes(.signUp(.edit([.topics([.testing, .concurrency])]))) == [
        #"signup.data.topics[1]: - -> "Testing""#, #"signup.data.topics[2]: - -> "Concurrency""#,
      ])
    #expect(
      try changes(.signUp(.edit([.topics([.concurrency])]))) == [
        #"signup.data.topics.removed: - -> ["Testing"]"#
      ])
  }

  @Test("tell that a secret changed, and show bullets")
  func secrets() throws {
    try send(.signUp(.edit([.password(Secret("one"))])))
    let old = store.states
    try send(.signUp(.edit([.password(Secret("two"))])))
    let differences = store.schema.differences(from: old, to: store.states)
    #expect(differences.map(\.path) == ["signup.data.password"])
    #expect(differences[0].new == .secret(Secret("two")))
    #expect(!"\(differences)".contains("two"))
  }

  // MARK: - Lists

  @Test("name an inserted record by its position, and no record that only moved up")
  func insertion() throws {
    try send(.todo(.add(id: 1, text: "milk")), .todo(.add(id: 2, text: "bread")))
    #expect(
      try changes(.todo(.add(id: 3, text: "tea"))) == [
        #"todo.items[1]: - -> {"id":3,"text":"tea","done":false}"#,
        #"todo.last_query: "bread" -> "tea""#,
      ])
  }

  @Test("name the changed members of a record by its position in the new list")
  func changedRecord() throws {
    try send(.todo(.add(id: 1, text: "milk")), .todo(.add(id: 2, text: "bread")))
    #expect(
      try changes(.todo(.add(id: 3, text: "bread")), .todo(.complete(id: 1))) == [
        #"todo.items[1]: - -> {"id":3,"text":"bread","done":false}"#,
        "todo.items[3].done: false -> true",
      ])
  }

  @Test("list the removed records in their old order")
  func removal() throws {
    try send(
      .persons(.add(.init(id: 1, name: "Ann", age: 1))),
      .persons(.add(.init(id: 2, name: "Bob", age: 2))),
      .persons(.add(.init(id: 3, name: "Cy", age: 3))))
    #expect(
      try changes(
        .persons(.remove(id: 2)), .persons(.edit(id: 3, name: nil, age: 4)),
        .persons(.remove(id: 1))) == [
          "persons[1].age: 3 -> 4",
          #"persons.removed: - -> [{"id":1,"name":"Ann","age":1},{"id":2,"name":"Bob","age":2}]"#,
        ])
    try send(
      .todo(.add(id: 1, text: "a")), .todo(.add(id: 2, text: "b")), .todo(.add(id: 3, text: "c")))
    #expect(
      try changes(.todo(.remove(id: 1)), .todo(.remove(id: 3))) == [
        #"todo.items.removed: - -> [{"id":3,"text":"c","done":false},{"id":1,"text":"a","done":false}]"#
      ])
  }

  @Test("put a removed record back where it was")
  func undo() throws {
    try send(.favorites(.add(number: 2)), .favorites(.add(number: 3)), .favorites(.add(number: 5)))
    try send(.favorites(.remove(number: 3)))
    #expect(try changes { try store.undo() } == ["favorites[2]: - -> 3"])
  }

  @Test("match the records of a list that was replaced by their ids")
  func replaced() throws {
    func person(_ id: Int, _ age: Int) -> Persons.Person { .init(id: id, name: "p", age: age) }
    try send(.persons(.add(person(1, 1))), .persons(.add(person(2, 2))))
    try send(.persons(.fetchRequested(request: 1)))
    #expect(
      try changes(.persons(.fetchSucceeded(request: 1, persons: [person(2, 3), person(4, 4)]))) == [
        "persons[1].age: 2 -> 3",
        #"persons[2]: - -> {"id":4,"name":"p","age":4}"#,
        #"persons.removed: - -> [{"id":1,"name":"p","age":1}]"#,
        "persons.loading: true -> false",
      ])
    #expect(try changes(.reset).count == 1)
    #expect(store.read(Persons.self) { $0.list.isEmpty })
  }

  @Test("are the whole list if its elements changed their order, whether edited or replaced")
  func order() throws {
    try send(.favorites(.add(number: 2)), .favorites(.add(number: 3)))
    #expect(
      try changes(.favorites(.toggle(number: 2)), .favorites(.toggle(number: 2))) == [
        "favorites: [2,3] -> [3,2]"
      ])
    #expect(
      try changes(.signUp(.edit([.topics([.testing, .concurrency])]))).count == 2)
    #expect(
      try changes(.signUp(.edit([.topics([.concurrency, .testing])]))) == [
        #"signup.data.topics: ["Testing","Concurrency"] -> ["Concurrency","Testing"]"#
      ])
  }

  @Test("are none for a record that was removed and added again at the end, as it was")
  func addedAgain() throws {
    try send(.favorites(.add(number: 2)), .favorites(.add(number: 3)))
    #expect(
      try changes(.favorites(.remove(number: 3)), .favorites(.add(number: 3))).isEmpty)
  }

  @Test("tell of another record that was added in the place of one that was undone")
  func otherPast() throws {
    try send(.favorites(.add(number: 2)), .favorites(.add(number: 3)))
    #expect(
      try changes {
        try store.undo()
        try store.send(.favorites(.add(number: 5)))
      } == ["favorites[2]: - -> 5", "favorites.removed: - -> [3]"])
  }

  @Test("are found quickly in a long list")
  func longList() throws {
    try send(.persons(.fetchRequested(request: 1)))
    let persons = (1...200_000).map { Persons.Person(id: $0, name: "p", age: 1) }
    try send(.persons(.fetchSucceeded(request: 1, persons: persons)))
    for id in 1...1000 {
      #expect(try changes(.persons(.edit(id: id, name: nil, age: 2))).count == 1)
    }
  }
}
