import Lua
package import Scripting
package import StateStore

/// A list of live records that is the module itself, whose functions take tables.
package enum Persons: ScriptableFeature {
  package struct Person: Record, FieldRecord, ScriptableRecord {
    package let id: Int
    package var name: String
    package var age: Int

    package init(id: Int, name: String, age: Int) {
      (self.id, self.name, self.age) = (id, name, age)
    }

    package static let fields: [RecordField<Person>] = [
      .constant("id", \.id, help: "The person's id."),
      .field("name", \.name, help: "The name; assignable."),
      .field("age", \.age, help: "The age; assignable."),
    ]
    package var luaText: String { "person \(id): \(name), \(age)" }
  }

  package struct State: Codable, Equatable, Sendable {
    package var list = RecordList<Person>()
    package var motto = ""
  }

  package enum Action: Codable, Equatable, Sendable {
    case add(Person)
    case edit(id: Int, name: String?, age: Int?)
    case remove(id: Int)
  }

  package static let name = "persons"
  package static let help = "Persons: list, edit."
  package static var initial: State { State() }
  package enum ErrorCode: String, FeatureErrorCode { case notFound, ageOutOfRange }
  package static let fields: [Field<Persons>] = [
    .list(
      "", \.list, missing: { PersonsError.notFound($0) },
      .set(\.name) { .edit(id: $0, name: $1, age: nil) },
      .set(\.age) { .edit(id: $0, name: nil, age: $1) }), .value("motto", \.motto),
  ]

  package static func reduce(_ state: inout State, _ action: Action) throws {
    func check(_ age: Int?) throws {
      if let age, !(0...150).contains(age) { throw PersonsError.ageOutOfRange(age) }
    }
    switch action {
    case .add(let person):
      try check(person.age)
      try state.list.append(person)
    case .edit(let id, let name, let age):
      try check(age)
      let isThere = state.list.update(id: id) { person in
        person.name = name ?? person.name
        person.age = age ?? person.age
      }
      guard isThere else { throw PersonsError.notFound(id) }
    case .remove(let id):
      guard state.list.remove(id: id) != nil else { throw PersonsError.notFound(id) }
    }
  }

  package static func call(repeating action: Action, showing secret: (Secret) -> String) -> String?
  {
    func fields(_ name: String?, _ age: Int?) -> String {
      [name.map { "name = \($0.luaLiteral)" }, age.map { "age = \($0)" }].compactMap(\.self)
        .joined(separator: ", ")
    }
    return switch action {
    case .add(let person): "persons.add({\(fields(person.name, person.age))})"
    case .edit(let id, let name, let age): "persons.edit(\(id), {\(fields(name, age))})"
    case .remove: nil
    }
  }
}

package typealias PersonsError = FeatureError<Persons>

extension PersonsError {
  package static func notFound(_ id: Int) -> Self {
    Self(.notFound, "No person has the id \(id).")
  }

  static func ageOutOfRange(_ age: Int) -> Self {
    Self(.ageOutOfRange, "The age \(age) is out of range.")
  }
}

extension Persons {
  private struct Fields: LuaOptions {
    var name = ""
    var age = 0

    static let options: [LuaOption<Fields>] = [
      .required("name", \.name), .required("age", \.age),
    ]
  }

  private struct Changes: LuaOptions {
    var name: String?
    var age: Int?

    static let options: [LuaOption<Changes>] = [.option("name", \.name), .option("age", \.age)]
  }

  package static func describe(_ module: FeatureModule<Persons>) {
    let records = module.records(\.list)
    module.function(
      "add", "person", help: "Adds a person after the others, and returns them.",
      example: "local ann = persons.add{name = \"Ann\", age = 30}"
    ) { (person: Fields) in
      try module.add(to: records) { .add(Person(id: $0, name: person.name, age: person.age)) }
    }
    module.function(
      "get", "id", help: "The person with an id.", example: "persons.get(2).name = \"Jane\""
    ) { (id: Int) in try records.existing(id) }
    module.action(
      "edit", "id", "person", help: "Changes several fields of a person at once.",
      example: "persons.edit(2, {name = \"Jane\", age = 28})"
    ) { (id: Int, changes: Changes) in .edit(id: id, name: changes.name, age: changes.age) }
    module.action("remove", "id", help: "Removes a person.", example: "persons.remove(2)") {
      (id: Int) in .remove(id: id)
    }
  }
}

extension Persons {
  /// Lua code that adds three persons.
  package static let three = """
    persons.add { name = "Majid", age = 27 }
    persons.add { name = "John", age = 31 }
    persons.add { name = "Fred", age = 25 }
    """
}
