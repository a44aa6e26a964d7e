internal import Domain
internal import StateStore
internal import Lua

extension LuaModule {
  /// `persons`: a list of persons, as a sequence of live records.
  static func persons(store: Store, services: Services) -> LuaModule {
    let logic = PersonsLogic(store: store, services: services)
    let module = LuaModule("persons", help: "Persons: fetch, list, edit.")
    module.addPersons(of: store, logic)
    module.addPersonsFetch(of: store, logic)
    return module
  }

  private func addPersons(of store: Store, _ logic: PersonsLogic) {
    let records = LiveRecords(binding: logic.binding)
    sequence(
      count: { store.state(of: Persons.self).count },
      element: { records[store.state(of: Persons.self).id(at: $0)] })
    function(
      "add", "person", help: "Adds a person after the others, and returns them.",
      example: "local ann = persons.add{name = \"Ann\", age = 30}"
    ) { [name = "\(name).add"] (fields: PersonFields) in
      let person = try fields.all(for: name)
      return records[try logic.add(name: person.name, age: person.age).id]
    }
    function(
      "get", "id",
      help: "The person with an id: id, name and age; assign name or age to edit them.",
      example: "persons.get(2).name = \"Jane\""
    ) { (id: Int) in try records.existing(id) }
    function(
      "edit", "id", "fields", help: "Changes several fields of a person at once.",
      example: "persons.edit(2, {name = \"Jane\", age = 28})"
    ) { (id: Int, fields: PersonFields) in
      let changes = try fields.changes()
      try logic.edit(id, name: changes.name, age: changes.age)
    }
    function("remove", "id", help: "Removes a person.", example: "persons.remove(2)") {
      (id: Int) in try logic.remove(id)
    }
  }

  private func addPersonsFetch(of store: Store, _ logic: PersonsLogic) {
    asyncFunction(
      "fetch", "source",
      help: "Replaces the persons by those of the built-in source, or of a JSON file or URL.",
      example: "persons.fetch(\"persons.json\")"
    ) { (source: String?) in { try await logic.fetch(from: source) } }
    property("loading", help: "Whether persons are awaited.", example: "print(persons.loading)") {
      store.state(of: Persons.self).isLoading
    }
    property(
      "error", help: "Why the last fetch failed; or nil.", example: "print(persons.error)"
    ) { store.state(of: Persons.self).error }
  }
}

extension Persons.Person: LiveRecordContent {
  static var luaTypeName: String { "person" }
  static var luaListName: String { "persons" }

  static func describe(_ members: LuaClass<LiveRecord<Persons.Person>>) {
    members.field("id", help: "What the person is known by.", example: "person.id", get: \.id)
    members.field(
      "name", \.name, help: "The name; assign it to edit it.", example: "person.name = \"Jane\"")
    members.field(
      "age", \.age, help: "The age in years, 0 to 150; assign it to edit it.",
      example: "person.age = 28")
  }

  var luaText: String { "person \(id): \(name), \(age)" }
}

extension Persons.Action {
  /// The action as Lua text, for the history.
  var luaText: String {
    switch self {
    case .add(let person): "persons.add({\(Self.fields(person.name, person.age))})"
    case .edit(let id, let name, let age):
      "persons.edit(\(id.luaLiteral), {\(Self.fields(name, age))})"
    case .remove(let id): "persons.remove(\(id.luaLiteral))"
    case .fetchRequested(_, let source): "persons.fetch(\(source?.luaLiteral ?? ""))"
    case .fetchSucceeded(_, let persons):
      "persons.fetch() --> \(persons.count) \(persons.count == 1 ? "person" : "persons")"
    case .fetchFailed(_, let message): "persons.fetch() --> failed: \(message.onOneLine)"
    }
  }

  private static func fields(_ name: String?, _ age: Int?) -> String {
    [name.map { "name = \($0.luaLiteral)" }, age.map { "age = \($0)" }].compactMap(\.self)
      .joined(separator: ", ")
  }
}
