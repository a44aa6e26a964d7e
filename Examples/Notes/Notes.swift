// A complete program in one file, made with the kit: a list of notes.
//
//     swift run notes
//     > notes.add("milk")
//     > notes[1].text = "oat milk"
//     > notes.load("more.json")
//     > store.undo()

import Console

// MARK: - The records

struct Note: EvolvingRecord, ScriptableRecord {
  let id: Int
  var text: String
  var isPinned = false

  static let initial = Note(id: 0, text: "")
  static let fields: [RecordField<Note>] = [
    .constant("id", \.id), .field("text", \.text), .field("is_pinned", \.isPinned),
  ]
}

/// A file or an address from which notes were loaded.
struct Source: EvolvingRecord, ScriptableRecord {
  let id: Int
  let name: String
  let count: Int

  static let initial = Source(id: 0, name: "", count: 0)
  static let fields: [RecordField<Source>] = [
    .constant("id", \.id), .constant("name", \.name), .constant("count", \.count),
  ]
}

// MARK: - The feature

enum Notes: ScriptableFeature {
  static let name = "notes"
  static let help = "Notes: add, pin, load."

  struct State: Codable, Equatable, Sendable {
    var notes = RecordList<Note>()
    var sources = RecordList<Source>()
  }

  static var initial: State { State() }

  enum Action: Codable, Equatable, Sendable {
    case add(Note)
    case rename(id: Int, text: String)
    case pin(id: Int)
    case remove(id: Int)
  }

  enum ErrorCode: String, FeatureErrorCode { case emptyText, notFound }

  static let fields: [Field<Notes>] = [
    .list(
      "", \.notes, missing: notFound, .set(\.text) { .rename(id: $0, text: $1) }),
    .list("sources", \.sources, help: "The files and addresses that were loaded."),
    .derived("latest", help: "The text of the last note; or nil.") { $0.notes.last?.text },
    .request(load),
  ]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note):
      try check(note.text)
      try state.notes.append(note)
    case .rename(let id, let text):
      try check(text)
      guard state.notes.update(id: id, { $0.text = text }) else { throw notFound(id) }
    case .pin(let id):
      guard state.notes.update(id: id, { $0.isPinned = true }) else { throw notFound(id) }
    case .remove(let id):
      guard state.notes.remove(id: id) != nil else { throw notFound(id) }
    }
  }

  private static func check(_ text: String) throws {
    guard !text.isEmpty else { throw FeatureError<Notes>(.emptyText, "A note needs a text.") }
  }

  @Sendable private static func notFound(_ id: Int) -> any Error {
    FeatureError<Notes>(.notFound, "No note has the id \(id).")
  }
}

// MARK: - A request

extension Notes {
  /// The app's services: the files and addresses that the command line allows.
  typealias Services = DocumentAccess

  /// Only the request uses them.
  static let functionsUseServices = false

  /// Notes that were loaded, with their ids.
  struct Loaded: Codable, Equatable, Sendable {
    let source: Source
    let notes: [Note]
  }

  static let load = Request<Notes, String, Loaded>(
    "load", isLocal: DocumentSource.isLocal,
    ask: { request in
      try await request.services.records(of: String.self, from: request.question)
    },
    answer: { texts, request, newID in
      let notes = texts.map { Note(id: newID(), text: $0) }
      let source = Source(id: newID(), name: request.question, count: notes.count)
      return Loaded(source: source, notes: notes)
    },
    reply: { $0.notes.map(\.text) },
    done: { state, loaded in
      for note in loaded.notes { try check(note.text) }
      for note in loaded.notes { try state.notes.append(note) }
      try state.sources.append(loaded.source)
    })
}

// MARK: - The functions that scripts call

extension Notes {
  static func describe(_ module: FeatureModule<Notes>) {
    let notes = module.records(\.notes)
    func add(_ text: String) throws -> LiveRecord<Note> {
      try module.add(to: notes) { .add(Note(id: $0, text: text)) }
    }
    module.function("add", "text", help: "Adds a note.", example: "notes.add(\"milk\")") {
      (text: String) in try add(text)
    }
    module.action(
      "rename", "id", "text", help: "Changes a text.", example: "notes.rename(1, \"tea\")"
    ) {
      (id: Int, text: String) in .rename(id: id, text: text)
    }
    module.action("pin", "id", help: "Pins a note.", example: "notes.pin(1)") { (id: Int) in
      .pin(id: id)
    }
    module.action("remove", "id", help: "Removes a note.", example: "notes.remove(1)") {
      (id: Int) in .remove(id: id)
    }
    module.request(
      load, "source", help: "Adds the texts of a JSON file or address.",
      example: "notes.load(\"more.json\")"
    ) { (source: String) in source }
    module.asyncFunction(
      "remind", "seconds", "text", help: "Adds a note after some seconds.",
      example: "task.spawn(notes.remind, 60, \"call Ann\")"
    ) { (seconds: Double, text: String) in
      { () async throws -> LiveRecord<Note> in
        try await module.clock.sleep(for: .seconds(seconds))
        return try add(text)
      }
    }
  }
}

// MARK: - The program

@main enum Main {
  static func main() {
    Console("notes", features: [Notes.self], services: { options in options.documents }).run()
  }
}
