import Foundation
import StateStore

/// An entry in the form that the database's procedure `journal_append` takes.
struct JournalRow: Encodable {
  private let writer: UUID
  private let author: String?
  private let time: Double
  private let count: Int
  private let kind: String
  private let content: String

  /// - Throws: `DocumentError` for a number that JSON can't represent.
  init(_ entry: JournalEntry, _ coding: JournalCoding) throws {
    (writer, author) = (entry.writer, entry.author)
    time = entry.time.timeIntervalSince1970
    count = entry.count
    kind = if case .travel = entry.event { "travel" } else { "action" }
    content = try coding.encode(entry.event)
  }
}

/// A change of a field in the form that the database's function `journal_apply` takes.
struct FieldChangeRow: Encodable {
  private struct Element: Encodable {
    let id: Int
    let value: String

    init(_ element: StateValue) {
      (id, value) = (element.identifier, element.json)
    }

    /// Of values with the same number made of their bytes, the first is shown.
    static func rows(of elements: ListElements<StateValue>) -> [Element] {
      var numbers: Set<Int> = []
      return elements.map(Element.init).filter { numbers.insert($0.id).inserted }
    }
  }

  private struct Edit: Encodable {
    let kind: String
    let id: Int
    var position: Int?
    var old: Int?
    var value: String?

    init(_ edit: ListEdit<StateValue>) {
      switch edit {
      case .inserted(let position, let element):
        (kind, id, self.position) = ("inserted", element.identifier, position)
        value = element.json
      case .removed(_, let element):
        (kind, id) = ("removed", element.identifier)
      case .changed(_, let old, let new):
        (kind, id, self.old) = ("changed", new.identifier, old.identifier)
        value = new.json
      }
    }
  }

  private let path: String
  private var value: String?
  private var elements: [Element]?
  private var edits: [Edit]?

  /// A change.
  init(_ change: FieldChange) {
    path = change.path
    switch change.change {
    case .value(let new, _): value = new.json
    case .list(.edits(let edits)): self.edits = edits.map(Edit.init)
    case .list(.replaced(_, let new)): elements = Element.rows(of: new)
    }
  }

  /// The whole field.
  init(_ field: StateField, in states: States) {
    path = field.path
    if let elements = field.elements(in: states) {
      self.elements = Element.rows(of: elements)
    } else {
      value = field.value(in: states).json
    }
  }
}
