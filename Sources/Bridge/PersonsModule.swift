public import Domain
import Lua
public import Scripting
import StateStore

extension Persons: ScriptableFeature {
  /// What the module is for.
  public static let help = "Persons: fetch, list, edit."

  /// The codes of its errors.
  public static let errorCodes = [
    "not_found", "empty_name", "age_out_of_range",
  ]

  /// The function that asks a service.
  public static var stubbable: [String] { ["fetch"] }

  /// Adds the persons as a sequence of live records, and the functions that change them.
  public static func describe(_ module: FeatureModule<Persons>) {
    let logic = PersonsLogic(store: module.store, services: App.services(module.services))
    module.addPersons(of: module.store, logic)
    module.addPersonsFetch(of: module.store, logic)
  }
}

extension FeatureModule<Persons> {
  fileprivate func addPersons(of store: Store, _ logic: PersonsLogic) {
    let records = records(
      \.list, missing: PersonsError.notFound,
      assigning: .assign(\.name) { .edit(id: $0, name: $1, age: nil) },
      .assign(\.age) { .edit(id: $0, name: nil, age: $1) })
    sequence(of: records)
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
      (id: Int) in try store.send(.remove(id: id), to: Persons.self)
    }
  }

  fileprivate func addPersonsFetch(of store: Store, _ logic: PersonsLogic) {
    asyncFunction(
      "fetch", "source",
      help: "Replaces the persons with those of the built-in source, or of a JSON file or URL.",
      example: "persons.fetch(\"persons.json\")"
    ) { (source: String?) in { try await logic.fetch(from: source) } }
    property("loading", help: "Whether a fetch is pending.", example: "print(persons.loading)") {
      store.state(of: Persons.self).isLoading
    }
    property(
      "error", help: "Why the last fetch failed; or nil.", example: "print(persons.error)"
    ) { store.state(of: Persons.self).error }
  }
}

extension Persons.Person: ScriptableRecord {
  /// The type's name in scripts.
  public static var luaTypeName: String { "person" }
  /// The list's name in scripts.
  public static var luaListName: String { "persons" }

  /// The record as `tostring` shows it.
  public var luaText: String { "person \(id): \(name), \(age)" }
}

extension Persons {
  /// How a recorded scenario repeats an action; the source of fetched persons gives no ids.
  public static func replay(of action: Action, _ secrets: SecretPlaceholders) -> ActionReplay {
    guard case .fetchSucceeded(let request, let persons) = action else {
      return encodedReplay(of: action)
    }
    return .answer(
      request, .list(persons.map { ["name": .text($0.name), "age": .integer($0.age)] }))
  }

  /// An action as Lua text.
  public static func luaText(of action: Action) -> String {
    switch action {
    case .add(let person): "persons.add({\(luaFields(person.name, person.age))})"
    case .edit(let id, let name, let age):
      "persons.edit(\(id.luaLiteral), {\(luaFields(name, age))})"
    case .remove(let id): "persons.remove(\(id.luaLiteral))"
    case .fetchRequested(_, let source): "persons.fetch(\(source?.luaLiteral ?? ""))"
    case .fetchSucceeded(_, let persons):
      "persons.fetch() --> \(persons.count) \(persons.count == 1 ? "person" : "persons")"
    case .fetchFailed(_, let message): "persons.fetch() --> failed: \(message.onOneLine)"
    }
  }

  private static func luaFields(_ name: String?, _ age: Int?) -> String {
    [name.map { "name = \($0.luaLiteral)" }, age.map { "age = \($0)" }].compactMap(\.self)
      .joined(separator: ", ")
  }
}

/// The fields of a person as a table argument: `{name="Ann", age=30}`.
struct PersonFields: LuaReadable {
  private struct Known: LuaCodable {
    let name: String?
    let age: Int?
  }

  /// What was read; an unknown key is part of it, because reading can only raise mismatches of types.
  private enum Content {
    case known(Known)
    case unknownKey(LuaValue)
  }

  private static let names = ["age", "name"]

  private let content: Content

  /// The fields to change in a person; those that aren't given stay as they are.
  ///
  /// - Throws: `LuaError` (`unknown_field`) for an unknown key.
  func changes() throws(LuaError) -> (name: String?, age: Int?) {
    switch content {
    case .known(let fields): return (fields.name, fields.age)
    case .unknownKey(.string(let name)):
      throw .unknownField(name.bytes, of: "person", known: Self.names)
    case .unknownKey(let key):
      let names = Self.names.joined(separator: ", ")
      throw LuaError(.unknownField, "person has no field with the key \(key). It has: \(names)")
    }
  }

  /// The fields of a new person, all of which are required.
  ///
  /// - Parameter function: The function whose first argument this is, for messages.
  /// - Returns: The fields.
  /// - Throws: `LuaError`: `unknown_field`, or `bad_argument` for a missing field.
  func all(for function: String) throws(LuaError) -> (name: String, age: Int) {
    let (name, age) = try changes()
    guard let name, let age else {
      throw LuaError(
        .badArgument,
        "bad argument #1 to '\(function)' (person: \(name == nil ? "name" : "age"): missing)")
    }
    return (name, age)
  }

  static var luaTypeName: String { "{name=string, age=integer}" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard stack.type(at: index) == .table, !stack.isModule(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    // A table has no order, so report the unknown key whose text sorts first.
    if let key = try unknownKeys(of: .read(from: stack, at: index)).min(by: { "\($0)" < "\($1)" }) {
      return PersonFields(content: .unknownKey(key))
    }
    return PersonFields(content: .known(try Known.read(from: stack, at: index)))
  }

  private static func unknownKeys(of table: LuaTable) throws(LuaTypeMismatch) -> [LuaValue] {
    let known = names.map { LuaValue.string(LuaString($0)) }
    do {
      return try table.entries().map(\.key).filter { !known.contains($0) }
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: "\(error)")
    }
  }
}
