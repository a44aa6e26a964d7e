import Testing

@testable import PrimereplDomain
@testable import StateStore

/// What `Examples/scenarios/persons.scenario.lua` doesn't show.
@Suite("Persons")
struct PersonsTests {
  private let store = Store()

  private func add(_ name: String) throws {
    try store.send(.add(Persons.Person(id: 1, name: name, age: 30)), to: Persons.self)
  }

  /// Changes the person, as `persons.edit` does.
  private func edit(name: String, age: Int? = nil) throws {
    if let edit = try store.state(of: Persons.self).edit(1, name: name, age: age) {
      try store.send(edit, to: Persons.self)
    }
  }

  @Test("an edit sends only changed parts, and nothing if there are none")
  func editSendsChanges() throws {
    try add("Ann")
    var actions: [StoreAction] = []
    store.observeActions { actions.append($0.action) }
    try edit(name: "Anna")
    try edit(name: "Anna", age: 30)
    try edit(name: "Anna", age: 31)
    try edit(name: "Ann", age: 32)
    #expect(
      actions == [
        .persons(.edit(id: 1, name: "Anna", age: nil)),
        .persons(.edit(id: 1, name: nil, age: 31)),
        .persons(.edit(id: 1, name: "Ann", age: 32)),
      ])
  }

  @Test("a name is replaced by one of other bytes, though the letters are the same")
  func composedNames() throws {
    try add("Ren\u{E9}")
    var reports = 0
    for path in ["persons", "persons[1].name"] { try store.observe(path) { _ in reports += 1 } }
    try edit(name: "Rene\u{301}")
    #expect(Array(store.state(of: Persons.self).list[0].name.utf8) == Array("Rene\u{301}".utf8))
    #expect(reports == 2)
  }

  @Test("invalid fetched persons are refused, and the list stays")
  func refusesFetched() throws {
    try add("Ann")
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
