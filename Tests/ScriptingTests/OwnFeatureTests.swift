import Foundation
import Lua
import SampleApp
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
  enum ErrorCode: String, FeatureErrorCode { case emptyText }

  static let fields: [Field<Notes>] = [
    .list("all", \.list), .value("title", \.title) { .rename($0) }, .request(countWords),
  ]

  static let countWords = Request<Notes, String, Int>(
    "count_words", ask: { $0.question.split(separator: " ").count }, done: { _, _ in })

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note):
      guard !note.text.isEmpty else {
        throw FeatureError<Notes>(.emptyText, "A note needs a text.")
      }
      try state.list.append(note)
    case .rename(let title): state.title = title
    case .pin(let id, let isPinned): state.list.update(id: id) { $0.isPinned = isPinned }
    case .clear: state.list.removeAll()
    }
  }

  static func describe(_ module: FeatureModule<Notes>) {
    module.function("add", "text", help: "Adds a note.", example: "notes.add('milk')") {
      (text: String) in
      try module.store.send(to: Notes.self, withNewID: { .add(Note(id: $0, text: text)) })
    }
    module.action("pin", "id", help: "Pins a note.", example: "notes.pin(1)") { (id: Int) in
      .pin(id: id, isPinned: true)
    }
    module.action("clear", help: "Removes all notes.", example: "notes.clear()") { () in .clear }
    module.request(
      countWords, "text", help: "Counts.", example: "notes.count_words('a b')",
      question: { (text: String) in text }, returning: { $0 })
  }
}

@MainActor
@Suite("A feature from another package")
struct OwnFeatureTests {
  private let state: LuaState
  private let app: ScriptedApp

  init() throws {
    state = try LuaState()
    app = try ScriptedApp(
      in: state, store: Store(features: [Notes.self]), modules: [ScriptModule(Notes.self)])
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

  @Test("gives the same ids, whether or not actions were refused meanwhile")
  func refusedActions() async throws {
    let results = try await run(
      """
      local ids = {}
      for _, text in ipairs { "milk", "", "", "bread", "", "tea" } do pcall(notes.add, text) end
      for _, note in ipairs(store.state().notes.all) do ids[#ids + 1] = note.id end
      return table.concat(ids, " ")
      """)
    #expect(results == [.string("1 2 3")])
  }

  @Test("never gives an id again that a record had, though the record is gone")
  func idsAfterUndo() async throws {
    let results = try await run(
      """
      notes.add("milk") pcall(notes.add, "") store.undo()
      pcall(notes.add, "") notes.add("bread")
      return store.state().notes.all[1].id
      """)
    #expect(results == [.integer(2)])
  }

  @Test("skips ids that records have, though its source never gave them")
  func takenIDs() async throws {
    try app.store.send(.add(Notes.Note(id: 1, text: "milk")), to: Notes.self)
    let results = try await run(
      """
      local first, second = pcall(notes.add, "bread"), pcall(notes.add, "bread")
      return first, second, store.state().notes.all[2].id
      """)
    #expect(results == [.boolean(true), .boolean(true), .integer(2)])
  }

  @Test("gives new ids that follow those of imported records")
  func idsAfterImport() async throws {
    try app.store.send(
      .restore(
        try StateDocument.states(
          from: Data(
            #"{"notes":{"all":[{"id":7,"text":"a","is_pinned":false},{"id":3,"text":"b","is_pinned":false}]}}"#
              .utf8),
          app.store.schema), source: "notes.json"))
    let results = try await run("notes.add('c') return store.state().notes.all[3].id")
    #expect(results == [.integer(8)])
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
        in: other, store: store, modules: [ScriptModule(Notes.self)])
      _ = try await other.run(other.load("notes.add('milk')", name: .text("test")))
      other.close()
    }
    #expect(released == nil)
    #expect(try await run("return next(weak)") == [.nil])
  }

  @Test("shows its actions in the history as calls of the functions that are named after them")
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
        .string(#"notes.add("milk")"#),
        .string(#"notes.rename("My \"notes\"")"#),
        .string("notes.pin(1)"), .string("notes.clear()"),
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

  @Test("has functions for which stubs answer")
  func stubs() async throws {
    #expect(app.stubbable.first == "notes.count_words")
    #expect(try await run("return notes.count_words('a b')") == [.integer(2)])
    let other = try LuaState()
    let stubs = LuaStubs(in: other)
    _ = try ScriptedApp(
      in: other, store: Store(features: [Notes.self]), modules: [ScriptModule(Notes.self)],
      environment: ScriptEnvironment(stubs: stubs))
    stubs.set(
      try other.load("return #(...)", name: .text("stub")), for: "notes.count_words")
    #expect(
      try await other.run(other.load("return notes.count_words('a b')", name: .text("test")))
        == [.integer(3)])
  }

  @Test("isn't recorded by a program that doesn't record scenarios")
  func notRecorded() async throws {
    let results = try await run("return select(2, pcall(store.export, 'x.scenario.lua')).code")
    #expect(results == [.string("no_recording")])
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
    #expect("\(help)".contains("help(notes) lists a module, help(notes.add) describes a function"))
  }

  @Test(
    "is refused if its name is taken, or isn't a Lua name",
    arguments: [
      ("notes", ScriptError.takenName("notes")),
      ("store", .takenName("store", hides: "a name that every app has")),
      ("string", .takenName("string", hides: "a name of Lua")),
      ("expect", .takenName("expect", hides: "a word of scenarios")),
      ("end", .noName("end")), ("two words", .noName("two words")), ("", .noName("")),
    ])
  func badNames(name: String, expected: ScriptError) throws {
    let module = ScriptModule(name, help: "Mine.") { _ in }
    #expect(throws: expected) {
      try ScriptedApp(
        in: LuaState(), store: Store(features: [Notes.self]),
        modules: [ScriptModule(Notes.self), module])
    }
  }
}
