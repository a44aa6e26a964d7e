// A complete program in one file, made with the kit: a list of notes.
//
//     swift run notes
//     > notes.add("milk")
//     > notes.pin(1)
//     > store.undo()

import Console

// MARK: - The feature

struct Note: EvolvingRecord, FieldRecord {
  let id: Int
  let text: String
  var isPinned = false

  static let initial = Note(id: 0, text: "")
  static let fields: [RecordField<Note>] = [
    .constant("id", \.id), .constant("text", \.text), .field("is_pinned", \.isPinned),
  ]
}

typealias NotesError = PlainError<Notes>

extension NotesError {
  static var emptyText: Self { Self("empty_text", "A note needs a text.") }

  static func notFound(id: Int) -> Self {
    Self("not_found", "No note has the id \(id).")
  }
}

enum Notes: Feature {
  struct State: Codable, Equatable, Sendable {
    var notes = RecordList<Note>()
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Note)
    case pin(id: Int)
    case remove(id: Int)
  }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<Notes>] = [.list("all", \.notes).inView("notes")]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note):
      guard !note.text.isEmpty else { throw NotesError.emptyText }
      try state.notes.append(note)
    case .pin(let id):
      guard state.notes.update(id: id, { $0.isPinned = true }) else {
        throw NotesError.notFound(id: id)
      }
    case .remove(let id):
      guard state.notes.remove(id: id) != nil else { throw NotesError.notFound(id: id) }
    }
  }
}

// MARK: - What scripts see, and the program

extension Notes: ScriptableFeature {
  static let help = "Notes: add, pin, remove."

  static func describe(_ module: FeatureModule<Notes>) {
    func add(_ text: String) throws {
      try module.sendWithNewID { .add(Note(id: $0, text: text)) }
    }
    module.sequence(
      count: { module.state.notes.count }, element: { module.state.notes[$0].text })
    module.function("add", "text", help: "Adds a note.", example: "notes.add(\"milk\")") {
      (text: String) in try add(text)
    }
    module.function("pin", "id", help: "Pins a note.", example: "notes.pin(1)") { (id: Int) in
      try module.send(.pin(id: id))
    }
    module.function("remove", "id", help: "Removes a note.", example: "notes.remove(1)") {
      (id: Int) in try module.send(.remove(id: id))
    }
    module.asyncFunction(
      "remind", "seconds", "text", help: "Adds a note after some seconds.",
      example: "task.spawn(notes.remind, 60, \"call Ann\")"
    ) { (seconds: Double, text: String) in
      {
        try await module.services.clock.sleep(for: .seconds(seconds))
        try add(text)
      }
    }
  }
}

@main enum Main {
  static func main() { Console("notes", features: [Notes.self]).run() }
}
