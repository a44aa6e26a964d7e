public import StateStore
import Platform

/// What people can do with the list of persons.
public struct PersonsLogic {
  private let store: Store
  private let services: Services

  /// Makes the operations on a store's list.
  public init(store: Store, services: Services) {
    self.store = store
    self.services = services
  }

  /// Adds a person after the others.
  ///
  /// - Returns: The person.
  /// - Throws: `PersonsError.emptyName` or `PersonsError.ageOutOfRange`.
  @discardableResult
  public func add(name: String, age: Int) throws -> Persons.Person {
    // Checked before an id is used, which would then be missing from the sequence.
    try Persons.check(name: name, age: age)
    let person = Persons.Person(id: freshID(), name: name, age: age)
    try store.send(.add(person), to: Persons.self)
    return person
  }

  /// Changes a person in one action, or sends none if nothing would change.
  ///
  /// - Parameters:
  ///   - id: The person's id.
  ///   - name: The new name, or nil to keep the old one.
  ///   - age: The new age, or nil to keep the old one.
  /// - Throws: `PersonsError`; nothing has changed then.
  public func edit(_ id: Int, name: String? = nil, age: Int? = nil) throws {
    guard let person = store.read(Persons.self, { $0.list[id: id] }) else {
      throw PersonsError.notFound(id: id)
    }
    let newName = name.flatMap { $0.isExactly(person.name) ? nil : $0 }
    let newAge = age == person.age ? nil : age
    guard newName != nil || newAge != nil else { return }
    try store.send(.edit(id: id, name: newName, age: newAge), to: Persons.self)
  }

  /// Replaces the persons with those of a source, with new ids.
  ///
  /// Of overlapping fetches, the latest decides what the state shows.
  ///
  /// - Parameter source: A path or an address of a JSON array of objects with `name` and `age`; nil
  ///   for the built-in source.
  /// - Throws: The source's error or `CancellationError`; the persons are then unchanged, and the state says why.
  public func fetch(from source: String? = nil) async throws {
    let request = Request<Persons, [Persons.SourceRecord]>(
      pending: \.pendingRequest,
      requested: { .fetchRequested(request: $0, source: RecordSource.shown(source)) },
      succeeded: {
        .fetchSucceeded(
          request: $0,
          persons: $1.map { Persons.Person(id: freshID(), name: $0.name, age: $0.age) })
      },
      failed: { .fetchFailed(request: $0, message: $1) })
    try await request.send(services.identifiers.next(.request), to: store) {
      try await services.stubs.answer(
        to: "persons.fetch", with: [.optional(source)], isLocal: RecordSource.isLocal(source)
      ) {
        try await load(source)
      }
    }
  }

  private func load(_ source: String?) async throws -> [Persons.SourceRecord] {
    guard let source else {
      return [("Majid", 27), ("John", 31), ("Fred", 25)].map(Persons.SourceRecord.init)
    }
    try Threads.check()
    return try await services.sources.records(of: Persons.SourceRecord.self, from: source)
  }

  private func freshID() -> Int {
    services.identifiers.next(
      .person, after: store.state(of: Persons.self).lastID,
      unless: { store.state(of: Persons.self).list.contains(id: $0) })
  }
}

extension IdentifierKind {
  package static let person = IdentifierKind("person")
}
