import Lua
import Scenarios
import Scripting
import StateStore
import Testing

/// A feature with an action that no function repeats.
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
  }

  static let name = "notes"
  static let help = "Notes."
  static let initial = State()
  static let fields: [Field<Notes>] = [.list("all", \.list), .value("title", \.title)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note): try state.list.append(note)
    case .rename(let title): state.title = title
    case .pin(let id, let isPinned): state.list.update(id: id) { $0.isPinned = isPinned }
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
  }
}

@MainActor
@Suite("A recorded scenario of another package's feature")
struct OwnFeatureRecordingTests {
  private let app: ScriptedApp
  private let state: LuaState

  init() throws {
    state = try LuaState()
    app = try ScriptedApp(
      in: state, store: Store(features: [Notes.self]), modules: [ScriptModule(Notes.self)])
  }

  @Test("has calls of the functions that its actions are named after")
  func calls() async throws {
    _ = try await state.run(
      state.load("notes.add('milk') notes.pin(1)", name: .text("test")))
    let text = try await app.scenario(named: "notes").text
    #expect(
      text.contains(
        #"""
          expect.changes(function()
            notes.add("milk")
          end, {
            ["notes.all[1]"] = { id = 1, text = "milk", is_pinned = false },
          })
          expect.changes(function() notes.pin(1) end, { ["notes.all[1].is_pinned"] = true })
        """#), "\(text)")
  }

  @Test("is refused, with a code, if no function repeats an action")
  func notRecorded() async throws {
    try app.store.send(.rename("Mine"), to: Notes.self)
    await #expect { try await app.scenario(named: "notes") } throws: { error in
      (error as? any CodedError)?.code == "not_recordable"
    }
  }
}
