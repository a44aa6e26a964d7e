@testable import PrimereplDomain
@testable import StateStore

extension Store {
  /// Replaces the store's landmarks, as loading them does.
  func load(_ landmarks: [Landmark]) throws {
    try send(.asked(Landmarks.load, Source(), number: 1))
    try send(.answered(Landmarks.load, landmarks, number: 1))
  }

  /// Adds an item, as `todo.add` does.
  @discardableResult
  func addItem(_ text: String) throws -> Todo.Item {
    let id = try send(to: Todo.self, withNewID: { .add(id: $0, text: text) })
    return Todo.Item(id: id, text: text)
  }

  /// Adds a person, as `persons.add` does.
  @discardableResult
  func addPerson(name: String, age: Int) throws -> Persons.Person {
    let id = try send(
      to: Persons.self, withNewID: { .add(Persons.Person(id: $0, name: name, age: age)) })
    return Persons.Person(id: id, name: name, age: age)
  }

  /// Changes a person, as `persons.edit` does.
  func editPerson(_ id: Int, name: String? = nil, age: Int? = nil) throws {
    if let edit = try state(of: Persons.self).edit(id, name: name, age: age) {
      try send(edit, to: Persons.self)
    }
  }

  /// Asks for the prime whose ordinal is the count, as `counter.ask_nth_prime` does.
  @discardableResult
  func askNthPrime(
    from source: NthPrimeSource = .local, in services: ServiceContext<Services>
  ) async throws -> Int {
    try await ask(Counter.askNthPrime, NthPrimeQuestion(source: source), in: services).prime
  }
}
