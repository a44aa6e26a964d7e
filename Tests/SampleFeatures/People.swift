package import StateStore

/// A list under the feature's own name, with other fields beside it; its records and actions have earlier forms.
package enum People: Feature {
  package struct Person: EvolvingRecord, FieldRecord {
    package let id: Int
    package var name: String
    package var age: Int

    package init(id: Int, name: String, age: Int) {
      (self.id, self.name, self.age) = (id, name, age)
    }

    /// An earlier version had no ages.
    package static let initial = Person(id: 0, name: "", age: 18)
    package static let fields: [RecordField<Person>] = [
      .constant("id", \.id), .field("name", \.name), .field("age", \.age),
    ]

    package func validate() throws {
      guard (0...150).contains(age) else { throw PeopleError.ageOutOfRange(age) }
    }
  }

  package struct State: Codable, Equatable, Sendable {
    package var list = RecordList<Person>()
  }

  package enum Action: Codable, Equatable, Sendable {
    case add(Person)
    case setAge(id: Int, age: Int)
    case remove(id: Int)
  }

  package static let name = "people"
  package static var initial: State { State() }
  package static let fields: [Field<People>] = [
    .list("", \.list), .request(fetch, pending: "loading", error: "error"),
  ]

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let person):
      try person.validate()
      try state.list.append(person)
    case .setAge(let id, let age):
      try Person(id: id, name: "", age: age).validate()
      guard state.list.update(id: id, { $0.age = age }) else { throw PeopleError.notFound(id: id) }
    case .remove(let id):
      guard state.list.remove(id: id) != nil else { throw PeopleError.notFound(id: id) }
    }
  }

  /// Replaces the people by those whose names a source has.
  package static let fetch = Request<People, String, [Person]>(
    "fetch",
    ask: { context in try await context.services.names(context.question) },
    answer: { names, _, newID in names.map { Person(id: newID(), name: $0, age: 18) } },
    reply: { people in people.map(\.name) },
    done: { state, people in
      for person in people { try person.validate() }
      try state.list.replaceAll(with: people)
    })

  package typealias Services = SampleServices

  package enum ErrorCode: String, FeatureErrorCode { case ageOutOfRange, notFound }
}

extension IdentifierKind {
  package static let person = IdentifierKind("person")
}

package typealias PeopleError = FeatureError<People>

extension PeopleError {
  package static func ageOutOfRange(_ age: Int) -> Self {
    Self(.ageOutOfRange, "The age \(age) is out of range.")
  }

  package static func notFound(id: Int) -> Self { Self(.notFound, "There is no person \(id).") }
}
