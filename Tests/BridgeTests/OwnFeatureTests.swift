import Lua
import Scripting
import StateStore
import Testing

/// A feature of somebody else's, by public API alone.
private enum Notes: ScriptableFeature {
  struct Note: Record, FieldRecord {
    let id: Int
    var text: String
    var isPinned = false

    static let fields: [RecordField<Note>] = [
      .constant("id", \.id), .field("text", \.text), .field("is_pinned", \.isPinned),
    ]
  }

  struct State: Codable, Equatable, Sendable {
    var list = RecordList<Note>()
    var title = "Notes"
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Note)
    case rename(String)
    case pin(id: Int, isPinned: Bool)
    case clear
  }

  static let name = "notes"
  static let help = "Notes."
  static var initial: State { State() }
  static let fields: [Field<Notes>] = [.list("all", \.list), .value("title", \.title)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note): try state.list.append(note)
    case .rename(let title): state.title = title
    case .pin(let id, let isPinned): state.list.update(id: id) { $0.isPinned = isPinned }
    case .clear: state.list.removeAll()
    }
  }

  static func describe(_ module: FeatureModule<Notes>) {
    module.function("add", "text", help: "Adds a note.", example: "notes.add('milk')") {
      (text: String) in
      try module.send(.add(Note(id: module.nextID(), text: text)))
    }
    module.function("pin", "id", help: "Pins a note.", example: "notes.pin(1)") { (id: Int) in
      try module.send(.pin(id: id, isPinned: true))
    }
    module.function("clear", help: "Removes all notes.", example: "notes.clear()") { () in
      try module.send(.clear)
    }
    module.property(
      "title", help: "The title.", example: "notes.title = 'Mine'",
      get: { module.state.title }, set: { try module.send(.rename($0)) })
  }
}

/// Services for an app that needs none of the world.
private struct NoServices: ScriptServices {
  var identifiers: any IdentifierSource = SequentialIdentifiers()
  var clock: any Clock<Duration> { ContinuousClock() }
  func checkWaiting() throws {}
  func export(_ text: String, to path: String) throws { throw Refusal() }
  func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?) { throw Refusal() }

  struct Refusal: Error {}
}

@MainActor
@Suite("A feature from another package")
struct OwnFeatureTests {
  private let state: LuaState
  private let app: ScriptedApp

  init() throws {
    state = try LuaState()
    app = try ScriptedApp(
      in: state, store: Store(features: [Notes.self]), modules: [ScriptModule(Notes.self)],
      services: NoServices())
  }

  private func run(_ source: String) async throws -> [LuaValue] {
    try await state.run(state.load(source, name: .text("test")))
  }

  @Test("has its module, the store with its history, and store.new()")
  func modules() async throws {
    let results = try await run(
      """
      notes.add("milk") notes.title = "Mine" store.undo()
      local other = store.new()
      other.notes.add("bread")
      return notes.title, #store.state().notes.all, #other.store.state().notes.all, app.notes == notes
      """)
    #expect(results == [.string("Notes"), .integer(1), .integer(1), .boolean(true)])
  }

  @Test("is released with its app, though its functions use its module")
  func released() async throws {
    _ = try await run("weak = setmetatable({}, { __mode = 'k' }) weak[store.new().notes] = true")
    for _ in 0..<3 { try state.collectGarbage() }
    weak var released: Store?
    do {
      let other = try LuaState()
      let store = try Store(features: [Notes.self])
      released = store
      _ = try ScriptedApp(
        in: other, store: store, modules: [ScriptModule(Notes.self)], services: NoServices())
      _ = try await other.run(other.load("notes.add('milk')", name: .text("test")))
      other.close()
    }
    #expect(released == nil)
    #expect(try await run("return next(weak)") == [.nil])
  }

  @Test("shows its actions in the history as calls derived from their encoding")
  func actions() async throws {
    let results = try await run(
      """
      notes.add("milk") notes.title = "My \\"notes\\"" notes.pin(1) notes.clear()
      local actions = {}
      for _, entry in ipairs(store.history()) do actions[#actions + 1] = entry.action end
      return table.unpack(actions)
      """)
    #expect(
      results == [
        .string(#"notes.add({id = 1, is_pinned = false, text = "milk"})"#),
        .string(#"notes.rename("My \"notes\"")"#),
        .string("notes.pin({id = 1, is_pinned = true})"), .string("notes.clear()"),
      ])
  }

  @Test("reports its fields and the edits of its lists to subscribers")
  func subscriptions() async throws {
    let results = try await run(
      """
      local seen = {}
      store.subscribe("notes.title", function(new, old) seen[#seen + 1] = old .. "->" .. new end)
      store.subscribe("notes.all", function(edits)
        for _, edit in ipairs(edits) do seen[#seen + 1] = edit.edit .. " " .. edit.position end
      end)
      store.subscribe("notes.all[1].is_pinned", function(new) seen[#seen + 1] = tostring(new) end)
      notes.title = "x" notes.add("milk") notes.pin(1)
      return table.concat(seen, ", ")
      """)
    #expect(results == [.string("Notes->x, inserted 1, false, changed 1, true")])
  }

  @Test("is in help, with its own example")
  func help() async throws {
    _ = try await run("printed = {} print = function(text) printed[#printed + 1] = text end help()")
    let text = try await run("return printed[1]")
    guard case .string(let help)? = text.first else {
      Issue.record("Nothing was printed.")
      return
    }
    #expect("\(help)".hasPrefix("notes  Notes.\n"))
    #expect("\(help)".hasSuffix("help(notes) lists a module; help(notes.add) tells of a function."))
  }

  @Test(
    "is refused if its name is taken, or isn't a Lua name",
    arguments: [
      ("store", ScriptError.takenName("store")), ("task", .takenName("task")),
      ("app", .takenName("app")), ("help", .takenName("help")), ("string", .takenName("string")),
      ("end", .noName("end")), ("two words", .noName("two words")), ("", .noName("")),
    ])
  func badNames(name: String, expected: ScriptError) throws {
    let module = ScriptModule { _ in LuaModule(name, help: "Mine.") }
    #expect(throws: expected) {
      try ScriptedApp(
        in: LuaState(), store: Store(features: [Notes.self]), modules: [module],
        services: NoServices())
    }
  }
}
