package import StateStore

/// Notes, the newest first, with a query and a derived field.
package enum Notes: Feature {
  package struct Note: Record, FieldRecord {
    package let id: Int
    package var text: String
    package var done = false

    package init(id: Int, text: String, done: Bool = false) {
      (self.id, self.text, self.done) = (id, text, done)
    }

    package static let fields: [RecordField<Note>] = [
      .constant("id", \.id), .field("text", \.text), .field("done", \.done),
    ]

    package func validate() throws {
      guard !text.isEmpty else { throw NotesError.emptyText }
    }

    /// Compares texts by their bytes, as a letter can have several encodings.
    package static func == (left: Note, right: Note) -> Bool {
      left.id == right.id && left.done == right.done
        && left.text.utf8.elementsEqual(right.text.utf8)
    }
  }

  package struct State: Codable, Equatable, Sendable {
    package var items = RecordList<Note>(order: .newestFirst)
    package var query = ""
    package var lastText: String?

    init() {}

    /// Decodes a state, whose notes are the newest first.
    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      items = try RecordList(
        order: .newestFirst, records: container.decode([Note].self, forKey: .items))
      query = try container.decode(String.self, forKey: .query)
      lastText = try container.decodeIfPresent(String.self, forKey: .lastText)
    }
  }

  package enum Action: Codable, Equatable, Sendable {
    /// Adds a note, and clears the query.
    case add(id: Int, text: String)
    case finish(id: Int)
    case rename(id: Int, text: String)
    case remove(id: Int)
    case set(query: String)
  }

  package static let name = "notes"
  package static var initial: State { State() }
  package static let fields: [Field<Notes>] = [
    .list("items", \.items), .value("query", \.query), .value("last_text", \.lastText),
    .derived("filtering") { !$0.query.isEmpty },
  ]

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let id, let text):
      let note = Note(id: id, text: text)
      try note.validate()
      try state.items.append(note)
      (state.query, state.lastText) = ("", text)
    case .finish(let id): try update(id, in: &state) { $0.done = true }
    case .rename(let id, let text):
      try Note(id: id, text: text).validate()
      try update(id, in: &state) { $0.text = text }
    case .remove(let id):
      guard state.items.remove(id: id) != nil else { throw NotesError.notFound(id: id) }
    case .set(let query): state.query = query
    }
  }

  private static func update(
    _ id: Int, in state: inout State, _ change: (inout Note) -> Void
  ) throws {
    guard state.items.update(id: id, change) else { throw NotesError.notFound(id: id) }
  }

  package enum ErrorCode: String, FeatureErrorCode { case emptyText, notFound }
}

extension IdentifierKind {
  package static let note = IdentifierKind("note")
}

package typealias NotesError = FeatureError<Notes>

extension NotesError {
  package static let emptyText = Self(.emptyText, "The text of a note is empty.")

  package static func notFound(id: Int) -> Self { Self(.notFound, "There is no note \(id).") }
}
