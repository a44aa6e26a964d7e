import Lua
public import PrimereplDomain
public import Scripting
import StateStore

extension Persons: ScriptableFeature {
  /// The module's purpose.
  public static let help = "Persons: fetch, list, edit."

  /// Only its requests use services.
  public static let functionsUseServices = false

  /// Adds the functions that change the persons and fetch them.
  public static func describe(_ module: FeatureModule<Persons>) {
    let (store, records) = (module.store, module.records(\.list))
    module.function(
      "add", "person", help: "Adds a person after the others, and returns them.",
      example: "local ann = persons.add{name = \"Ann\", age = 30}"
    ) { (person: NewPerson) in
      try module.add(to: records) { .add(Person(id: $0, name: person.name, age: person.age)) }
    }
    module.function(
      "get", "id",
      help: "The person with an id: id, name and age; assign name or age to edit them.",
      example: "persons.get(2).name = \"Jane\""
    ) { (id: Int) in try records.existing(id) }
    module.function(
      "edit", "id", "person", help: "Changes several fields of a person at once.",
      example: "persons.edit(2, {name = \"Jane\", age = 28})"
    ) { (id: Int, changes: PersonChanges) in
      let edit = try store.read(Persons.self) {
        try $0.edit(id, name: changes.name, age: changes.age)
      }
      if let edit { try store.send(edit, to: Persons.self) }
    }
    module.action("remove", "id", help: "Removes a person.", example: "persons.remove(2)") {
      (id: Int) in .remove(id: id)
    }
    module.request(
      fetch, "source",
      help: "Replaces the persons with those of the built-in source, or of a JSON file or URL.",
      example: "persons.fetch(\"persons.json\")"
    ) { (source: String?) in Source(source) }
  }
}

extension Persons.Person: ScriptableRecord {
  /// The record as `tostring` shows it.
  public var luaText: String { "person \(id): \(name), \(age)" }
}

private struct NewPerson: LuaOptions {
  var name = ""
  var age = 0

  static let options: [LuaOption<NewPerson>] = [
    .required("name", \.name), .required("age", \.age),
  ]
}

/// The changes of an edit; nil leaves a field as it is.
private struct PersonChanges: LuaOptions {
  var name: String?
  var age: Int?

  static let options: [LuaOption<PersonChanges>] = [
    .option("name", \.name), .option("age", \.age),
  ]
}
