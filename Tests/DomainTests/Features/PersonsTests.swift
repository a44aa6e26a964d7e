import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Persons")
struct PersonsTests {
  let store = Store()

  private var list: [Persons.Person] { Array(store.state(of: Persons.self).list) }

  /// Counts the actions that are sent while a closure runs, by the paths that they change.
  private func changes(_ body: () throws -> Void) throws -> Int {
    var count = 0
    let subscription = try store.observe("persons") { _ in count += 1 }
    defer { subscription.cancel() }
    try body()
    return count
  }

  @Test("adding puts the person last, with an id that counts from 1, and returns them")
  func adds() throws {
    let ann = try store.addPerson(name: "Ann", age: 30)
    try store.addPerson(name: "Bob", age: 0)
    #expect(list.map(\.name) == ["Ann", "Bob"])
    #expect(list.map(\.id) == [1, 2])
    #expect(ann == list[0])
  }

  @Test(
    "an empty or blank name is refused, and nothing changes", arguments: ["", "  ", "\n\t\u{A0}"])
  func refusesBlankNames(name: String) throws {
    let ann = try store.addPerson(name: "Ann", age: 30)
    let before = store.states
    #expect(code { try store.addPerson(name: name, age: 1) } == "empty_name")
    #expect(code { try store.editPerson(ann.id, name: name, age: 31) } == "empty_name")
    #expect(store.states == before)
  }

  @Test(
    "an age that isn't from 0 to 150 is refused, and nothing changes",
    arguments: [-1, 151, Int.min, Int.max])
  func refusesAges(age: Int) throws {
    let ann = try store.addPerson(name: "Ann", age: 30)
    let before = store.states
    #expect(code { try store.addPerson(name: "Bob", age: age) } == "age_out_of_range")
    #expect(code { try store.editPerson(ann.id, name: "Anna", age: age) } == "age_out_of_range")
    #expect(store.states == before)
  }

  @Test("the ages 0 and 150 are accepted")
  func acceptsAges() throws {
    try store.addPerson(name: "Ann", age: 0)
    try store.editPerson(1, age: 150)
    #expect(list.map(\.age) == [150])
  }

  @Test("an id isn't used up by a person who is refused")
  func refusalTakesNoID() throws {
    #expect(code { try store.addPerson(name: "", age: 1) } == "empty_name")
    #expect(try store.addPerson(name: "Ann", age: 1).id == 1)
  }

  @Test("several fields are edited in one action")
  func edits() throws {
    try store.addPerson(name: "Ann", age: 30)
    try store.addPerson(name: "Bob", age: 40)
    #expect(try changes { try store.editPerson(1, name: "Anna", age: 31) } == 1)
    #expect(list[0] == Persons.Person(id: 1, name: "Anna", age: 31))
    #expect(list[1] == Persons.Person(id: 2, name: "Bob", age: 40))
  }

  @Test("omitted fields keep their values")
  func editsPartly() throws {
    try store.addPerson(name: "Ann", age: 30)
    try store.editPerson(1, age: 31)
    #expect(list == [Persons.Person(id: 1, name: "Ann", age: 31)])
    try store.editPerson(1, name: "Anna")
    #expect(list == [Persons.Person(id: 1, name: "Anna", age: 31)])
  }

  @Test("removing takes that person only")
  func removes() throws {
    for name in ["Ann", "Bob", "Cid"] { try store.addPerson(name: name, age: 1) }
    try store.send(.remove(id: 2), to: Persons.self)
    #expect(list.map(\.name) == ["Ann", "Cid"])
  }

  @Test("an unknown id is not found, and nothing changes", arguments: [2, 0, -1, Int.min, Int.max])
  func refusesUnknownIDs(id: Int) throws {
    try store.addPerson(name: "Ann", age: 30)
    let before = store.states
    #expect(code { try store.editPerson(id, name: "Bob") } == "not_found")
    #expect(code { try store.editPerson(id) } == "not_found")
    #expect(code { try store.send(.remove(id: id), to: Persons.self) } == "not_found")
    #expect(
      code { try store.send(.edit(id: id, name: nil, age: nil), to: Persons.self) } == "not_found")
    #expect(store.states == before)
  }

  @Test("an edit sends only changed parts, and nothing if there are none")
  func editSendsChanges() throws {
    try store.addPerson(name: "Ann", age: 30)
    var actions: [StoreAction] = []
    store.observeActions { actions.append($0.action) }
    try store.editPerson(1, name: "Anna")
    try store.editPerson(1, name: "Anna", age: 30)
    try store.editPerson(1, name: "Anna", age: 31)
    try store.editPerson(1, name: "Ann", age: 32)
    #expect(
      actions == [
        .persons(.edit(id: 1, name: "Anna", age: nil)),
        .persons(.edit(id: 1, name: nil, age: 31)),
        .persons(.edit(id: 1, name: "Ann", age: 32)),
      ])
  }

  @Test("a name is replaced by one of other bytes, though the letters are the same")
  func composedNames() throws {
    try store.addPerson(name: "Ren\u{E9}", age: 30)
    var reports = 0
    for path in ["persons", "persons[1].name"] { try store.observe(path) { _ in reports += 1 } }
    try store.editPerson(1, name: "Rene\u{301}")
    #expect(Array(list[0].name.utf8) == Array("Rene\u{301}".utf8))
    #expect(reports == 2)
  }

  @Test("invalid fetched persons are refused, and the list stays")
  func refusesFetched() throws {
    try store.addPerson(name: "Ann", age: 30)
    try store.send(.asked(Persons.fetch, Source(), number: 9))
    let before = store.states
    for person in [
      Persons.Person(id: 5, name: " ", age: 1), Persons.Person(id: 5, name: "Bob", age: 200),
    ] {
      #expect(throws: PersonsError.self) {
        try store.send(.answered(Persons.fetch, [person], number: 9))
      }
    }
    #expect(store.states == before)
  }
}
