package import Scripting
package import StateStore

/// A feature of another package, by public API alone, with an action that no function repeats.
package enum ForeignNotes: ScriptableFeature {
  package struct Note: Record, FieldRecord {
    package let id: Int
    var text: String
    var isPinned = false

    package static let fields: [RecordField<Note>] = [
      .constant("id", \.id), .field("text", \.text), .field("is_pinned", \.isPinned),
    ]
  }

  package struct State: Codable, Equatable, Sendable {
    var list = RecordList<Note>()
    var title = "Notes"
  }

  package enum Action: Codable, Equatable, Sendable {
    case add(Note)
    case rename(String)
    case pin(id: Int, isPinned: Bool)
    case clear
  }

  package static let name = "notes"
  package static let help = "Notes."
  package static var initial: State { State() }
  package enum ErrorCode: String, FeatureErrorCode { case emptyText }

  package static let fields: [Field<ForeignNotes>] = [
    .list("all", \.list), .value("title", \.title) { .rename($0) }, .request(countWords),
  ]

  static let countWords = Request<ForeignNotes, String, Int>(
    "count_words", ask: { $0.question.split(separator: " ").count }, done: { _, _ in })

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note):
      guard !note.text.isEmpty else {
        throw FeatureError<ForeignNotes>(.emptyText, "A note needs a text.")
      }
      try state.list.append(note)
    case .rename(let title): state.title = title
    case .pin(let id, let isPinned): state.list.update(id: id) { $0.isPinned = isPinned }
    case .clear: state.list.removeAll()
    }
  }

  package static func describe(_ module: FeatureModule<ForeignNotes>) {
    module.function("add", "text", help: "Adds a note.", example: "notes.add('milk')") {
      (text: String) in
      try module.store.send(to: ForeignNotes.self, withNewID: { .add(Note(id: $0, text: text)) })
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
