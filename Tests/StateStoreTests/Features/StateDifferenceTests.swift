import SampleFeatures
import Synchronization
import Testing

@testable import StateStore

@Suite("The differences between two states")
struct StateDifferenceTests {
  private let store = Store()

  /// The changes by actions, each as "path: old -> new" in JSON.
  private func changes(_ actions: StoreAction...) throws -> [String] {
    let old = store.states
    for action in actions { try store.send(action) }
    return store.schema.differences(from: old, to: store.states).map { difference in
      "\(difference.path): \(difference.old?.json ?? "-") -> \(difference.new?.json ?? "-")"
    }
  }

  // MARK: - Values

  @Test("compute nothing of features that are the same")
  func untouchedFeatures() throws {
    let count = Atomic(0)
    let derived = DerivedField("counter.computed", of: Counter.self) { _ in
      count.add(1, ordering: .relaxed).newValue
    }
    let store = Store(try StoreSchema(features: [Counter.self, Notes.self], derived: [derived]))
    let old = store.states
    try store.send(store.schema.action(.set(query: "x"), of: Notes.self))
    let paths = ["notes.query", "notes.filtering"]
    #expect(store.schema.differences(from: old, to: store.states).map(\.path) == paths)
    #expect(store.changes(since: old).map(\.path) == paths)
    #expect(count.load(ordering: .relaxed) == 0)
  }

  @Test("have a record that appears or disappears as a whole")
  func wholeRecord() throws {
    let card =
      #"{"number":0,"is_listed":false,"text":"0 is new"}"#
    #expect(try changes(.counter(.openCard)) == ["counter.card: - -> \(card)"])
    #expect(try changes(.counter(.closeCard)) == ["counter.card: \(card) -> -"])
  }

  @Test("name the changed members of a record")
  func members() throws {
    try store.send(.counter(.set(count: 7)), .counter(.openCard))
    #expect(
      try changes(.numbers(.add(number: 7))) == [
        "counter.card.is_listed: false -> true",
        #"counter.card.text: "7 is new" -> "7 is listed""#,
        "numbers[1]: - -> 7",
      ])
  }

  @Test("name the elements of a list in a value as they do records")
  func valueLists() throws {
    #expect(
      try changes(.account(.edit(.init(topics: [.testing, .concurrency])))) == [
        #"account.profile.topics[1]: - -> "Testing""#,
        #"account.profile.topics[2]: - -> "Concurrency""#,
      ])
    #expect(
      try changes(.account(.edit(.init(topics: [.concurrency])))) == [
        #"account.profile.topics.removed: - -> ["Testing"]"#
      ])
  }

  @Test("include changed secrets, shown as bullets")
  func secrets() throws {
    try store.send(.account(.edit(.init(password: Secret("one")))))
    let old = store.states
    try store.send(.account(.edit(.init(password: Secret("two")))))
    let differences = store.schema.differences(from: old, to: store.states)
    #expect(differences.map(\.path) == ["account.profile.password"])
    #expect(differences[0].new == .secret(Secret("two")))
    #expect(!"\(differences)".contains("two"))
  }

  // MARK: - Lists

  @Test("name an inserted record by its position, and omit records that only moved")
  func insertion() throws {
    try store.send(.notes(.add(id: 1, text: "milk")), .notes(.add(id: 2, text: "bread")))
    #expect(
      try changes(.notes(.add(id: 3, text: "tea"))) == [
        #"notes.items[1]: - -> {"id":3,"text":"tea","done":false}"#,
        #"notes.last_text: "bread" -> "tea""#,
      ])
  }

  @Test("name the changed members of a list's record by its position in the new list")
  func changedRecord() throws {
    try store.send(.notes(.add(id: 1, text: "milk")), .notes(.add(id: 2, text: "bread")))
    #expect(
      try changes(.notes(.add(id: 3, text: "bread")), .notes(.finish(id: 1))) == [
        #"notes.items[1]: - -> {"id":3,"text":"bread","done":false}"#,
        "notes.items[3].done: false -> true",
      ])
  }

  @Test("list the removed records in their old order")
  func removal() throws {
    try store.send(
      .people(.add(.init(id: 1, name: "Ann", age: 1))),
      .people(.add(.init(id: 2, name: "Bob", age: 2))),
      .people(.add(.init(id: 3, name: "Cy", age: 3))))
    #expect(
      try changes(
        .people(.remove(id: 2)), .people(.setAge(id: 3, age: 4)),
        .people(.remove(id: 1))) == [
          "people[1].age: 3 -> 4",
          #"people.removed: - -> [{"id":1,"name":"Ann","age":1},{"id":2,"name":"Bob","age":2}]"#,
        ])
    try store.send(
      .notes(.add(id: 1, text: "a")), .notes(.add(id: 2, text: "b")), .notes(.add(id: 3, text: "c"))
    )
    #expect(
      try changes(.notes(.remove(id: 1)), .notes(.remove(id: 3))) == [
        #"notes.items.removed: - -> [{"id":3,"text":"c","done":false},{"id":1,"text":"a","done":false}]"#
      ])
  }

  @Test("match the records of a replaced list by their ids")
  func replaced() throws {
    func person(_ id: Int, _ age: Int) -> People.Person { .init(id: id, name: "p", age: age) }
    try store.send(.people(.add(person(1, 1))), .people(.add(person(2, 2))))
    try store.send(.step(of: People.fetch, 1, .asked("")))
    #expect(
      try changes(.step(of: People.fetch, 1, .answered([person(2, 3), person(4, 4)]))) == [
        "people[1].age: 2 -> 3",
        #"people[2]: - -> {"id":4,"name":"p","age":4}"#,
        #"people.removed: - -> [{"id":1,"name":"p","age":1}]"#,
        "people.loading: true -> false",
      ])
    #expect(try changes(.reset).count == 1)
    #expect(store.read(People.self) { $0.list.isEmpty })
  }

  @Test("have the whole list if its elements changed their order, whether edited or replaced")
  func order() throws {
    try store.send(.numbers(.add(number: 2)), .numbers(.add(number: 3)))
    #expect(
      try changes(.numbers(.toggle(number: 2)), .numbers(.toggle(number: 2))) == [
        "numbers: [2,3] -> [3,2]"
      ])
    #expect(
      try changes(.account(.edit(.init(topics: [.testing, .concurrency])))).count == 2)
    #expect(
      try changes(.account(.edit(.init(topics: [.concurrency, .testing])))) == [
        #"account.profile.topics: ["Testing","Concurrency"] -> ["Concurrency","Testing"]"#
      ])
  }

  @Test("are found in a long list as fast as in a short one")
  func longList() throws {
    func store(count: Int) throws -> Store {
      let store = Store()
      try store.send(.step(of: People.fetch, 1, .asked("")))
      let people = (1...count).map { People.Person(id: $0, name: "p", age: 1) }
      try store.send(.step(of: People.fetch, 1, .answered(people)))
      return store
    }
    try expectSameCost(few: store(count: 2_000), many: store(count: 200_000)) { store, index in
      let old = store.states
      try store.send(.setAge(id: index + 1, age: 2), to: People.self)
      #expect(store.schema.differences(from: old, to: store.states).count == 1)
    }
  }
}
