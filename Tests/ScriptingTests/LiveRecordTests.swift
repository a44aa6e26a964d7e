import Lua
import SampleApp
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Live records")
struct LiveRecordTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "of the same id are the same object, however they are reached, even as keys of tables",
    arguments: [
      (Persons.three, "persons[1]", "persons.get(1)"),
      ("todo.add('a')", "todo.items[1]", "todo.filtered()[1]"),
      ("todo.add('a')", "todo.items[1]", "todo.items:get(1)"),
    ])
  func identity(setUp: String, one: String, other: String) async throws {
    #expect(
      try await app.text(
        """
        \(setUp)
        local seen = { [\(one)] = "seen" }
        collectgarbage() collectgarbage()
        return \(one) == \(other), rawequal(\(one), \(other)), seen[\(other)]
        """) == "true true seen")
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- of a list are found by their ids, if there are such
      todo.add('a') todo.add('b') return todo.items:get(1).text --> a
      todo.add('a') todo.add('b') todo.items:get(7) --> …: No item has the id 7.
      -- that are returned by an addition are the ones in the list
      local item, person = todo.add("a"), persons.add{ name = "Ann", age = 30 }
      return item == todo.items[1], person == persons[1] --> true true
      -- of todo items edit them by assigning fields, and send only changes
      local milk, changes = todo.add("milk"), 0
      store.subscribe("todo.items", function(edits) changes = changes + #edits end)
      milk.text = "oat milk" milk.done = true milk.done = true milk.text = milk.text
      local done = todo.items[1].done
      milk.done = false
      return changes, todo.items[1].text, done, milk.done, todo.filtered()[1].text
      --> 3 oat milk true false oat milk
      -- stay with their record at any position
      \(Persons.three)
      local john = persons[2]
      persons.remove(1)
      john.name = "Jack"
      return persons[1].name, persons[2].name --> Jack Fred
      -- of todo items print with their text, and whether they are done
      local m = todo.add('milk') m.done = true return m, todo.add('é')
      --> todo.item 1: milk (done) todo.item 2: é
      -- of todo items refuse invalid values
      todo.add('x').text = ' ' --> empty_text: …
      todo.add('x').done = 1
      --> bad_argument: bad value for 'todo.item.done' (boolean expected, got number)
      """))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test("that aren't held are released, however many there were")
  func forgotten() throws {
    let store = Store(SampleApp.schema)
    let records = try FeatureModule<Persons>(
      in: ScriptContext(
        store: store, environment: .sample(), runtime: ScriptRuntime(in: LuaState(), [], .sample()))
    )
    .records(\.list)
    var held = [records[5]]
    for id in 0..<1000 { _ = records[id] }
    #expect(records.list?.heldCount == 1)
    #expect(records[5].object === held[0].object)
    held = []
    #expect(records.list?.heldCount == 0)
  }

  @Test("that Lua has collected are released, too")
  func collected() async throws {
    try await app.run(
      """
      weak = setmetatable({}, { __mode = "k" })
      \(Persons.three)
      for _, person in ipairs(persons) do weak[person] = true end
      """)
    try app.state.collectGarbage()
    try app.state.collectGarbage()
    #expect(try await app.text("return next(weak), persons[2].name") == "nil John")
  }

  @Test(
    "of removed todo items raise errors, and are marked when printed",
    arguments: ["return milk.id", "return milk.text", "milk.text = 'x'", "milk.done = true"])
  func removedItems(use: String) async throws {
    try await app.run("milk = todo.add('milk') todo.add('bread') todo.remove(milk.id)")
    #expect(await app.failure(use)?.code == "not_found")
    #expect(
      try await app.text("return milk, todo.items[1]")
        == "todo.item 1 (removed) todo.item 2: bread")
  }

  /// A record that is marked by `is_favorite` and titled by `name`.
  private struct Place: Record, FieldRecord, ScriptableRecord {
    let id: Int
    var name: String
    var isFavorite: Bool

    static let fields: [RecordField<Place>] = [
      .constant("id", \.id), .field("name", \.name), .field("is_favorite", \.isFavorite),
    ]
  }

  @Test("are summed up by a mark and a title, if they have both")
  func summary() {
    func summary(_ record: some FieldRecord) -> String? { record.stateValue.recordSummary }
    #expect(summary(Place(id: 1, name: "Turtle Rock", isFavorite: true)) == "★ Turtle Rock")
    #expect(summary(Place(id: 1, name: "Turtle Rock", isFavorite: false)) == "☆ Turtle Rock")
    #expect(summary(Todo.Item(id: 1, text: "milk", done: true)) == "☑ milk")
    #expect(summary(Todo.Item(id: 1, text: "milk")) == "☐ milk")
    #expect(summary(Persons.Person(id: 1, name: "Ann", age: 30)) == nil)
  }

  @Test("work again when the record is restored")
  func back() async throws {
    try await app.run("\(Persons.three) john = persons[2] persons.remove(2)")
    #expect(await app.failure("return john.name")?.code == "not_found")
    try app.session.store.send(.add(Persons.Person(id: 2, name: "John", age: 31)), to: Persons.self)
    #expect(
      try await app.text("john.age = 32 return persons.get(2).age, persons.get(2) == john")
        == "32 true")
  }
}
